"""Whether a value meets a linked schema: yes or no, and nothing else.

A linked schema becomes lists of functions, once: for each type that a value can have, the tests
that it must pass. They stop at the first keyword that fails, build no failures and need no library,
so that artifacts without findings cost little. The answer is the same as that of the keywords in
`assertions` and `applicators`; the tests hold them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from manni.validation.effort import MAX_STEPS, Effort
from manni.validation.graph import Linked
from manni.validation.inside_tests import INSIDE
from manni.validation.typed_tests import (
    ANYTHING,
    IMPOSSIBLE,
    KINDS,
    NOTHING,
    Builder,
    ByType,
    Test,
    always,
    both,
    never,
)
from manni.validation.value_tests import ASSERTIONS, DRAFT4_ASSERTIONS, of_const, of_enum
from manni.validation.values import is_integer, types_of

_MAX_DEPTH = 50


class Predicates:
    """The tests of linked schemas, each built once.

    Args:
        draft4: whether `exclusiveMaximum` and `exclusiveMinimum` are draft 4's.
    """

    def __init__(self, *, draft4: bool = False) -> None:
        self._tests: dict[int, ByType] = {}
        self._kept: list[Linked] = []
        self._open: set[int] = set()
        self._assertions = DRAFT4_ASSERTIONS if draft4 else ASSERTIONS
        self.effort = Effort(MAX_STEPS)

    def holds(self, instance: Any, schema: Linked) -> bool:
        """Whether an instance meets a linked schema.

        Raises:
            EffortError: the evaluation takes too many steps; `effort` counts them.
        """
        self.effort.spend()
        for test in self.of(schema)[type(instance)]:  # noqa: SIM110 - a generator costs a frame
            if not test(instance):
                return False
        return True

    def of(self, schema: Linked) -> ByType:
        """The tests of a linked schema."""
        if isinstance(schema, bool):
            return ANYTHING if schema else NOTHING
        tests = self._tests.get(id(schema))
        if tests is None:
            # What leads back to a schema must not look into its tests before all are there.
            is_late = id(schema) in self._open or len(self._open) > _MAX_DEPTH
            tests = self._late(schema) if is_late else self._add(schema)
        return tests

    def _late(self, schema: Linked) -> ByType:
        """The tests of a schema, looked up when they are run."""

        def test(instance: Any) -> bool:
            return all(test(instance) for test in self.of(schema)[type(instance)])

        return ByType({kind: [test] for kind in KINDS})

    def _add(self, schema: dict[str, Linked]) -> ByType:
        self._kept.append(schema)  # its id must stay its own
        tests = _type_tests(schema)
        self._open.add(id(schema))
        try:
            self._fill(tests, schema)
        finally:
            self._open.remove(id(schema))
        self._tests[id(schema)] = tests
        return tests

    def _fill(self, tests: ByType, schema: dict[str, Linked]) -> None:
        for keyword, value in schema.items():
            if keyword in _IN_PLACE:
                build = _IN_PLACE[keyword]
                for kind in KINDS:
                    tests.add(kind, build(self, value, schema, kind))
            elif keyword in INSIDE:
                kind, inside = INSIDE[keyword]
                tests.add(kind, (inside(self, value, schema),))
            elif keyword in self._assertions:
                kinds, assertion = self._assertions[keyword]
                test = assertion(value, schema)
                for kind in kinds:
                    tests.add(kind, (test,))


def _type_tests(schema: dict[str, Any]) -> ByType:
    """What `type` asks of each Python type: nothing, a look at the value, or the impossible."""
    if "type" not in schema:
        return ByType({kind: [] for kind in KINDS})
    stated = set(types_of(schema))
    tests = ByType({kind: [] if stated & set(names) else [never] for kind, names in KINDS.items()})
    if "integer" in stated and "number" not in stated:
        tests[float] = [is_integer]
    return tests


# Keywords that apply schemas to the instance itself: the tests they come to for one type.

_InPlace = Callable[[Builder, Any, dict[str, Any], type], Iterable[Test]]


def _const(_: Builder, constant: Any, __: Any, kind: type) -> Iterable[Test]:
    return (of_const(constant, kind),)


def _enum(_: Builder, values: list[Any], __: Any, kind: type) -> Iterable[Test]:
    return (of_enum(values, kind),)


def _ref(build: Builder, target: Linked, _: Any, __: type) -> Iterable[Test]:
    tests, spend = build.of(target), build.effort.spend

    def follow(instance: Any) -> bool:
        spend()
        for test in tests[type(instance)]:  # noqa: SIM110 - a generator would cost a frame
            if not test(instance):
                return False
        return True

    return (follow,)


def _not(build: Builder, schema: Linked, _: Any, kind: type) -> Iterable[Test]:
    tests = build.of(schema)[kind]
    if not tests or tests == IMPOSSIBLE:
        return () if tests else (never,)
    test = both(tests)
    return (lambda instance: not test(instance),)


def _all_of(build: Builder, schemas: list[Linked], _: Any, kind: type) -> Iterable[Test]:
    return [test for schema in schemas for test in build.of(schema)[kind]]


def _branches(build: Builder, schemas: list[Linked], kind: type) -> list[list[Test]]:
    """The tests of each schema that a value of this type can meet."""
    every = (build.of(schema)[kind] for schema in schemas)
    return [tests for tests in every if tests != IMPOSSIBLE]


def _any_of(build: Builder, schemas: list[Linked], _: Any, kind: type) -> Iterable[Test]:
    branches = _branches(build, schemas, kind)
    if len(branches) < 2:
        return branches[0] if branches else (never,)
    tests = [both(branch) for branch in branches]
    if len(tests) == 2:
        first, second = tests
        return (lambda instance: first(instance) or second(instance),)

    def some(instance: Any) -> bool:
        for test in tests:  # noqa: SIM110 - a generator would cost a frame
            if test(instance):
                return True
        return False

    return (some,)


def _one_of(build: Builder, schemas: list[Linked], _: Any, kind: type) -> Iterable[Test]:
    branches = _branches(build, schemas, kind)
    if len(branches) < 2:
        return branches[0] if branches else (never,)
    tests = [both(branch) for branch in branches]

    def one(instance: Any) -> bool:
        held = 0
        for test in tests:
            held += test(instance)
            if held == 2:
                return False
        return held == 1

    return (one,)


def _if(build: Builder, condition: Linked, schema: dict[str, Linked], kind: type) -> Iterable[Test]:
    positive, negative = schema.get("then", True), schema.get("else", True)
    if positive is True and negative is True:
        return ()
    tests = build.of(condition)[kind]
    if not tests:
        return build.of(positive)[kind]
    if tests == IMPOSSIBLE:
        return build.of(negative)[kind]
    test = both(tests)
    then, otherwise = both(build.of(positive)[kind]), both(build.of(negative)[kind])
    if otherwise is always:
        return (lambda instance: not test(instance) or then(instance),)
    return (lambda instance: then(instance) if test(instance) else otherwise(instance),)


_IN_PLACE: dict[str, _InPlace] = {
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
