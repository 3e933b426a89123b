"""Tests of the keywords that apply schemas to what is inside of a list or mapping.

They run for most values of most artifacts, so their loops stand in them where they are hottest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from manni.validation.evaluated import evaluated_items, evaluated_names
from manni.validation.graph import Linked
from manni.validation.typed_tests import Builder, ByType, Test, always, both
from manni.validation.value_tests import required

Inside = Callable[[Builder, Any, dict[str, Any]], Test]
"""From the value of a keyword and its schema to a test."""


def _prefix_items(build: Builder, schemas: list[Linked], _: Any) -> Test:
    prefix = [build.of(schema) for schema in schemas]

    def first(instance: list[Any]) -> bool:
        for tests, item in zip(prefix, instance, strict=False):
            for test in tests[type(item)]:
                if not test(item):
                    return False
        return True

    return first


def _items(build: Builder, value: Linked, schema: dict[str, Any]) -> Test:
    if isinstance(value, list):
        return _prefix_items(build, value, schema)
    return _rest(build, value, len(schema.get("prefixItems", ())))


def _additional_items(build: Builder, value: Linked, schema: dict[str, Any]) -> Test:
    prefix = schema.get("items")
    return _rest(build, value, len(prefix)) if isinstance(prefix, list) else always


def _rest(build: Builder, schema: Linked, start: int) -> Test:
    tests = build.of(schema)
    if tests.is_empty:
        return always

    def rest(instance: list[Any]) -> bool:
        return _each(tests, instance[start:] if start else instance)

    return rest


def _each(tests: ByType, members: Iterable[Any]) -> bool:
    """Whether each of these values passes."""
    for member in members:
        for test in tests[type(member)]:
            if not test(member):
                return False
    return True


def _contains(build: Builder, wanted: Linked, schema: dict[str, Any]) -> Test:
    tests = build.of(wanted)
    least, most = schema.get("minContains", 1), schema.get("maxContains")

    def enough(instance: list[Any]) -> bool:
        held = 0
        for item in instance:
            held += _each(tests, (item,))
            if most is None and held >= least:
                return True
            if most is not None and held > most:
                return False
        return bool(held >= least)

    return enough


def _unevaluated_items(build: Builder, value: Linked, schema: dict[str, Any]) -> Test:
    tests = build.of(value)

    def rest(instance: list[Any]) -> bool:
        start = evaluated_items(build.holds, instance, schema)
        return start is True or _each(tests, instance[start:])

    return rest


def _property_names(build: Builder, schema: Linked, _: Any) -> Test:
    test = both(build.of(schema)[str])
    return always if test is always else lambda instance: all(map(test, instance))


def _additional_properties(build: Builder, value: Linked, schema: dict[str, Any]) -> Test:
    described = frozenset(schema.get("properties", ()))
    patterns = [pattern.matches for pattern, _ in schema.get("patternProperties", ())]
    tests = build.of(value)
    if tests.is_empty:
        return always
    if value is False and not patterns:
        return lambda instance: instance.keys() <= described

    def extra(instance: dict[str, Any]) -> bool:
        for name, member in instance.items():
            if name in described or any(matches(name) for matches in patterns):
                continue
            for test in tests[type(member)]:
                if not test(member):
                    return False
        return True

    return extra


def _properties(build: Builder, schemas: dict[str, Linked], _: Any) -> Test:
    built = {name: build.of(schema) for name, schema in schemas.items()}
    kept = {name: tests for name, tests in built.items() if not tests.is_empty}
    if not kept:
        return always
    of = kept.get

    def described(instance: dict[str, Any]) -> bool:
        for name, member in instance.items():
            tests = of(name)
            if tests is not None:
                for test in tests[type(member)]:
                    if not test(member):
                        return False
        return True

    return described


def _pattern_properties(build: Builder, schemas: list[tuple[Any, Linked]], _: Any) -> Test:
    built = [(pattern.matches, build.of(schema)) for pattern, schema in schemas]
    patterns = [(matches, tests) for matches, tests in built if not tests.is_empty]

    def matching(instance: dict[str, Any]) -> bool:
        for matches, tests in patterns:
            for name, member in instance.items():
                if matches(name):
                    for test in tests[type(member)]:
                        if not test(member):
                            return False
        return True

    return matching if patterns else always


def _dependencies(build: Builder, dependents: dict[str, Any], _: Any) -> Test:
    tests = [
        (name, required(value) if isinstance(value, list) else both(build.of(value)[dict]))
        for name, value in dependents.items()
    ]

    def met(instance: dict[str, Any]) -> bool:
        for name, test in tests:  # noqa: SIM110 - a generator would cost a frame
            if name in instance and not test(instance):
                return False
        return True

    return met


def _unevaluated_properties(build: Builder, value: Linked, schema: dict[str, Any]) -> Test:
    tests = build.of(value)

    def others(instance: dict[str, Any]) -> bool:
        known = evaluated_names(build.holds, instance, schema)
        if known is True:
            return True
        unknown = (
            member for name, member in instance.items() if known is None or name not in known
        )
        return _each(tests, unknown)

    return others


INSIDE: dict[str, tuple[type, Inside]] = {
    "prefixItems": (list, _prefix_items),
    "items": (list, _items),
    "additionalItems": (list, _additional_items),
    "contains": (list, _contains),
    "unevaluatedItems": (list, _unevaluated_items),
    "propertyNames": (dict, _property_names),
    "additionalProperties": (dict, _additional_properties),
    "properties": (dict, _properties),
    "patternProperties": (dict, _pattern_properties),
    "dependencies": (dict, _dependencies),
    "dependentRequired": (dict, _dependencies),
    "dependentSchemas": (dict, _dependencies),
    "unevaluatedProperties": (dict, _unevaluated_properties),
}
"""The type that each keyword looks into, and its test."""
