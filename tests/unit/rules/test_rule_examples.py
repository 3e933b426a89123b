"""The examples of the rules are true: the wrong one breaks its rule, the right one nothing."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from artifacts import artifact
from manni.documents.front_matter import DocumentFault, parse_document
from manni.documents.load import Metadata, load
from manni.model.findings import Finding
from manni.rules.checks.eval_entries import EvalContext
from manni.rules.checks.evals import check_evals
from manni.rules.checks.hosts import check_kind
from manni.rules.suppression import ignores, unused
from manni.rules.texts import EVALS, HOSTS, KEYWORDS, READING, texts
from manni.schemas import builtin as builtins
from manni.schemas.store import SchemaStore
from manni.schemas.vocabularies import ARTIFACT_EVALS, PAGE_EVALS
from manni.validation import Validator, compile_schema

ABOUT_OTHER_FILES = {"manni/dangling-link", "manni/duplicate-name", "manni/unknown-skill"}
ABOUT_PATHS = {"manni/renamed-kind", "manni/skill-file-name"}
OTHERS = ABOUT_OTHER_FILES | ABOUT_PATHS | {"manni/body-too-long", "manni/lenient-read"}
OPENED = [
    rule_id
    for rule_id in texts(READING)
    if rule_id not in {"manni/schema-error", "manni/link-outside"}
]


def compiled(schema: Mapping[str, object], directory: Path) -> Validator:
    path = directory / "example.schema.json"
    path.write_text(json.dumps(schema), encoding="utf-8")
    return compile_schema(SchemaStore(directory).load(path.name, directory))


def metadata(text: str) -> Metadata:
    return load(parse_document(text.encode()))


@pytest.mark.parametrize("keyword", texts(KEYWORDS))
def test_keywords(keyword: str, tmp_path: Path) -> None:
    entry = texts(KEYWORDS)[keyword]
    validator = compiled(json.loads(entry.given), tmp_path)
    wrong, right = metadata(entry.wrong), metadata(entry.right)
    found = [
        finding.keyword
        for fault in validator.faults(wrong.value, wrong)
        for finding in fault.findings
    ]
    assert found[-1] == keyword
    assert validator.is_valid(right.value)


@pytest.mark.parametrize("rule_id", OPENED)
def test_reading(rule_id: str) -> None:
    def findings(text: str) -> list[Finding]:
        try:
            document = parse_document(text.encode())
            read = load(document)
        except DocumentFault as fault:
            return [fault.finding]
        stale = unused(ignores(document, read), set())
        return [*document.findings, *(fault.representative for fault in stale)]

    entry = texts(READING)[rule_id]
    [found] = findings(entry.wrong)
    assert (found.rule_id, found.severity) == (rule_id, entry.severity)
    assert findings(entry.right) == []


def of_kind(path: str, text: str) -> list[Finding]:
    return [fault.representative for fault in check_kind(artifact(path, text))]


@pytest.mark.parametrize("rule_id", [rule_id for rule_id in texts(HOSTS) if rule_id not in OTHERS])
def test_kinds(rule_id: str) -> None:
    entry = texts(HOSTS)[rule_id]
    [wrong], [right] = files(entry.wrong), files(entry.right)
    [found] = of_kind(*wrong)
    assert (found.rule_id, found.severity) == (rule_id, entry.severity)
    assert of_kind(*right) == []


@pytest.mark.parametrize("rule_id", sorted(ABOUT_PATHS))
def test_kinds_by_path(rule_id: str) -> None:
    entry = texts(HOSTS)[rule_id]
    text = "---\nname: tidy\ndescription: Tidies pages.\n---\n"
    [found] = of_kind(entry.wrong.split()[-1], text)
    assert (found.rule_id, found.severity) == (rule_id, entry.severity)
    assert of_kind(entry.right.split()[-1], text) == []


def test_the_text_of_an_agent() -> None:
    entry = texts(HOSTS)["manni/body-too-long"]

    def found(command: str) -> list[str]:
        parts = re.fullmatch(r"yes '(.+)' \| head -n (\d+) >> (\S+)\s*", command)
        assert parts is not None
        text = f"---\ndescription: d\n---\n{(parts[1] + chr(10)) * int(parts[2])}"
        return [finding.rule_id for finding in of_kind(parts[3], text)]

    assert found(entry.wrong) == ["manni/body-too-long"]
    assert found(entry.right) == []


def test_what_one_host_reads_leniently_is_no_yaml() -> None:
    entry = texts(HOSTS)["manni/lenient-read"]
    [(_, wrong)], [(path, right)] = files(entry.wrong), files(entry.right)
    with pytest.raises(DocumentFault):
        metadata(wrong)
    assert of_kind(path, right) == []


def files(example: str) -> list[tuple[str, str]]:
    """The files of an example, each below its path."""
    parts = re.split(r"^<!-- (.+) -->\n", example, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("keyword", texts(EVALS))
def test_vocabularies(keyword: str) -> None:
    entry = texts(EVALS)[keyword]
    vocabulary = PAGE_EVALS if keyword == "use" else ARTIFACT_EVALS
    context = EvalContext(evals=frozenset({"links-resolve"}))
    validator = compile_schema(SchemaStore(Path()).load(vocabulary, Path()))
    wrong, right = metadata(entry.wrong), metadata(entry.right)
    assert validator.is_valid(wrong.value)
    assert validator.is_valid(right.value)
    [fault] = check_evals(wrong.value, wrong, [vocabulary], context)
    assert fault.representative.keyword == keyword
    assert check_evals(right.value, right, [vocabulary], context) == ()


def test_the_ids_are_those_of_the_built_in_schemas() -> None:
    assert builtins.find(ARTIFACT_EVALS) is not None
    assert builtins.find(PAGE_EVALS) is not None
