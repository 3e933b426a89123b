"""Documents with every finding that the family's tools give, in order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from manni.documents.front_matter import parse_document
from manni.documents.load import load
from manni.model.findings import Finding
from manni.schemas.store import SchemaStore
from manni.validation import Validator, compile_schema
from schema_sources import source

DATA = Path(__file__).parents[2] / "data"
BUILT_IN: dict[str, Validator] = {}


def _cases(name: str) -> list[Any]:
    cases: list[Any] = json.loads((DATA / name).read_text(encoding="utf-8"))["cases"]
    return cases


def _built_in(reference: str) -> Validator:
    if reference not in BUILT_IN:
        schema = SchemaStore(DATA).load(reference, DATA)
        BUILT_IN[reference] = compile_schema(schema)
    return BUILT_IN[reference]


def _described(finding: Finding) -> dict[str, Any]:
    assert finding.span is not None
    described = {
        "schema": finding.schema,
        "instancePath": finding.pointer,
        "keyword": finding.keyword,
        "message": finding.message,
        "subject": finding.subject,
        "line": finding.span.line,
    }
    return {name: value for name, value in described.items() if value is not None}


def _check(case: dict[str, Any], validators: list[Validator]) -> None:
    metadata = load(parse_document(case["text"].encode("utf-8")))
    findings = []
    marks: dict[str, Any] = {}
    for validator in validators:
        faults = validator.faults(metadata.value, metadata)
        findings += [_described(finding) for fault in faults for finding in fault.findings]
        assert validator.is_valid(metadata.value) is not bool(faults)
        for key, location in validator.marks(metadata.value).items():
            marks[key] = {"location": location, "schema": validator.reference}
    assert findings == case["expect"]["findings"]
    assert marks == case["expect"]["marks"]


@pytest.mark.parametrize("case", _cases("keywords.json"), ids=lambda case: case["name"])
def test_keywords(case: dict[str, Any]) -> None:
    _check(case, [compile_schema(source(case["schema"], reference=case["schemas"][0]))])


@pytest.mark.parametrize("case", _cases("findings.json"), ids=lambda case: case["name"])
def test_findings_of_the_built_in_schemas(case: dict[str, Any]) -> None:
    _check(case, [_built_in(reference) for reference in case["schemas"]])
