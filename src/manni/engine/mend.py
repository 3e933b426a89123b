"""Fixes made in the files of a run, or shown as a diff."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from manni.base.text import count, visible
from manni.documents.faults import DocumentFault
from manni.model.findings import Finding, fast_pickle

if TYPE_CHECKING:
    from manni.discovery.target import Target
    from manni.engine.check import Checker
    from manni.engine.settings import Settings
    from manni.engine.values import CheckResult


@fast_pickle
@dataclass(frozen=True, slots=True)
class Mending:
    """What fixes make of one artifact.

    Attributes:
        before: the bytes that were checked.
        after: the bytes with the fixes, the same where none was made.
        fixed: how many findings they mend.
        refused: how many findings have a fix that was taken back.
        done: False where the limits ended it.
        checked: what a check of `after` gives.
    """

    before: bytes
    after: bytes
    fixed: int
    refused: int
    done: bool
    checked: CheckResult


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of all fixes of a run.

    Attributes:
        checked: for each target, in order, what is to be reported.
        fixed: how many findings were mended, or would be.
        notes: sentences for the run.
        diff: of all files; None where it was not asked for.
    """

    checked: list[CheckResult]
    fixed: int
    notes: tuple[str, ...]
    diff: bytes | None


def mender(
    checker: Checker, *, unsafe: bool
) -> Callable[[Target], tuple[CheckResult, Mending | None]]:
    """A function from a target to its result, and to what fixes make of it, if they may.

    Args:
        checker: of the run; its findings carry their fixes.
        unsafe: whether guesses are made too.
    """

    def check(target: Target) -> tuple[CheckResult, Mending | None]:
        checked = checker.check(target)
        if not any(_is_usable(finding, unsafe=unsafe) for finding in checked.findings):
            return checked, None
        from manni.fixes.passes import mend

        try:
            data = checker.read(target)
        except DocumentFault:  # it was there a moment ago
            return checked, None
        mended = mend(data, lambda each: checker.check_data(target, each).findings, unsafe=unsafe)
        return checked, Mending(
            before=data,
            after=mended.data,
            fixed=len(mended.fixed),
            refused=len(mended.refused),
            done=mended.done,
            checked=checker.check_data(target, mended.data),
        )

    return check


def _is_usable(finding: Finding, *, unsafe: bool) -> bool:
    fix = finding.fix
    return fix is not None and finding.manifest is None and (fix.safe or unsafe)


def carry_out(
    settings: Settings,
    root: Path | None,
    targets: Sequence[Target],
    pairs: Sequence[tuple[CheckResult, Mending | None]],
) -> Outcome:
    """Write the mended files, or put together their diff.

    Args:
        settings: of the run.
        root: the top of the repository, which no file is written outside of; None without one.
        targets: of the run.
        pairs: for each of them, what `mender` gave.
    """
    checked, notes, diffs = [], [], []
    fixed = files = 0
    for target, (found, mending) in zip(targets, pairs, strict=True):
        checked.append(found)
        if mending is None:
            continue
        label = visible(target.label)
        notes += [f"{label}: {said}" for said in _remarks(mending)]
        if mending.after == mending.before:
            continue
        if settings.diff:
            diffs.append(_diff(target, mending, rooted=root is not None))
        elif (said := _write(target, mending, root)) is None:
            checked[-1] = mending.checked
        else:
            notes.append(f"{label}: {said}")
            continue
        fixed, files = fixed + mending.fixed, files + 1
    if not settings.diff:
        return Outcome(checked, fixed, tuple(notes), None)
    if fixed:
        option = "--unsafe-fixes" if settings.unsafe_fixes else "--fix"
        notes.append(f"{option} would mend {count(fixed, 'finding')} in {count(files, 'file')}")
    return Outcome(checked, fixed, tuple(notes), b"".join(diffs))


def _remarks(mending: Mending) -> list[str]:
    said = []
    if mending.refused:
        those = count(mending.refused, "finding")
        said.append(
            f"the fix of {those} would make more errors than it mends, so it was taken back"
        )
    if not mending.done:
        said.append("there is more to mend than one run does; run again")
    return said


def _diff(target: Target, mending: Mending, *, rooted: bool) -> bytes:
    """The diff of a file, named as git names it: from the top of its repository."""
    from manni.fixes.diff import diff

    path = target.root_path if rooted and target.root_path else target.label
    return diff(path, mending.before, mending.after)


def _write(target: Target, mending: Mending, root: Path | None) -> str | None:
    """Write a file; gives why it was left as it is, or None when it is written."""
    from manni.fixes.writing import NotWritten, write

    if target.path is None:
        return "standard input cannot be written"
    path = Path(target.path)
    try:
        write(path, mending.before, mending.after, root=root)
    except NotWritten as error:
        try:  # a link and its file may both be artifacts of the run
            is_written = path.read_bytes() == mending.after
        except OSError:
            is_written = False
        return None if is_written else str(error)
    return None
