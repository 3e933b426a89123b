"""Fixes made pass after pass until nothing changes, each pass checked before it counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from manni.fixes.edits import apply
from manni.model.findings import PARSE_SCHEMA, Finding, Fix, Severity

MAX_PASSES = 10
"""How often the fixes of all findings are made; what a fix uncovers is the next pass's."""

MAX_READINGS = 100
"""How many faults are mended, besides, that each hid what stands behind it."""

MAX_CHECKS = 400
"""How often one file is checked, so that fixes which do harm cannot take forever to tell apart."""

Check = Callable[[bytes], Iterable[Finding]]
"""Finds what is wrong with a file of these bytes; the findings carry their fixes."""

UNREAD = frozenset({"manni/malformed-fence", "manni/misplaced-front-matter", "manni/parse-error"})
"""Rules whose findings mean that nothing else of the front matter was looked at."""


@dataclass(frozen=True, slots=True)
class Mended:
    """What is left of a file's findings, and what became of the others.

    Attributes:
        data: the bytes of the file, with the fixes made.
        fixed: the findings whose fix was made, in the order made.
        findings: what a check of `data` finds.
        refused: those of `findings` whose fix was taken back, since it makes things worse.
        done: False where the limits ended it, so that another run may mend more.
    """

    data: bytes
    fixed: tuple[Finding, ...]
    findings: tuple[Finding, ...]
    refused: tuple[Finding, ...] = ()
    done: bool = True


def mend(data: bytes, check: Check, *, unsafe: bool = False) -> Mended:
    """Make the fixes of a file's findings until there is none left to make.

    A fix counts only when the file has no more errors with it than without. To mend what made the
    front matter unreadable always counts, though it shows errors that were there unseen; a fix
    that makes it unreadable never does, and one that leaves it unreadable is taken back in the end.
    What has no fix that counts is left, so that mending the result again changes nothing.

    Args:
        data: the bytes of the file.
        check: what finds the findings.
        unsafe: whether to make the guesses among the fixes too.
    """
    return _Mender(check, unsafe=unsafe).mend(data)


_Score = tuple[bool, int]
"""Whether the front matter is unread, and the number of errors; the smaller the better."""


@dataclass(slots=True)
class _State:
    """A file as it was checked."""

    data: bytes
    findings: tuple[Finding, ...]
    unread: bool
    errors: int

    @property
    def score(self) -> _Score:
        """How bad it is."""
        return self.unread, self.errors


@dataclass(slots=True)
class _Pass:
    """One pass over a state: what counts so far, and what does not."""

    start: _State
    state: _State
    kept: list[Finding] = field(default_factory=list)
    refused: list[Finding] = field(default_factory=list)


class _Mender:
    def __init__(self, check: Check, *, unsafe: bool) -> None:
        self._check = check
        self._unsafe = unsafe
        self._checks = 0

    def mend(self, data: bytes) -> Mended:
        """See the function of this name."""
        state = firm = self._checked(data)
        fixed: list[Finding] = []
        sure = passes = readings = 0
        complete = False
        seen: dict[bytes, int] = {}
        while passes < MAX_PASSES and readings < MAX_READINGS:
            if state.data in seen:
                # Fixes that undo each other end where they came from, and so does every later run.
                return Mended(state.data, tuple(fixed[: seen[state.data]]), state.findings)
            seen[state.data] = len(fixed)
            done = self._pass(state)
            if not done.kept:
                complete = self._checks < MAX_CHECKS
                break
            readings, passes = readings + state.unread, passes + (not state.unread)
            fixed += done.kept
            state = done.state
            if not (state.unread and any(finding.schema == PARSE_SCHEMA for finding in done.kept)):
                firm, sure = state, len(fixed)
        if firm is state:
            return Mended(state.data, tuple(fixed), state.findings, tuple(done.refused), complete)
        refused = tuple(filter(self._is_usable, firm.findings))
        return Mended(firm.data, tuple(fixed[:sure]), firm.findings, refused, complete)

    def _checked(self, data: bytes) -> _State:
        self._checks += 1
        findings = tuple(self._check(data))
        unread = any(finding.rule_id in UNREAD for finding in findings)
        return _State(data, findings, unread, _errors(findings))

    def _pass(self, state: _State) -> _Pass:
        """All fixes of a state that do no harm together."""
        usable = [finding for finding in state.findings if self._is_usable(finding)]
        made = set(apply(state.data, map(_fix, usable)).fixes)
        done = _Pass(state, state)
        first: dict[Fix, Finding] = {}
        for finding in usable:
            if _fix(finding) in made:
                first.setdefault(_fix(finding), finding)
        if first:
            self._try(done, list(first.values()))
        return done

    def _is_usable(self, finding: Finding) -> bool:
        fix = finding.fix
        return fix is not None and finding.manifest is None and (fix.safe or self._unsafe)

    def _try(self, done: _Pass, more: list[Finding]) -> None:
        """Keep those of some fixes that do no harm beside the ones kept already."""
        if self._checks >= MAX_CHECKS:
            done.refused += more
            return
        applied = apply(done.start.data, map(_fix, (*done.kept, *more)))
        after = self._checked(applied.data)
        before = done.state
        # Where all goes well, each error that has a fix is gone.
        if after.score <= (before.unread, before.errors - _errors(more)):
            done.state, done.kept = after, [*done.kept, *more]
        elif len(more) > 1:
            half = len(more) // 2
            self._try(done, more[:half])
            self._try(done, more[half:])
        elif after.score <= before.score:
            done.state, done.kept = after, [*done.kept, *more]
        else:
            done.refused += more


def _fix(finding: Finding) -> Fix:
    assert finding.fix is not None  # noqa: S101 - only findings with one are asked
    return finding.fix


def _errors(findings: Iterable[Finding]) -> int:
    return sum(finding.severity is Severity.ERROR for finding in findings)
