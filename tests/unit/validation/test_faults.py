"""How findings are grouped, where they point, and what they say of what was allowed."""

from __future__ import annotations

from typing import Any

import pytest

from manni.model.findings import Fault
from manni.validation import compile_schema
from schema_sources import Locator, source


def faults(document: Any, value: Any) -> tuple[Fault, ...]:
    return compile_schema(source(document, reference="test:schema:1")).faults(value, Locator())


def grouped(document: Any, value: Any) -> list[tuple[list[str], int]]:
    return [
        ([finding.keyword for finding in fault.findings], fault.lead)
        for fault in faults(document, value)
    ]


def test_a_condition_joins_the_last_fault_of_its_branch() -> None:
    document = {"if": True, "then": {"required": ["a", "b"], "maxProperties": 0}}
    assert grouped(document, {"c": 1}) == [
        (["maxProperties"], 0),
        (["required"], 0),
        (["required", "if"], 0),
    ]


def test_nested_conditions_join_one_fault() -> None:
    document = {"if": False, "else": {"if": True, "then": {"required": ["a"]}}}
    assert grouped(document, {}) == [(["required", "if", "if"], 0)]


def test_alternatives_are_one_fault_that_the_composite_leads() -> None:
    document = {"anyOf": [{"type": "string"}, {"required": ["a", "b"]}], "minProperties": 1}
    assert grouped(document, {}) == [
        (["type", "required", "required", "anyOf"], 3),
        (["minProperties"], 0),
    ]


def test_a_condition_over_alternatives_keeps_the_lead_of_the_composite() -> None:
    document = {"if": True, "then": {"oneOf": [{"type": "string"}, {"const": 1}]}}
    assert grouped(document, {}) == [(["type", "const", "oneOf", "if"], 2)]


def test_a_condition_inside_alternatives_belongs_to_them() -> None:
    document = {"anyOf": [{"if": True, "then": {"minItems": 1}}]}
    assert grouped(document, []) == [(["minItems", "if", "anyOf"], 2)]


def test_contained_items_are_one_fault() -> None:
    assert grouped({"contains": {"const": 1}}, [2, 3]) == [(["const", "const", "contains"], 2)]


def test_each_wrong_name_is_one_fault_at_its_key() -> None:
    document = {"propertyNames": {"anyOf": [{"pattern": "^a"}, {"maxLength": 1}]}}
    first, second = faults(document, {"bb": 1, "a": 2, "c/c": 3})
    assert [(one.keyword, one.pointer, one.manifest) for one in first.findings] == [
        ("pattern", "", "/bb"),
        ("maxLength", "", "/bb"),
        ("anyOf", "", "/bb"),
        ("propertyNames", "", "/bb"),
    ]
    assert first.lead == 3
    assert second.representative.manifest == "/c~1c"
    assert second.representative.actual == "c/c"


@pytest.mark.parametrize(
    ("document", "value", "pointer", "place"),
    [
        ({"additionalProperties": False}, {"a/b": 1}, "", "/a~1b"),
        ({"unevaluatedProperties": False}, {"a": 1}, "", "/a"),
        ({"properties": {"a": False}}, {"a": 1}, "/a", "/a"),
        ({"patternProperties": {"a": False}}, {"a": 1}, "/a", "/a"),
        ({"properties": {"a": {"required": ["b"]}}}, {"a": {}}, "/a", "/a"),
        ({"items": {"additionalProperties": False}}, [{"~": 1}], "/0", "/0/~0"),
        ({"items": {"type": "string"}}, ["a", 1], "/1", "/1"),
    ],
)
def test_where_findings_point(document: Any, value: Any, pointer: str, place: str) -> None:
    (fault,) = faults(document, value)
    finding = fault.representative
    assert (finding.pointer, finding.manifest) == (pointer, place)
    assert finding.identity == f"id:{pointer}"
    assert finding.rule_id == f"test:schema:1/{finding.keyword}"


@pytest.mark.parametrize(
    ("document", "value", "subject", "allowed", "actual"),
    [
        ({"enum": ["a", 1, None, [2]]}, "b", None, ("a", "1", "null", "[2]"), "b"),
        ({"const": 2.0}, True, None, ("2",), "true"),
        ({"type": "string"}, 5, "string", (), "5"),
        ({"type": "string"}, None, "string", (), "null"),
        ({"type": ["array", "null"]}, "text", "array,null", (), "string"),
        ({"type": "string"}, {}, "string", (), "object"),
        ({"pattern": "^b"}, "a", None, (), "a"),
        ({"format": "date"}, "a", "date", (), "a"),
        ({"properties": {"b": {}}, "additionalProperties": False}, {"a": 1}, "a", ("b",), "a"),
        ({"properties": {"b": {}}, "unevaluatedProperties": False}, {"a": 1}, None, ("b",), "a"),
        ({"required": ["a"]}, {}, "a", (), None),
        ({"anyOf": [{"const": "a"}, {"enum": ["b", "a"]}]}, "c", None, ("a", "b"), None),
        ({"anyOf": [{"items": {"const": 1}}, {"const": 3}]}, [2], None, ("3",), None),
        ({"propertyNames": {"enum": ["a"]}}, {"b": 1}, None, ("a",), "b"),
    ],
)
def test_what_was_allowed_and_met(
    document: Any, value: Any, subject: str | None, allowed: tuple[str, ...], actual: str | None
) -> None:
    (fault,) = faults(document, value)
    finding = fault.representative
    assert (finding.subject, finding.allowed, finding.actual) == (subject, allowed, actual)


def test_long_lists_of_allowed_values_are_cut() -> None:
    (fault,) = faults({"enum": list(range(1000))}, "a")
    assert len(fault.representative.allowed) == 50
