"""What kind of value each keyword takes, so that running a schema cannot meet another kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from manni.validation.dialects import Dialect
from manni.validation.values import TYPES, double, is_integer, is_number

_Check = Callable[[Any], bool]


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_count(value: Any) -> bool:
    return is_integer(value) and value >= 0


def _is_schema(value: Any) -> bool:
    return isinstance(value, (dict, bool))


def _is_schemas(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _is_type(value: Any) -> bool:
    names = value if isinstance(value, list) and value else [value]
    return all(isinstance(name, str) and name in TYPES for name in names)


def _is_boolean(value: Any) -> bool:
    return isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _is_mapping_of_names(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_names(names) for names in value.values())


SINGLE = (
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "additionalProperties",
    "additionalItems",
    "unevaluatedProperties",
    "unevaluatedItems",
)
"""The keywords whose value is always one schema."""

_Shape = tuple[_Check, str]

_NUMBER: _Shape = (is_number, "a number")
_COUNT = (_is_count, "a whole number, 0 or more")
_SCHEMA = (_is_schema, "a schema")
_SCHEMAS = (_is_schemas, "a list of one or more schemas")
_NAMED = (_is_mapping, "an object of schemas")
_FLAG: _Shape = (_is_boolean, "true or false")
_TEXT = (_is_text, "a string")

_SHAPES: dict[str, _Shape] = {
    "type": (_is_type, f"one of {', '.join(TYPES)}, or a list of them"),
    "enum": (lambda value: isinstance(value, list) and bool(value), "a list of one or more values"),
    "multipleOf": (lambda value: is_number(value) and double(value) > 0, "a number above 0"),
    "required": (_is_names, "a list of names"),
    "dependentRequired": (_is_mapping_of_names, "an object of lists of names"),
    "dependencies": (
        lambda value: (
            isinstance(value, dict)
            and all(_is_names(one) or _is_schema(one) for one in value.values())
        ),
        "an object of schemas and of lists of names",
    ),
    **dict.fromkeys(("maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"), _NUMBER),
    **dict.fromkeys(
        [
            "maxLength",
            "minLength",
            "maxItems",
            "minItems",
            "maxProperties",
            "minProperties",
            "maxContains",
            "minContains",
        ],
        _COUNT,
    ),
    **dict.fromkeys((*SINGLE, "items"), _SCHEMA),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), _SCHEMAS),
    **dict.fromkeys(("properties", "patternProperties", "dependentSchemas"), _NAMED),
    **dict.fromkeys(("uniqueItems", "$recursiveAnchor", "nullable"), _FLAG),
    **dict.fromkeys(
        ("$ref", "$dynamicRef", "$recursiveRef", "$dynamicAnchor", "pattern", "format"), _TEXT
    ),
}


def fault_of(keyword: str, value: Any, dialect: Dialect) -> str | None:
    """What is wrong with a keyword's value, in words, or None when it can be run."""
    if keyword == "items" and isinstance(value, list) and dialect.has_tuples:
        return None
    shape = _SHAPES.get(keyword)
    if keyword in {"exclusiveMaximum", "exclusiveMinimum"} and dialect.is_draft4:
        shape = _FLAG
    if shape is None:
        return None
    check, wanted = shape
    return None if check(value) else f"the value of {keyword} must be {wanted}"
