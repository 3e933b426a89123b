"""Which directories could hold matches: patterns followed one segment at a time.

A walker carries a `State` for each directory. It says which names in the directory may match,
and gives the state of a subdirectory, so that no full path is matched for a file that has the
wrong name, and no directory is entered that no pattern reaches. It may say yes too often, never
no too often.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

_Step = str | re.Pattern[str] | None
"""A literal segment, the regular expression of one, or None for any number of segments."""

_Places = frozenset[tuple[int, int]]


class Reach:
    """The patterns as one automaton over path segments.

    Args:
        alternatives: brace-free patterns, each a tuple of segments.
        below: the names of the directories that lead from where the automaton starts to where
            the patterns do.
    """

    def __init__(
        self, alternatives: Iterable[tuple[_Step, ...]], *, below: Iterable[str] = ()
    ) -> None:
        before = tuple(below)
        self._steps = [(*before, *segments) for segments in alternatives]
        self._states: dict[_Places, State] = {}
        self.start = self.state(
            place for index in range(len(self._steps)) for place in self.closure(index, 0)
        )

    def state(self, places: Iterable[tuple[int, int]]) -> State:
        """The state for these places, made once."""
        key = frozenset(places)
        known = self._states.get(key)
        if known is None:
            known = self._states[key] = State(self, key)
        return known

    def steps(self, alternative: int) -> tuple[_Step, ...]:
        """The steps of one alternative."""
        return self._steps[alternative]

    def closure(self, alternative: int, index: int) -> Iterable[tuple[int, int]]:
        """The place, and the one after it when it is a `**`, which may match nothing."""
        steps = self._steps[alternative]
        yield (alternative, index)
        if index < len(steps) and steps[index] is None:
            yield (alternative, index + 1)


class State:
    """Where the patterns stand in one directory.

    Attributes:
        accepts: tells whether a file of some name in the directory may match.
        alive: whether anything below may match.
    """

    __slots__ = (
        "_any_name",
        "_enter_names",
        "_enter_regexes",
        "_entered",
        "_names",
        "_reach",
        "_stay",
        "accepts",
        "alive",
    )

    def __init__(self, reach: Reach, places: _Places) -> None:
        self._reach = reach
        self._stay: set[tuple[int, int]] = set()
        self._enter_names: dict[str, set[tuple[int, int]]] = {}
        self._enter_regexes: list[tuple[re.Pattern[str], set[tuple[int, int]]]] = []
        self._entered: dict[tuple[object, ...], State] = {}
        self._names: set[str] = set()
        self._any_name = False
        ends: list[_Step] = []
        for alternative, index in places:
            ends.extend(self._add(alternative, index))
        self.accepts = _acceptor(ends)
        self.alive = bool(self._any_name or self._names)

    @property
    def literals(self) -> frozenset[str] | None:
        """The only names of interest, or None when there may be others."""
        return None if self._any_name else frozenset(self._names)

    @property
    def apart(self) -> Iterable[str] | None:
        """The names of subdirectories that differ from others, or None when patterns tell."""
        return None if self._enter_regexes else self._enter_names

    def _add(self, alternative: int, index: int) -> Iterator[_Step]:
        """Note where the step at a place leads, and give the step when it may be the last."""
        steps = self._reach.steps(alternative)
        if index == len(steps):
            return
        step = steps[index]
        if step is None:
            self._stay.add((alternative, index))
            self._any_name = True
            if index + 1 == len(steps):
                yield None
            return
        places = set(self._reach.closure(alternative, index + 1))
        # Where a pattern ends, it leads no further.
        after = {place for place in places if place[1] < len(steps)}
        if isinstance(step, str):
            self._names.add(step)
            if after:
                self._enter_names.setdefault(step, set()).update(after)
        else:
            self._any_name = True
            if after:
                self._enter_regexes.append((step, after))
        if after != places:
            yield step

    def enter(self, name: str) -> State:
        """The state of the subdirectory of this name."""
        named = self._enter_names.get(name)
        matched = [after for regex, after in self._enter_regexes if regex.fullmatch(name)]
        # Few names differ in what they match, so there are few states to come to from here.
        way = (name if named else None, *map(id, matched))
        known = self._entered.get(way)
        if known is None:
            known = self._entered[way] = self._after(self._stay.union(named or (), *matched))
        return known

    def _after(self, spots: Iterable[tuple[int, int]]) -> State:
        return self._reach.state(place for spot in spots for place in self._reach.closure(*spot))


class Scope:
    """Where several lists of patterns stand in one directory.

    The scopes of one walk that stand alike are one object.

    Attributes:
        accepts: tells whether a file of some name in the directory may match.
        alive: whether anything below may match.
        literals: the only names of interest, or None when there may be others.
    """

    __slots__ = ("_apart", "_made", "_others", "_states", "accepts", "alive", "literals")

    def __init__(self, states: tuple[State, ...], made: dict[tuple[State, ...], Scope]) -> None:
        self._states = states
        self._made = made
        self._others: Scope | None = None
        self._apart = _union(state.apart for state in states)
        self.accepts = any_of([state.accepts for state in states])
        self.alive = bool(states)
        self.literals = _union(state.literals for state in states)

    @classmethod
    def of(cls, states: Iterable[State | None]) -> Scope:
        """The scope of those states that are there, for a walk that starts with it."""
        alive = tuple(state for state in states if state is not None and state.alive)
        made: dict[tuple[State, ...], Scope] = {}
        made[alive] = cls(alive, made)
        return made[alive]

    def enter(self, name: str) -> Scope:
        """The scope in the subdirectory of this name."""
        if self._apart is None or name in self._apart:
            return self._entered(name)
        if self._others is None:
            self._others = self._entered(name)
        return self._others

    def _entered(self, name: str) -> Scope:
        entered = [state.enter(name) for state in self._states]
        states = tuple([state for state in entered if state.alive])
        known = self._made.get(states)
        if known is None:
            known = self._made[states] = Scope(states, self._made)
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


def _union(names: Iterable[Iterable[str] | None]) -> frozenset[str] | None:
    """All names, or None when one of the collections is None."""
    found: frozenset[str] = frozenset()
    for some in names:
        if some is None:
            return None
        found = found.union(some)
    return found


def _acceptor(ends: Iterable[_Step]) -> Callable[[str], object]:
    """The cheapest test of a name for these last steps; what it gives is true or false."""
    names: set[str] = set()
    regexes: list[str] = []
    for end in ends:
        if end is None:
            return _anything
        if isinstance(end, str):
            names.add(end)
        else:
            regexes.append(f"(?:{end.pattern})")
    if not regexes:
        return frozenset(names).__contains__
    return re.compile("|".join([*regexes, *map(re.escape, names)]), re.DOTALL).fullmatch


def _anything(_name: str) -> bool:
    return True
