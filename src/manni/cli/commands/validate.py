"""`manni meta validate`: check artifacts and write the reports."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from manni.base.errors import OperationalError, UsageError
from manni.base.text import visible
from manni.cli.console import complain, emit
from manni.cli.progress import Progress
from manni.documents.files import MAX_FILE
from manni.engine.arguments import Invocation, parse_validate
from manni.engine.run import failed
from manni.engine.run import run as run_checks
from manni.engine.settings import Settings, exit_code
from manni.model.findings import Report
from manni.reports import REPORTERS


def run(argv: Sequence[str]) -> int:
    """Check what is asked for, and give the exit code.

    Raises:
        UsageError: the arguments are not understood, or a report cannot be written.
    """
    invocation = parse_validate(argv, cwd=Path.cwd(), prog="manni meta validate")
    if invocation.reads_stdin:
        document = sys.stdin.buffer.read(MAX_FILE + 1)
        invocation = replace(invocation, settings=replace(invocation.settings, stdin=document))
    report = _check(invocation.settings)
    _deliver(invocation, report)
    return exit_code(report)


def _check(settings: Settings) -> Report:
    """Run, and say on standard error what is not about an artifact.

    Returns:
        The report. Where there is no verdict its `failure` says why.
    """
    try:
        report = run_checks(settings, progress=Progress.on(sys.stderr))
    except OperationalError as error:
        report = failed(settings, str(error))
    for note in report.notes:
        complain(f"notice: {note}")
    if report.failure is not None:
        complain(report.failure)
    return report


def _deliver(invocation: Invocation, report: Report) -> None:
    """Write every report of the invocation, files first, then standard output.

    Raises:
        UsageError: a file cannot be written.
    """
    is_for_people = False
    printed: Iterable[str] = ()
    for output in invocation.outputs:
        if invocation.settings.diff and output.path is None:
            continue
        reporter = REPORTERS[output.format]
        if report.failure is not None and not reporter.on_failure:
            continue
        how: dict[str, bool] = {}
        if reporter.at_terminal:
            colour = _is_coloured(invocation, to_terminal=output.path is None)
            how = {"quiet": invocation.quiet, "colour": colour}
        pieces = reporter.pieces(report, **how)
        for notice in reporter.notices(report):
            complain(f"notice: {notice}")
        if output.path is None:
            printed = pieces
            is_for_people = reporter.at_terminal
        else:
            _write(invocation.settings.cwd / output.path, pieces, named=output.path)
    if report.config is not None and not is_for_people:
        sys.stderr.write(f"{visible(report.config)}\n")
    emit(printed)
    _print_diff(report.diff or b"")
    if invocation.statistics and report.failure is None:
        _count(report, on_stdout=is_for_people)


def _print_diff(diff: bytes) -> None:
    """Print a diff: its very bytes for `git apply`, but to a terminal nothing that could act."""
    if sys.stdout.isatty():
        from manni.fixes.diff import shown

        emit([shown(diff)])
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(diff)
        sys.stdout.buffer.flush()


def _count(report: Report, *, on_stdout: bool) -> None:
    """Print the statistics: after a report for people, or where they spoil none for programs."""
    from manni.reports import statistics

    text = statistics.render(report)
    if on_stdout:
        emit(["\n", text] if text else [])
    else:
        sys.stderr.write(text)


def _write(path: Path, pieces: Iterable[str], *, named: str) -> None:
    from manni.base.files import write_file

    try:
        write_file(path, pieces)
    except (OSError, ValueError) as error:
        reason = error.strerror or "unknown error" if isinstance(error, OSError) else str(error)
        message = f"the report cannot be written: {reason.lower()}. Name another file with -o."
        raise UsageError(message, where=visible(named)) from None


def _is_coloured(invocation: Invocation, *, to_terminal: bool) -> bool:
    return invocation.colour == "always" or (
        invocation.colour == "auto"
        and to_terminal
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )
