"""The checks of the eval vocabularies, over metadata of the right and of any other shape."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manni.model.findings import Finding, Place, Severity, Span
from manni.rules.checks.eval_entries import SEVERITIES, EvalContext
from manni.rules.checks.evals import (
    CHECKS,
    GRADERS,
    check_evals,
)
from manni.rules.texts import EVALS, texts
from manni.schemas.vocabularies import ARTIFACT_EVALS, ARTIFACT_EVALS_STRICT, PAGE_EVALS


@dataclass
class FakeLocator:
    """Places pointers on the lines given, else on line 1, and remembers what it was asked."""

    lines: Mapping[str, int] = field(default_factory=dict)
    manifest: str | None = None
    asked: list[str] = field(default_factory=list)

    def place(self, pointer: str) -> Place:
        self.asked.append(pointer)
        line = self.lines.get(pointer, 1)
        return Place(Span(line, 1, line, 2), self.manifest)

    def identity(self, pointer: str) -> str:
        return f"id:{pointer}"


def check(
    metadata: Mapping[str, object],
    *schemas: str,
    locator: FakeLocator | None = None,
    context: EvalContext | None = None,
) -> list[Finding]:
    faults = check_evals(metadata, locator or FakeLocator(), schemas, context or EvalContext())
    assert all(len(fault.findings) == 1 for fault in faults)
    return [fault.representative for fault in faults]


def artifact(*entries: object, **keys: object) -> list[Finding]:
    """Check entries below `metadata`, an underscore in a key standing for a hyphen."""
    block = {name.replace("_", "-"): value for name, value in keys.items()}
    return check({"metadata": {"evals": list(entries), **block}}, ARTIFACT_EVALS)


def page(*entries: object, context: EvalContext | None = None, **keys: object) -> list[Finding]:
    block = {name.replace("_", "-"): value for name, value in keys.items()}
    return check({"evals": list(entries), **block}, PAGE_EVALS, context=context)


def said(findings: list[Finding]) -> list[tuple[str, str, str]]:
    return [(found.keyword, found.pointer, found.message) for found in findings]


def test_every_check_has_its_texts_and_the_other_way_round() -> None:
    assert {check.keyword for check in CHECKS} == set(SEVERITIES)
    assert {keyword: entry.severity for keyword, entry in texts(EVALS).items()} == SEVERITIES


def test_only_where_the_set_holds_the_vocabulary() -> None:
    twice = [{"id": "a"}, {"id": "a"}]
    both = {"metadata": {"evals": twice}, "evals": twice}
    assert check(both) == []
    assert check(both, "anthropic:claude-skill:2.1", ARTIFACT_EVALS_STRICT) == []
    assert [found.pointer for found in check(both, ARTIFACT_EVALS)] == ["/metadata/evals/1/id"]
    assert [found.pointer for found in check(both, PAGE_EVALS)] == ["/evals/1/id"]
    assert [found.schema for found in check(both, PAGE_EVALS, ARTIFACT_EVALS)] == [
        ARTIFACT_EVALS,
        PAGE_EVALS,
    ]


def test_nothing_is_located_where_nothing_is_found() -> None:
    locator = FakeLocator()
    entry = {"id": "a", "assertion": "x", "grader": "ai"}
    assert check({"metadata": {"evals": [entry, "text"]}}, ARTIFACT_EVALS, locator=locator) == []
    assert locator.asked == []


# unique-id


def test_the_second_id_names_the_line_of_the_first() -> None:
    locator = FakeLocator({"/metadata/evals/0/id": 4, "/metadata/evals/2/id": 6})
    entries = [{"id": "same"}, {"id": "other"}, {"id": "same"}]
    [found] = check({"metadata": {"evals": entries}}, ARTIFACT_EVALS, locator=locator)
    assert found.rule_id == "manni:artifact-evals:1.0.0/unique-id"
    assert found.severity is Severity.ERROR
    assert found.message == "'same' is already the id of the eval on line 4"
    assert found.place == Place(Span(6, 1, 6, 2))
    assert found.subject == "same"
    assert found.identity == "id:/metadata/evals/2/id"
    assert [related.span.line for related in found.related] == [4]


def test_every_later_id_names_the_first() -> None:
    found = artifact({"id": "a"}, "text", {"id": "a"}, {"id": "a"})
    assert [one.pointer for one in found] == ["/metadata/evals/2/id", "/metadata/evals/3/id"]


def test_no_second_position_for_ids_in_a_manifest() -> None:
    locator = FakeLocator(manifest="m.yaml")
    [found] = check({"evals": [{"id": "a"}, {"id": "a"}]}, PAGE_EVALS, locator=locator)
    assert found.manifest == "m.yaml"
    assert found.related == ()


def test_different_ids_and_other_types_are_no_duplicates() -> None:
    assert artifact({"id": "a"}, {"id": "b"}, {"id": 1}, {"id": 1}, {}, {}) == []


# provenance


def test_provenance_of_an_eval_that_no_entry_has() -> None:
    found = artifact(
        {"id": "used-read", "assertion": "x"},
        meta_provenance=[{"generated-by": "m", "evals": ["used-read", "use-read", "zebra"]}],
    )
    at = "/metadata/meta-provenance/0/evals"
    assert said(found) == [
        (
            "provenance-target",
            f"{at}/1",
            "no eval of this artifact has the id 'use-read'; did you mean 'used-read'?",
        ),
        ("provenance-target", f"{at}/2", "no eval of this artifact has the id 'zebra'"),
    ]
    assert found[0].allowed == ("used-read",)
    assert {one.severity for one in found} == {Severity.ERROR}


def test_confidence_in_what_the_entry_does_not_list() -> None:
    found = artifact(
        {"id": "a", "assertion": "x"},
        {"id": "bee", "assertion": "x"},
        meta_provenance=[
            {
                "evals": ["a"],
                "fields": ["/metadata/evals"],
                "confidence": {"a": 1, "bee": 1, "/metadata/evals": 1, "/metadata": 1},
            }
        ],
    )
    at = "/metadata/meta-provenance/0/confidence"
    assert [one.pointer for one in found] == [f"{at}/bee", f"{at}/~1metadata"]
    assert found[0].message == "'bee' is in neither evals nor fields of this entry"


@pytest.mark.parametrize(
    ("pointer", "resolves"),
    [
        ("/metadata", True),
        ("/metadata/evals/0/id", True),
        ("/metadata/evals/1", False),
        ("/metadata/evals/00", False),
        ("/metadata/evals/-", False),
        ("/metadata/evals/٠", False),
        ("/metadata/evals/" + "9" * 5000, False),
        ("/metadata/nothing", False),
        ("/metadata/evals/0/id/0", False),
        ("/", False),
        ("/a~1b", True),
        ("/a~0b", True),
        ("/a~01b", False),
        ("/a~2b", False),
        ("/none", True),
    ],
)
def test_provenance_pointers(pointer: str, resolves: bool) -> None:
    metadata = {
        "metadata": {
            "evals": [{"id": "a", "assertion": "x"}],
            "meta-provenance": [{"fields": [pointer]}],
        },
        "a/b": 1,
        "a~b": 1,
        "a~2b": 1,
        "none": None,
    }
    found = check(metadata, ARTIFACT_EVALS)
    assert [one.keyword for one in found] == ([] if resolves else ["provenance-pointer"])
    assert all(one.severity is Severity.WARNING for one in found)


def test_a_field_that_is_no_pointer_is_left_to_the_schema() -> None:
    assert artifact(meta_provenance=[{"fields": ["metadata", 5, None]}]) == []


def test_pages_have_no_trail_of_their_own() -> None:
    assert page({"id": "a"}, meta_provenance=[{"evals": ["b"], "fields": ["/none"]}]) == []


# stale-hash


@pytest.mark.parametrize("assertion", ["The tests ran.", "Die Prüfung lief.\nZweimal.\n", "\ud800"])
@pytest.mark.parametrize("prefix", ["sha256-", ""])
def test_the_hash_of_the_assertion_as_it_is(assertion: str, prefix: str) -> None:
    digest = hashlib.sha256(assertion.encode("utf-8", "surrogatepass")).hexdigest()
    entry = {"id": "a", "assertion": assertion, "generated-assertion-hash": prefix + digest}
    assert artifact(entry) == []
    assert page({**entry, "generated-assertion-hash": prefix + digest.upper()}) == []
    [found] = artifact({**entry, "assertion": assertion + " "})
    assert found.rule_id == "manni:artifact-evals:1.0.0/stale-hash"
    assert found.pointer == "/metadata/evals/0/generated-assertion-hash"
    assert found.severity is Severity.WARNING


@pytest.mark.parametrize("written", ["", "sha256-", "md5-0", "sha1-aa", "0" * 64])
def test_what_is_no_such_hash_is_stale(written: str) -> None:
    entry = {"id": "a", "assertion": "x", "generated-assertion-hash": written}
    assert [found.keyword for found in artifact(entry)] == ["stale-hash"]


def test_without_an_assertion_there_is_nothing_to_compare() -> None:
    assert artifact({"id": "a", "generated-assertion-hash": "0"}) == []
    assert artifact({"id": "a", "assertion": 5, "generated-assertion-hash": "0"}) == []


# unknown-grader


@pytest.mark.parametrize("grader", [*GRADERS, "tool:vale", "tool:0-x"])
def test_known_graders(grader: str) -> None:
    assert artifact({"id": "a", "grader": grader}) == []


@pytest.mark.parametrize(
    ("grader", "message"),
    [
        ("tool-useage", "unknown grader 'tool-useage'; did you mean 'tool-usage'?"),
        ("vale", "unknown grader 'vale'"),
        ("tool:Vale", "unknown grader 'tool:Vale'"),
        ("tool:vale\n", "unknown grader 'tool:vale\n'"),
        ("", "unknown grader ''"),
    ],
)
def test_unknown_graders(grader: str, message: str) -> None:
    assert said(artifact({"id": "a", "grader": grader})) == [
        ("unknown-grader", "/metadata/evals/0/grader", message)
    ]


def test_named_graders_are_known_and_may_be_the_nearest() -> None:
    metadata = {"metadata": {"evals": [{"id": "a", "grader": "readability"}]}}
    named = EvalContext(graders=frozenset({"readability"}))
    near = EvalContext(graders=frozenset({"readable-ity"}))
    assert check(metadata, ARTIFACT_EVALS, context=named) == []
    [found] = check(metadata, ARTIFACT_EVALS, context=near)
    assert found.message.endswith("did you mean 'readable-ity'?")
    assert found.severity is Severity.WARNING


def test_the_strict_overlay_and_the_page_schema_say_it_themselves() -> None:
    entry = {"id": "a", "grader": "vale"}
    metadata = {"metadata": {"evals": [entry]}, "evals": [entry]}
    assert check(metadata, ARTIFACT_EVALS, ARTIFACT_EVALS_STRICT) == []
    assert check(metadata, PAGE_EVALS) == []


# placeholder


@pytest.mark.parametrize("command", [["check", "{trace}"], ["check", "--trace={trace}"]])
def test_a_command_of_an_artifact_receives_the_trace(command: list[str]) -> None:
    assert artifact({"id": "a", "grader": "command", "command": command}) == []
    assert said(page({"id": "a", "grader": "command", "command": command})) == [
        (
            "placeholder",
            "/evals/0/command/1",
            "{trace} stands for nothing here; a command of a page receives {file}",
        )
    ]


def test_a_command_of_a_page_receives_the_file() -> None:
    entry = {"id": "a", "grader": "command", "command": ["check", "{file}"]}
    assert page(entry) == []
    assert said(artifact(entry)) == [
        (
            "placeholder",
            "/metadata/evals/0/command/1",
            "{file} stands for nothing here; a command of an artifact receives {trace}",
        )
    ]
    assert [found.pointer for found in artifact({"command": ["{trace}", "{file}"]})] == [
        "/metadata/evals/0/command/1"
    ]


def test_a_command_without_any_placeholder() -> None:
    assert said(artifact({"id": "a", "command": ["make", "check"]})) == [
        (
            "placeholder",
            "/metadata/evals/0/command",
            "the command never receives the session trace; pass {trace} to it",
        )
    ]
    [found] = page({"id": "a", "command": ["make"]})
    assert found.message == "the command never receives the page; pass {file} to it"
    assert found.severity is Severity.WARNING


@pytest.mark.parametrize("command", [[], "make", None, [1], {"a": 1}])
def test_what_is_no_command_is_left_to_the_schema(command: object) -> None:
    assert artifact({"id": "a", "command": command}) == []


# skipped


def test_what_is_skipped_is_said() -> None:
    found = artifact({"id": "a", "skip": True}, {"skip": True}, eval_skip=True)
    assert said(found) == [
        ("skipped", "/metadata/eval-skip", "all evals here are skipped"),
        ("skipped", "/metadata/evals/0/skip", "the eval 'a' is skipped"),
        ("skipped", "/metadata/evals/1/skip", "this eval is skipped"),
    ]
    assert {one.severity for one in found} == {Severity.NOTICE}
    assert said(page({"use": "links", "skip": True}, eval_skip=True)) == [
        ("skipped", "/eval-skip", "all evals here are skipped"),
        ("skipped", "/evals/0/skip", "the eval 'links' is skipped"),
    ]


@pytest.mark.parametrize("value", [False, None, 1, "true", "yes"])
def test_only_true_skips(value: object) -> None:
    assert artifact({"id": "a", "skip": value}, eval_skip=value) == []


# use


def test_references_are_looked_up_in_the_config() -> None:
    context = EvalContext(
        evals=frozenset({"links-resolve", "tone"}), suites=frozenset({"how-to", "reference"})
    )
    assert page({"use": "tone"}, eval_suite="how-to", context=context) == []
    found = page({"use": "link-resolve"}, {"use": "zebra"}, eval_suite="howto", context=context)
    assert said(found) == [
        (
            "use",
            "/eval-suite",
            "docevals.suites in the config defines no 'howto'; did you mean 'how-to'?",
        ),
        (
            "use",
            "/evals/0/use",
            "docevals.evals in the config defines no 'link-resolve'; did you mean 'links-resolve'?",
        ),
        ("use", "/evals/1/use", "docevals.evals in the config defines no 'zebra'"),
    ]
    assert {one.severity for one in found} == {Severity.ERROR}


def test_an_empty_section_defines_nothing_and_no_section_is_not_asked() -> None:
    empty = EvalContext(evals=frozenset(), suites=frozenset())
    assert len(page({"use": "a"}, eval_suite="b", context=empty)) == 2
    assert page({"use": "a"}, eval_suite="b") == []


def test_artifacts_have_no_references() -> None:
    context = EvalContext(evals=frozenset(), suites=frozenset())
    metadata = {"metadata": {"evals": [{"use": "a"}], "eval-suite": "b"}}
    assert check(metadata, ARTIFACT_EVALS, context=context) == []


# any shape

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "id",
                    "grader",
                    "command",
                    "skip",
                    "use",
                    "assertion",
                    "evals",
                    "fields",
                    "confidence",
                    "generated-assertion-hash",
                    "x",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)
KEYS = st.dictionaries(
    st.sampled_from(["evals", "eval-skip", "eval-suite", "meta-provenance"]), JSON, max_size=4
)


@settings(max_examples=150)
@given(KEYS | JSON, KEYS)
def test_no_shape_breaks_the_checks(block: object, root: dict[str, object]) -> None:
    context = EvalContext(evals=frozenset({"x"}), suites=frozenset())
    metadata = {**root, "metadata": block}
    for found in check(metadata, ARTIFACT_EVALS, PAGE_EVALS, context=context):
        assert found.severity is SEVERITIES[found.keyword]
        assert found.place is not None
        assert found.message
