"""Which directories could hold matches: patterns followed one segment at a time.

A walker carries a `Scope` for each directory. It says which names in the directory may match, and
gives the scope of a subdirectory, so that no full path is matched for a file that has the wrong
name, and no directory is entered that no pattern reaches. It may say yes too often, never no too
often.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

Step = str | re.Pattern[str] | None
"""A literal segment, the regular expression of one, or None for any number of segments."""

Steps = tuple[Step, ...]
"""What is left of a brace-free pattern in some directory; never empty, no None beside another."""


def advance(patterns: Iterable[Steps], name: str) -> Iterator[Steps]:
    """What is left of patterns in the subdirectory of this name."""
    for steps in patterns:
        first, rest = steps[0], steps[1:]
        if first is None:
            yield steps
            if rest:
                yield from advance([rest], name)
        # Where a pattern ends, it leads no further.
        elif rest and (first == name if isinstance(first, str) else first.fullmatch(name)):
            yield rest


_Standing = frozenset[tuple[int, Steps]]
"""What is left of some patterns, each with its number: two that have become alike stay two."""


class Scope:
    """Where the patterns of a walk stand in one directory.

    The scopes of one walk that stand alike are one object.

    Attributes:
        accepts: tells whether a file of some name in the directory may match.
        alive: whether anything in the directory or below may match.
        literals: the only names of interest, or None when there may be others.
    """

    __slots__ = (
        "_apart",
        "_entered",
        "_made",
        "_others",
        "_patterns",
        "accepts",
        "alive",
        "literals",
    )

    def __init__(self, patterns: _Standing, made: dict[_Standing, Scope]) -> None:
        self._patterns = patterns
        self._made = made
        self._entered: dict[str, Scope] = {}
        self._others: Scope | None = None
        heads = [head for _, steps in patterns for head in _heads(steps)]
        # A final `**` may match nothing.
        self.accepts = _acceptor([step for step, rest in heads if rest in {(), (None,)}])
        self.alive = bool(patterns)
        self.literals = _names(step for step, _ in heads)
        # The subdirectories that differ from others, or None when regular expressions tell.
        self._apart = _names(step for step, rest in heads if step is not None and rest)

    @classmethod
    def of(cls, patterns: Iterable[Steps]) -> Scope:
        """The scope of these patterns, for a walk that starts with it."""
        start = frozenset(enumerate(patterns))
        made: dict[_Standing, Scope] = {}
        made[start] = cls(start, made)
        return made[start]

    def enter(self, name: str) -> Scope:
        """The scope in the subdirectory of this name."""
        if self._apart is None:
            return self._after(name)
        if name in self._apart:
            if name not in self._entered:
                self._entered[name] = self._after(name)
            return self._entered[name]
        if self._others is None:
            self._others = self._after(name)
        return self._others

    def reaches(self, path: str) -> bool:
        """Whether a path below the directory may match; sure but where `**` follows a star."""
        scope = self
        *parents, name = path.split("/")
        for parent in parents:
            scope = scope.enter(parent)
        return bool(scope.accepts(name))

    def _after(self, name: str) -> Scope:
        patterns = frozenset(
            (number, rest) for number, steps in self._patterns for rest in advance([steps], name)
        )
        known = self._made.get(patterns)
        if known is None:
            known = self._made[patterns] = Scope(patterns, self._made)
        return known


def any_of(tests: Sequence[Callable[[str], object]]) -> Callable[[str], object]:
    """One test for whether a text passes one of these."""
    if len(tests) == 1:
        return tests[0]

    def test(name: str) -> bool:
        for test in tests:  # noqa: SIM110 - a generator costs more than most of the tests
            if test(name):
                return True
        return False

    return test


def _heads(steps: Steps) -> Iterator[tuple[Step, Steps]]:
    """The steps that may come next, each with what comes after it."""
    yield (steps[0], steps[1:])
    if steps[0] is None and len(steps) > 1:
        yield (steps[1], steps[2:])


def _names(steps: Iterable[Step]) -> frozenset[str] | None:
    """The names, or None when one of the steps is none."""
    found: set[str] = set()
    for step in steps:
        if not isinstance(step, str):
            return None
        found.add(step)
    return frozenset(found)


def _acceptor(ends: Sequence[Step]) -> Callable[[str], object]:
    """The cheapest test of a name for these last steps; what it gives is true or false."""
    if None in ends:
        return _anything
    regexes = [f"(?:{end.pattern})" for end in ends if isinstance(end, re.Pattern)]
    names = [end for end in ends if isinstance(end, str)]
    if not regexes:
        return frozenset(names).__contains__
    return re.compile("|".join([*regexes, *map(re.escape, names)]), re.DOTALL).fullmatch


def _anything(_name: str) -> bool:
    return True
