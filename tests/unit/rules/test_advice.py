"""Advice: what would satisfy a fault, and near misses."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manni.base.spelling import nearest
from manni.model.findings import Edit, Fault, Finding, Fix, Span
from manni.rules.advice import advice, explain

GRADERS = ("ai", "human", "command", "tool-usage", "skill-invoked", "file-access", "turn-count")


def fault(
    keyword: str,
    message: str = "m",
    *,
    pointer: str = "/x",
    subject: str | None = None,
    allowed: tuple[str, ...] = (),
    actual: str | None = None,
    fix: Fix | None = None,
) -> Fault:
    finding = Finding(
        "s",
        keyword,
        message,
        pointer=pointer,
        subject=subject,
        allowed=allowed,
        actual=actual,
        fix=fix,
    )
    return Fault((finding,))


def group(*faults: Fault, lead: int) -> Fault:
    return Fault(tuple(f.representative for f in faults), lead=lead)


PATTERN = 'must match pattern "{}"'
PORTABLE = PATTERN.format(r"^[\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}]+(?:-[\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}]+)*$")
JOINED = Fix("Join the items to one text", (Edit(Span(2, 8, 4, 9), ': "a,b"'),))
KEBAB = PATTERN.format("^[a-z0-9]+(?:-[a-z0-9]+)*$")

CASES = [
    (
        fault("enum", allowed=("low", "medium", "high", "xhigh", "max"), actual="fast"),
        "use one of low, medium, high, xhigh, max",
    ),
    (
        fault("enum", allowed=("low", "high"), actual="hihg"),
        "use one of low, high; did you mean 'high'?",
    ),
    (fault("enum"), ""),
    (fault("const", allowed=("fork",), actual="forks"), "use fork; did you mean 'fork'?"),
    (
        fault("additionalProperties", subject="alowed-tools", allowed=("name", "allowed-tools")),
        "remove 'alowed-tools', or use one of name, allowed-tools; did you mean 'allowed-tools'?",
    ),
    (fault("additionalProperties", subject="jira"), "remove 'jira'"),
    (fault("additionalProperties", subject=""), "remove ''"),
    (
        fault("unevaluatedProperties", subject="Name", allowed=("name",)),
        "remove 'Name', or use one of name; did you mean 'name'?",
    ),
    (
        fault("false schema", pointer="/metadata/eval-skp", allowed=("eval-skip",)),
        "remove 'eval-skp', or use one of eval-skip; did you mean 'eval-skip'?",
    ),
    (fault("false schema", pointer="/a~1b~01"), "remove 'a/b~1'"),
    (fault("false schema", pointer=""), "remove it"),
    (fault("required", subject="id"), "add 'id'"),
    (fault("required"), ""),
    (
        fault("dependentRequired"),
        "add what is missing, or remove the property that needs it",
    ),
    (fault("type", subject="array"), "use a list"),
    (fault("type", subject="string,array"), "use a string or a list"),
    (fault("type", subject="string", actual="1.0"), 'put it in quotes: "1.0"'),
    (fault("type", subject="string", actual='{"a":1}'), "use a string"),
    (
        fault("type", subject="string", actual="array", fix=JOINED),
        'join the items to one text: "a,b"',
    ),
    (fault("type"), ""),
    (
        fault("pattern", KEBAB, actual="Fix Bug"),
        "use only lower-case letters, digits and single hyphens; did you mean 'fix-bug'?",
    ),
    (
        fault("pattern", PORTABLE, actual="Caf\u00e9 tidy"),
        "use only lower-case letters, digits and single hyphens; did you mean 'caf\u00e9-tidy'?",
    ),
    (
        fault("pattern", KEBAB, actual="???"),
        "use only lower-case letters, digits and single hyphens",
    ),
    (fault("pattern", PATTERN.format("^/"), actual="x"), "use a text that starts with /"),
    (fault("pattern", PATTERN.format("^x$"), actual="y"), ""),
    (
        fault("format", subject="date-time"),
        "use a date and time such as 2026-01-31T09:30:00Z",
    ),
    (fault("format", subject="unheard-of"), ""),
    (
        fault("minLength", "must NOT have fewer than 1 characters"),
        "write at least 1 character",
    ),
    (
        fault("maxLength", "must NOT have more than 64 characters"),
        "shorten it to at most 64 characters",
    ),
    (fault("minimum", "must be >= 0.5"), "use a number of at least 0.5"),
    (fault("maximum", "must be <= -1"), "use a number of at most -1"),
    (fault("multipleOf", "must be multiple of 2"), "use a multiple of 2"),
    (fault("minimum", "reworded"), ""),
    (fault("uniqueItems"), "remove the repeated item"),
    (fault("parse", "a plain value holds ': '; quote it"), ""),
    (
        fault("unknown-grader", "no such grader, did you mean 'ai'?", allowed=("ai",), actual="a"),
        "",
    ),
    (
        fault("unknown-grader", allowed=GRADERS, actual="tool-useage"),
        "did you mean 'tool-usage'?",
    ),
]


@pytest.mark.parametrize(("given_fault", "expected"), CASES)
def test_single_findings(given_fault: Fault, expected: str) -> None:
    assert advice(given_fault) == expected


def test_any_of_says_the_union_of_its_alternatives() -> None:
    graders = group(
        fault("enum", allowed=GRADERS, actual="tool-useage"),
        fault("pattern", PATTERN.format("^tool:[a-z0-9-]*$"), actual="tool-useage"),
        fault("anyOf", actual="tool-useage"),
        lead=2,
    )
    assert advice(graders) == (
        "use one of ai, human, command, tool-usage, skill-invoked, file-access, turn-count, or a "
        "value that matches '^tool:[a-z0-9-]*$'; did you mean 'tool-usage'?"
    )


def test_any_of_takes_what_the_composite_itself_allows() -> None:
    assert advice(fault("anyOf", allowed=("a-b", "c-d"), actual="a_b")) == (
        "use one of a-b, c-d; did you mean 'a-b'?"
    )
    assert advice(fault("oneOf", allowed=("only",))) == "use only"


def test_any_of_over_missing_names() -> None:
    entry = group(
        fault("required", subject="fields"),
        fault("required", subject="evals"),
        fault("anyOf"),
        lead=2,
    )
    assert advice(entry) == "add 'fields' or 'evals'"


def test_any_of_over_types_and_formats() -> None:
    value = group(
        fault("type", subject="boolean"),
        fault("format", subject="date"),
        fault("minItems", "must NOT have fewer than 1 items"),
        fault("oneOf"),
        lead=3,
    )
    assert advice(value) == "use true or false, or a date such as 2026-01-31"


def test_any_of_with_nothing_to_say() -> None:
    assert advice(fault("anyOf")) == "make it fit one of the alternatives"
    assert advice(fault("oneOf")) == "make it fit exactly one of the alternatives"
    deeper = group(fault("type", subject="string", pointer="/x/y"), fault("anyOf"), lead=1)
    assert advice(deeper) == "make it fit one of the alternatives"


def test_property_names() -> None:
    assert advice(group(fault("pattern", KEBAB), fault("propertyNames"), lead=1)) == (
        "rename it: use only lower-case letters, digits and single hyphens"
    )
    assert advice(fault("propertyNames")) == "rename it"


def test_the_lead_of_an_if_is_its_leaf() -> None:
    found = group(fault("required", subject="id"), fault("if", 'must match "else" schema'), lead=0)
    assert advice(found) == "add 'id'"


def test_explain_puts_advice_after_the_message() -> None:
    assert explain(fault("required", "must have required property 'id'", subject="id")) == (
        "must have required property 'id'; add 'id'"
    )
    assert explain(fault("parse", "no")) == "no"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("tool-useage", "tool-usage"),
        ("TOOL_USAGE", "tool-usage"),
        ("humen", "human"),
        ("comand", "command"),
        ("regex", None),
        ("ai", None),
        ("", None),
        ("x" * 5000, None),
    ],
)
def test_nearest(word: str, expected: str | None) -> None:
    assert nearest(word, GRADERS) == expected


def test_long_lists_are_cut() -> None:
    said = advice(fault("enum", allowed=tuple(f"v{n}" for n in range(1000)), actual="zzz"))
    assert said.endswith("v11 and 988 more")


ANY = st.text(st.characters(), max_size=40)


@given(
    st.builds(
        fault,
        st.sampled_from(["enum", "const", "type", "pattern", "anyOf", "minLength", "format"]) | ANY,
        ANY,
        pointer=ANY,
        subject=st.none() | ANY,
        allowed=st.lists(ANY | st.just("v" * 9000), max_size=15).map(tuple),
        actual=st.none() | ANY,
    )
)
@settings(max_examples=100)
def test_whatever_a_document_holds_stays_on_one_short_line(hostile: Fault) -> None:
    said = advice(hostile)
    assert len(said) < 800
    assert len(said.splitlines()) <= 1
    said.encode()
