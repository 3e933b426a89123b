"""Whether a value meets a linked schema: yes or no, and nothing else.

A linked schema becomes a tree of functions, once. They stop at the first keyword that fails, build
no failures and need no library, so that artifacts without findings cost little. The answer is the
same as that of the keywords in `assertions` and `applicators`; the tests hold them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from manni.validation.effort import MAX_STEPS, Effort
from manni.validation.evaluated import evaluated_items, evaluated_names
from manni.validation.formats import FORMATS
from manni.validation.graph import Linked
from manni.validation.values import (
    double,
    is_integer,
    is_multiple,
    key,
    repeated,
    scalar_types,
    types_of,
)

Test = Callable[[Any], bool]
_Build = Callable[["Predicates", Any, dict[str, Any]], Test]


_MAX_DEPTH = 50


def _always(_: Any) -> bool:
    return True


def _never(_: Any) -> bool:
    return False


class Predicates:
    """The tests of linked schemas, each built once.

    Args:
        draft4: whether `exclusiveMaximum` and `exclusiveMinimum` are draft 4's.
    """

    def __init__(self, *, draft4: bool = False) -> None:
        self._tests: dict[int, Test] = {}
        self._kept: list[Linked] = []
        self._depth = 0
        self.draft4 = draft4
        self.effort = Effort(MAX_STEPS)

    def holds(self, instance: Any, schema: Linked) -> bool:
        """Whether an instance meets a linked schema.

        Raises:
            EffortError: the evaluation takes too many steps; `effort` counts them.
        """
        self.effort.spend()
        return self.of(schema)(instance)

    def of(self, schema: Linked) -> Test:
        """The test of a linked schema."""
        if isinstance(schema, bool):
            return _always if schema else _never
        if id(schema) not in self._tests:
            if self._depth > _MAX_DEPTH:
                return self._late(schema)
            self._add(schema)
        return self._tests[id(schema)]

    def _late(self, schema: Linked) -> Test:
        """The test of a schema, looked up when it is run."""

        def test(instance: Any) -> bool:
            return self.of(schema)(instance)

        return test

    def _add(self, schema: dict[str, Linked]) -> None:
        self._kept.append(schema)  # its id must stay its own
        # A schema that leads back to itself finds this in its place, until the real one is built.
        self._tests[id(schema)] = self._late(schema)
        self._depth += 1
        try:
            self._tests[id(schema)] = self._build(schema)
        except RecursionError:
            del self._tests[id(schema)]
            raise
        finally:
            self._depth -= 1

    def _build(self, schema: dict[str, Linked]) -> Test:
        tests = _ByType(_type_tests(schema))
        for keyword, value in schema.items():
            if keyword in _FOR_ANY:
                test = _FOR_ANY[keyword](self, value, schema)
                tests.add(test, tests)
            elif keyword in _BY_TYPE:
                kinds, build = _BY_TYPE[keyword]
                tests.add(build(self, value, schema), kinds)

        def test_all(instance: Any) -> bool:
            for test in tests[type(instance)]:  # noqa: SIM110 - a generator would cost a frame
                if not test(instance):
                    return False
            return True

        return test_all


class _ByType(dict[type, list[Test]]):
    """The tests that a value has to pass, by its Python type."""

    def add(self, test: Test, kinds: Iterable[type]) -> None:
        """Add a test for some types, unless everything passes it or nothing gets there."""
        for kind in kinds:
            if test is not _always and self[kind] != [_never]:
                self[kind].append(test)

    def __missing__(self, kind: type) -> list[Test]:
        """The tests for a subclass of one of the known types."""
        known = next((base for base in kind.__mro__ if base in self), type(None))
        self[kind] = self[known]
        return self[kind]


def _type_tests(schema: dict[str, Any]) -> dict[type, list[Test]]:
    """What `type` asks of each Python type: nothing, a look at the value, or the impossible."""
    if "type" not in schema:
        return {kind: [] for kind in _KINDS}
    stated = set(types_of(schema))
    tests: dict[type, list[Test]] = {
        kind: [] if stated & set(names) else [_never] for kind, names in _KINDS.items()
    }
    if "integer" in stated and "number" not in stated:
        tests[float] = [is_integer]
    return tests


_KINDS: dict[type, tuple[str, ...]] = {
    dict: ("object",),
    list: ("array",),
    str: ("string",),
    int: ("integer", "number"),
    float: ("number",),
    bool: ("boolean",),
    type(None): ("null",),
}


def _const(_: Predicates, constant: Any, __: Any) -> Test:
    wanted = key(constant)
    return lambda instance: key(instance) == wanted


def _enum(_: Predicates, values: list[Any], __: Any) -> Test:
    wanted = {key(value) for value in values}
    return lambda instance: key(instance) in wanted


def _ref(build: Predicates, target: Linked, _: Any) -> Test:
    test, spend = build.of(target), build.effort.spend

    def follow(instance: Any) -> bool:
        spend()
        return test(instance)

    return follow


def _not(build: Predicates, schema: Linked, _: Any) -> Test:
    test = build.of(schema)
    return lambda instance: not test(instance)


def _all_of(build: Predicates, schemas: list[Linked], _: Any) -> Test:
    tests = [build.of(schema) for schema in schemas]
    return lambda instance: all(test(instance) for test in tests)


def _any_of(build: Predicates, schemas: list[Linked], _: Any) -> Test:
    tests = [build.of(schema) for schema in schemas]
    return lambda instance: any(test(instance) for test in tests)


def _one_of(build: Predicates, schemas: list[Linked], _: Any) -> Test:
    tests = [build.of(schema) for schema in schemas]

    def one(instance: Any) -> bool:
        held = 0
        for test in tests:
            held += test(instance)
            if held == 2:
                return False
        return held == 1

    return one


def _if(build: Predicates, condition: Linked, schema: dict[str, Linked]) -> Test:
    test = build.of(condition)
    then, otherwise = build.of(schema.get("then", True)), build.of(schema.get("else", True))
    if then is _always and otherwise is _always:
        return _always
    return lambda instance: then(instance) if test(instance) else otherwise(instance)


def _maximum(build: Predicates, limit: Any, schema: dict[str, Any]) -> Test:
    if build.draft4 and schema.get("exclusiveMaximum"):
        return lambda instance: double(instance) < double(limit)
    return lambda instance: double(instance) <= double(limit)


def _minimum(build: Predicates, limit: Any, schema: dict[str, Any]) -> Test:
    if build.draft4 and schema.get("exclusiveMinimum"):
        return lambda instance: double(instance) > double(limit)
    return lambda instance: double(instance) >= double(limit)


def _exclusive_maximum(build: Predicates, limit: Any, _: Any) -> Test:
    return _always if build.draft4 else lambda instance: double(instance) < double(limit)


def _exclusive_minimum(build: Predicates, limit: Any, _: Any) -> Test:
    return _always if build.draft4 else lambda instance: double(instance) > double(limit)


def _multiple_of(_: Predicates, divisor: float, __: Any) -> Test:
    return lambda instance: is_multiple(instance, divisor)


def _at_most(_: Predicates, limit: float, __: Any) -> Test:
    return lambda instance: len(instance) <= limit


def _at_least(_: Predicates, limit: float, __: Any) -> Test:
    return lambda instance: len(instance) >= limit


def _pattern(_: Predicates, pattern: Any, __: Any) -> Test:
    matches: Test = pattern.matches
    return matches


def _format(_: Predicates, name: str, __: Any) -> Test:
    return FORMATS.get(name, _always)


def _prefix_items(build: Predicates, schemas: list[Linked], _: Any) -> Test:
    tests = [build.of(schema) for schema in schemas]
    return lambda instance: all(test(item) for test, item in zip(tests, instance, strict=False))


def _items(build: Predicates, value: Linked, schema: dict[str, Any]) -> Test:
    if isinstance(value, list):
        return _prefix_items(build, value, schema)
    return _rest(build, value, len(schema.get("prefixItems", ())))


def _additional_items(build: Predicates, value: Linked, schema: dict[str, Any]) -> Test:
    prefix = schema.get("items")
    return _rest(build, value, len(prefix)) if isinstance(prefix, list) else _always


def _rest(build: Predicates, schema: Linked, start: int) -> Test:
    test = build.of(schema)
    if test is _always:
        return _always
    if start:
        return lambda instance: all(test(item) for item in instance[start:])
    return lambda instance: all(map(test, instance))


def _contains(build: Predicates, wanted: Linked, schema: dict[str, Any]) -> Test:
    test = build.of(wanted)
    least, most = schema.get("minContains", 1), schema.get("maxContains")

    def enough(instance: list[Any]) -> bool:
        held = 0
        for item in instance:
            held += test(item)
            if most is None and held >= least:
                return True
            if most is not None and held > most:
                return False
        return bool(held >= least)

    return enough


def _unique_items(_: Predicates, wanted: bool, schema: dict[str, Any]) -> Test:  # noqa: FBT001
    types = scalar_types(schema)
    return (lambda instance: repeated(instance, types) is None) if wanted else _always


def _unevaluated_items(build: Predicates, value: Linked, schema: dict[str, Any]) -> Test:
    test = build.of(value)

    def rest(instance: list[Any]) -> bool:
        start = evaluated_items(build.holds, instance, schema)
        return start is True or all(map(test, instance[start:]))

    return rest


def _required(_: Predicates, names: list[str], __: Any) -> Test:
    if len(names) == 1:
        only = names[0]
        return lambda instance: only in instance
    needed = frozenset(names)
    return lambda instance: instance.keys() >= needed


def _property_names(build: Predicates, schema: Linked, _: Any) -> Test:
    test = build.of(schema)
    return lambda instance: all(map(test, instance))


def _additional_properties(build: Predicates, value: Linked, schema: dict[str, Any]) -> Test:
    described = frozenset(schema.get("properties", ()))
    patterns = [pattern.matches for pattern, _ in schema.get("patternProperties", ())]
    test = build.of(value)
    if test is _always:
        return _always
    if value is False and not patterns:
        return lambda instance: instance.keys() <= described

    def extra(instance: dict[str, Any]) -> bool:
        return all(
            name in described or any(matches(name) for matches in patterns) or test(member)
            for name, member in instance.items()
        )

    return extra


def _properties(build: Predicates, schemas: dict[str, Linked], _: Any) -> Test:
    tests = {
        name: test for name, schema in schemas.items() if (test := build.of(schema)) is not _always
    }

    def described(instance: dict[str, Any]) -> bool:
        for name, member in instance.items():
            test = tests.get(name)
            if test is not None and not test(member):
                return False
        return True

    return described


def _pattern_properties(build: Predicates, schemas: list[tuple[Any, Linked]], _: Any) -> Test:
    tests = [(pattern.matches, build.of(schema)) for pattern, schema in schemas]
    return lambda instance: all(
        test(member)
        for matches, test in tests
        for name, member in instance.items()
        if test is not _always and matches(name)
    )


def _dependencies(build: Predicates, dependents: dict[str, Any], _: Any) -> Test:
    tests = [
        (name, _required(build, value, None) if isinstance(value, list) else build.of(value))
        for name, value in dependents.items()
    ]
    return lambda instance: all(test(instance) for name, test in tests if name in instance)


def _unevaluated_properties(build: Predicates, value: Linked, schema: dict[str, Any]) -> Test:
    test = build.of(value)

    def others(instance: dict[str, Any]) -> bool:
        known = evaluated_names(build.holds, instance, schema)
        return known is True or all(
            test(member) for name, member in instance.items() if known is None or name not in known
        )

    return others


_FOR_ANY: dict[str, _Build] = {
    "const": _const,
    "enum": _enum,
    "$ref": _ref,
    "$dynamicRef": _ref,
    "$recursiveRef": _ref,
    "not": _not,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "if": _if,
}
_NUMBERS = (int, float)
_BY_TYPE: dict[str, tuple[tuple[type, ...], _Build]] = {
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
    "prefixItems": ((list,), _prefix_items),
    "items": ((list,), _items),
    "additionalItems": ((list,), _additional_items),
    "contains": ((list,), _contains),
    "uniqueItems": ((list,), _unique_items),
    "unevaluatedItems": ((list,), _unevaluated_items),
    "maxProperties": ((dict,), _at_most),
    "minProperties": ((dict,), _at_least),
    "required": ((dict,), _required),
    "propertyNames": ((dict,), _property_names),
    "additionalProperties": ((dict,), _additional_properties),
    "properties": ((dict,), _properties),
    "patternProperties": ((dict,), _pattern_properties),
    "dependencies": ((dict,), _dependencies),
    "dependentRequired": ((dict,), _dependencies),
    "dependentSchemas": ((dict,), _dependencies),
    "unevaluatedProperties": ((dict,), _unevaluated_properties),
}
