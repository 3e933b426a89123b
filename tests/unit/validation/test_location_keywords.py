"""Where schemas prefer top-level keys to be stored."""

from __future__ import annotations

from typing import Any

import pytest

from manni.base.errors import SchemaError
from manni.validation import compile_schema
from schema_sources import source

PAGE = {"x-manni-location": "page"}
EXTERNAL = {"x-manni-location": "external"}


def marks(document: Any, value: Any) -> dict[str, str]:
    return dict(compile_schema(source(document)).marks(value))


MARKED = {"properties": {"a": EXTERNAL}}


@pytest.mark.parametrize(
    "document",
    [
        MARKED,
        {"$ref": "#/$defs/m", "$defs": {"m": MARKED}},
        {"allOf": [{}, MARKED]},
        {"properties": {"a": {"$ref": "#/$defs/m"}}, "$defs": {"m": EXTERNAL}},
        {"properties": {"a": {"allOf": [{"type": "integer"}, EXTERNAL]}}},
        {"properties": {"a": {"anyOf": [{"type": "string"}, EXTERNAL]}}},
        {"anyOf": [MARKED, False]},
        {"oneOf": [MARKED, {"required": ["z"]}]},
        {"if": {"required": ["a"]}, "then": MARKED},
        {"if": {"required": ["z"]}, "else": MARKED},
        {"dependentSchemas": {"a": MARKED}},
        {"patternProperties": {"^a": EXTERNAL}},
        {"additionalProperties": EXTERNAL, "properties": {"b": PAGE}, "required": ["a"]},
        {"properties": {"a": PAGE}, "allOf": [{"if": True, "then": MARKED}], "$comment": "later"},
    ],
)
def test_marks_are_found_wherever_evaluation_reaches(document: Any) -> None:
    expected = "page" if "$comment" in document else "external"
    assert marks(document, {"a": 1, "c": 2}).get("a") == expected


@pytest.mark.parametrize(
    "document",
    [
        {"anyOf": [{"required": ["z"], **MARKED}, {}]},
        {"if": {"required": ["z"]}, "then": MARKED},
        {"not": MARKED, "properties": {"b": {}}},
        {"dependentSchemas": {"z": MARKED}},
        {"properties": {"a": {"anyOf": [{"type": "string", **EXTERNAL}, {}]}}},
        {"properties": {"b": MARKED}},
        {"properties": {"b": {"properties": {"a": EXTERNAL}}}},
        {"items": MARKED},
        EXTERNAL,
    ],
)
def test_marks_elsewhere_do_not_count(document: Any) -> None:
    assert marks(document, {"a": 1, "b": {"a": 1}}) == {}


def test_only_keys_that_are_there_have_a_mark() -> None:
    document = {"properties": {"a": EXTERNAL, "b": PAGE, "c": PAGE}}
    assert marks(document, {"c": 1, "a": 1, "d": 1}) == {"a": "external", "c": "page"}


def test_values_that_are_no_mapping_have_no_marks() -> None:
    assert marks(MARKED, ["a"]) == {}


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"properties": {"a": {"x-manni-location": "Page"}}}, 'is "Page"; it can be page'),
        ({"properties": {"a": {"x-manni-location": None}}}, "is null"),
        ({"if": True, "then": {"properties": {"a": {"x-manni-location": []}}}}, r"is \[\]"),
        ({"properties": {"$schema": EXTERNAL}}, "cannot be marked external"),
        ({"properties": {"a": {"allOf": [PAGE, EXTERNAL]}}}, '"a" is marked both'),
        ({"properties": {"a": PAGE}, "allOf": [MARKED]}, '"a" is marked both'),
        ({"properties": {"a": PAGE}, "patternProperties": {"^a$": EXTERNAL}}, "both"),
    ],
)
def test_marks_that_make_no_sense_are_refused(document: Any, says: str) -> None:
    with pytest.raises(SchemaError, match=says) as refused:
        marks(document, {})
    assert refused.value.where == "test.json"


def test_marks_in_branches_may_differ() -> None:
    document = {
        "if": {"required": ["z"]},
        "then": {"properties": {"a": PAGE}},
        "else": {"properties": {"a": EXTERNAL}},
    }
    assert marks(document, {"a": 1}) == {"a": "external"}
    assert marks(document, {"a": 1, "z": 1}) == {"a": "page"}


def test_nested_values_are_not_checked() -> None:
    nested = {"properties": {"b": {"x-manni-location": "anything"}}}
    assert marks({"properties": {"a": nested}}, {"a": {"b": 1}}) == {}
