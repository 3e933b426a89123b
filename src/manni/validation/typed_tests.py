"""What a value has to pass, as functions: for each type that it can have, a list of tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from manni.validation.effort import Effort
from manni.validation.graph import Linked

Test = Callable[[Any], bool]


def always(_: Any) -> bool:
    """The test that every value passes."""
    return True


def never(_: Any) -> bool:
    """The test that no value passes."""
    return False


def both(tests: list[Test]) -> Test:
    """One test for all of these."""
    if len(tests) < 2:
        return tests[0] if tests else always
    if len(tests) == 2:
        first, second = tests
        return lambda instance: first(instance) and second(instance)

    def every(instance: Any) -> bool:
        for test in tests:  # noqa: SIM110 - a generator would cost a frame
            if not test(instance):
                return False
        return True

    return every


class ByType(dict[type, list[Test]]):
    """The tests that a value has to pass, by its Python type."""

    def add(self, kind: type, tests: Iterable[Test]) -> None:
        """Add tests for a type, but for those that all values pass, or that none gets to."""
        if self[kind] != IMPOSSIBLE:
            self[kind] += (test for test in tests if test is not always)

    def __missing__(self, kind: type) -> list[Test]:
        """The tests for a subclass of one of the known types."""
        known = next((base for base in kind.__mro__ if base in self), type(None))
        self[kind] = self[known]
        return self[kind]

    @property
    def is_empty(self) -> bool:
        """Whether everything passes."""
        return not any(self.values())


KINDS: dict[type, tuple[str, ...]] = {
    dict: ("object",),
    list: ("array",),
    str: ("string",),
    int: ("integer", "number"),
    float: ("number",),
    bool: ("boolean",),
    type(None): ("null",),
}
"""The Python types of JSON values, with the names that schemas have for them."""

IMPOSSIBLE = [never]
"""The tests of a type that no value can have."""

ANYTHING = ByType({kind: [] for kind in KINDS})
NOTHING = ByType({kind: [never] for kind in KINDS})


class Builder(Protocol):
    """What the tests of one schema need, to be built from those of others."""

    effort: Effort

    def of(self, schema: Linked) -> ByType:
        """The tests of a linked schema."""
        ...

    def holds(self, instance: Any, schema: Linked) -> bool:
        """Whether an instance meets a linked schema."""
        ...
