"""Generated schemas: recorded answers of ajv 8, and two ways to the same answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from manni.base.errors import SchemaError
from manni.validation import Validator, compile_schema
from manni.validation.clock import CLOCK
from manni.validation.explain import Explanation
from schema_sources import Locator, source

CASES: list[Any] = json.loads(
    (Path(__file__).parents[2] / "data" / "generated.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: ",".join(case["schema"])[:60])
def test_findings_are_those_of_ajv(case: Any) -> None:
    validator = compile_schema(source(case["schema"]))
    for one in case["values"]:
        faults = validator.faults(one["value"], Locator())
        findings = [finding for fault in faults for finding in fault.findings]
        assert [[f.pointer, f.keyword, f.message] for f in findings] == one["findings"]


NAMES = st.sampled_from(["a", "b", "1", "x-y"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, 1.0, 2, 1.5, -1, 1e21]),
    st.sampled_from(["", "a", "ab", "1", "2024-01-01", "é\n"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=8,
)
TYPES = st.sampled_from(["string", "number", "integer", "boolean", "null", "object", "array"])
PATTERNS = st.sampled_from(["^a", "^[a-z]+$", r"^\d", "b$"])
COUNTS = st.integers(0, 3)
ASSERTIONS: dict[str, st.SearchStrategy[Any]] = {
    "type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=3, unique=True)),
    "const": VALUES,
    "enum": st.lists(VALUES, min_size=1, max_size=3),
    "required": st.lists(NAMES, max_size=2, unique=True),
    "pattern": PATTERNS,
    "format": st.sampled_from(["date", "email", "other"]),
    "uniqueItems": st.booleans(),
    "multipleOf": st.sampled_from([1, 0.5, 2]),
    "maximum": COUNTS,
    "minimum": COUNTS,
    "exclusiveMaximum": COUNTS,
    "exclusiveMinimum": COUNTS,
    "maxLength": COUNTS,
    "minLength": COUNTS,
    "maxItems": COUNTS,
    "minItems": COUNTS,
    "maxContains": COUNTS,
    "minContains": COUNTS,
    "maxProperties": COUNTS,
    "minProperties": COUNTS,
    "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, unique=True), max_size=2),
    "$ref": st.sampled_from(["#/$defs/p", "#/$defs/q"]),
}
ONE = (
    "not",
    "if",
    "then",
    "else",
    "items",
    "contains",
    "propertyNames",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
)


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        **ASSERTIONS,
        **dict.fromkeys(ONE, inner),
        **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), several),
        **dict.fromkeys(
            ("properties", "dependentSchemas"), st.dictionaries(NAMES, inner, max_size=3)
        ),
        "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
        "dependencies": st.dictionaries(NAMES, inner, max_size=2),
    }
    return st.sets(st.sampled_from(sorted(keywords)), max_size=5).flatmap(
        lambda names: st.fixed_dictionaries({name: keywords[name] for name in names})
    )


SCHEMAS = st.recursive(st.booleans(), _objects, max_leaves=10)


@given(SCHEMAS, st.lists(VALUES, min_size=1, max_size=5))
@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_value_is_valid_exactly_when_nothing_explains_why_not(
    schema: Any, values: list[Any]
) -> None:
    document = {"allOf": [schema], "$defs": {"p": {"type": "string"}, "q": {"required": ["a"]}}}
    validator = compile_schema(source(document))
    explanation = _explanation(validator)
    for value in values:
        faults = explanation.faults(value, Locator())
        assert validator.is_valid(value) is not bool(faults)
        assert all(fault.findings for fault in faults)


LEADING_BACK = [
    "#/$defs/p",
    "#/$defs/q",
    "#/$defs/p/items",
    "#/$defs/p/properties/a",
    "#/$defs/q/allOf/0",
    "#/$defs/q/not",
    "#/$defs/q/anyOf/1",
]


@st.composite
def _recursive(draw: st.DrawFn) -> Any:
    """A schema whose definitions refer to each other, and to parts of each other."""
    reference = st.sampled_from(LEADING_BACK).map(lambda target: {"$ref": target})
    inner = st.one_of(reference, st.just({"required": ["a"]}), st.just({"minItems": 1}), SCHEMAS)
    p = {"items": draw(inner), "properties": {"a": draw(inner)}, "required": ["a"]}
    q = {
        "allOf": [draw(inner), draw(inner)],
        "not": draw(inner),
        "anyOf": [draw(inner), draw(inner)],
    }
    kept = {name: part for name, part in q.items() if draw(st.booleans())}
    return {
        "properties": {"a": draw(reference)},
        "items": draw(reference),
        "$defs": {"p": p, "q": kept},
    }


NESTED = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(NAMES, inner, max_size=2)),
    max_leaves=6,
)


@given(_recursive(), st.lists(NESTED, min_size=1, max_size=6))
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_leads_back_to_itself_is_judged_alike(document: Any, values: list[Any]) -> None:
    try:
        validator = compile_schema(source(document))
    except SchemaError:
        reject()  # a reference that leads nowhere, or round in a circle
    explanation = _explanation(validator)
    for value in values:
        explained = bool(explanation.faults(value, Locator()))
        assert validator.is_valid(value) is not explained


@pytest.mark.parametrize("reference", ["#/$defs/p/allOf/0", "#/$defs/p/items"])
def test_a_reference_into_a_schema_that_leads_back(reference: str) -> None:
    inner = {"items": {"$ref": "#/$defs/p"}, "required": ["r"]}
    document = {
        "properties": {"v": {"$ref": reference}},
        "$defs": {"p": {"allOf": [inner], "items": inner}},
    }
    validator = compile_schema(source(document))
    assert not validator.is_valid({"v": [{}]})
    assert not validator.is_valid({"v": [[{}]]})
    assert validator.is_valid({"v": [[{"r": 1}]]})


def _explanation(validator: Validator) -> Explanation:
    CLOCK.start()
    return validator._explanation
