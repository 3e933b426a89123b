"""Tests of the keywords that look at a value and apply no schemas to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from manni.validation.formats import FORMATS
from manni.validation.typed_tests import Test, always, never
from manni.validation.values import double, is_multiple, key, repeated, scalar_types

Assertion = Callable[[Any, dict[str, Any]], Test]
"""From the value of a keyword and its schema to a test."""


def of_const(constant: Any, kind: type) -> Test:
    """The test of `const` for values of one type."""
    return of_enum([constant], kind)


def of_enum(values: list[Any], kind: type) -> Test:
    """The test of `enum` for values of one type."""
    keys = frozenset(map(key, values))
    strings = frozenset(value for value in keys if isinstance(value, str))
    # A string is its own key, and no other value's.
    if kind is str:
        return strings.__contains__ if strings else never
    others = keys - strings
    return (lambda instance: key(instance) in others) if others else never


def required(names: list[str]) -> Test:
    """The test of `required`."""
    if len(names) == 1:
        only = names[0]
        return lambda instance: only in instance
    needed = frozenset(names)
    return lambda instance: instance.keys() >= needed


def _required(names: list[str], _: Any) -> Test:
    return required(names)


def _maximum(limit: Any, _: Any) -> Test:
    most = double(limit)
    return lambda instance: double(instance) <= most


def _minimum(limit: Any, _: Any) -> Test:
    least = double(limit)
    return lambda instance: double(instance) >= least


def _maximum_draft4(limit: Any, schema: dict[str, Any]) -> Test:
    return (_exclusive_maximum if schema.get("exclusiveMaximum") else _maximum)(limit, schema)


def _minimum_draft4(limit: Any, schema: dict[str, Any]) -> Test:
    return (_exclusive_minimum if schema.get("exclusiveMinimum") else _minimum)(limit, schema)


def _exclusive_maximum(limit: Any, _: Any) -> Test:
    bound = double(limit)
    return lambda instance: double(instance) < bound


def _exclusive_minimum(limit: Any, _: Any) -> Test:
    bound = double(limit)
    return lambda instance: double(instance) > bound


def _multiple_of(divisor: float, _: Any) -> Test:
    return lambda instance: is_multiple(instance, divisor)


def _at_most(limit: float, _: Any) -> Test:
    return lambda instance: len(instance) <= limit


def _at_least(limit: float, _: Any) -> Test:
    return lambda instance: len(instance) >= limit


def _pattern(pattern: Any, _: Any) -> Test:
    matches: Test = pattern.matches
    return matches


def _format(name: str, _: Any) -> Test:
    return FORMATS.get(name, always)


def _unique_items(wanted: Any, schema: dict[str, Any]) -> Test:
    if not wanted:
        return always
    types = scalar_types(schema)
    compares_strings = not types or "string" in types

    def unique(instance: list[Any]) -> bool:
        if compares_strings and _STRING.issuperset(map(type, instance)):
            return len(set(instance)) == len(instance)
        return repeated(instance, types) is None

    return unique


_STRING = frozenset((str,))
_NUMBERS = (int, float)

ASSERTIONS: dict[str, tuple[tuple[type, ...], Assertion]] = {
    "maximum": (_NUMBERS, _maximum),
    "minimum": (_NUMBERS, _minimum),
    "exclusiveMaximum": (_NUMBERS, _exclusive_maximum),
    "exclusiveMinimum": (_NUMBERS, _exclusive_minimum),
    "multipleOf": (_NUMBERS, _multiple_of),
    "maxLength": ((str,), _at_most),
    "minLength": ((str,), _at_least),
    "pattern": ((str,), _pattern),
    "format": ((str,), _format),
    "maxItems": ((list,), _at_most),
    "minItems": ((list,), _at_least),
    "uniqueItems": ((list,), _unique_items),
    "maxProperties": ((dict,), _at_most),
    "minProperties": ((dict,), _at_least),
    "required": ((dict,), _required),
}
"""The types that each keyword looks at, and its test."""

DRAFT4_ASSERTIONS = {
    # There, `exclusiveMaximum` and `exclusiveMinimum` only say how the other two are meant.
    **{name: each for name, each in ASSERTIONS.items() if not name.startswith("exclusive")},
    "maximum": (_NUMBERS, _maximum_draft4),
    "minimum": (_NUMBERS, _minimum_draft4),
}
