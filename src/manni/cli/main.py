"""The command line: the one place that reads standard input, prints and decides the exit code."""

from __future__ import annotations

import gc
import io
import os
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

from manni import __version__
from manni.base.errors import OperationalError, UsageError, defect
from manni.base.text import count, visible
from manni.engine.settings import Settings, exit_code
from manni.model.findings import Report
from manni.reports import REPORTERS

if TYPE_CHECKING:
    from manni.engine.options import Invocation
    from manni.engine.pool import Progress

_USAGE = """\
usage: manni meta validate [PATH...] [options]   check artifacts
       manni meta schemas [ID] [-f FORMAT]       list the built-in schemas, or print one
       manni action                              run as a step of a workflow
       manni --version

Checks the front matter of agent skills, agent definitions and pages against JSON Schemas.
Each command explains its options with --help.
"""

_NO_VERDICT = 2
_INTERRUPTED = 130
_COLLECT_AFTER = 200_000
_PIECES_AT_A_TIME = 1_000
_PROGRESS_AFTER_SECONDS = 1.0
_PROGRESS_EVERY_SECONDS = 0.1


def process(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the command line as a process of its own, and end it.

    Taking apart all that a run has made takes a while, and the system does it at once.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed by whoever started the process
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    code = main(argv)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments without the program's name; None takes the process's.

    Returns:
        The exit code: 0 when nothing failed, 1 when a finding did, 2 when there is no verdict.
    """
    # Nearly all that a run makes is either kept or free at once; looking for circles finds little.
    gc.set_threshold(_COLLECT_AFTER)
    _make_printable(sys.stdout)
    _make_printable(sys.stderr)
    try:
        return _dispatch(list(sys.argv[1:] if argv is None else argv))
    except OperationalError as error:
        complain(str(error))
    except SystemExit as done:  # argparse has printed the help that was asked for
        return int(done.code or 0)
    except BrokenPipeError:
        # Whoever read standard output has gone; the interpreter's own flush at exit must not fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        complain("interrupted.")
        return _INTERRUPTED
    except Exception as error:
        if os.environ.get("MANNI_DEBUG"):
            raise
        complain(defect(error))
    return _NO_VERDICT


def complain(message: str) -> None:
    """Print `manni: <message>` on standard error, on one line."""
    sys.stderr.write(f"manni: {visible(message)}\n")


def emit(pieces: Iterable[str]) -> None:
    """Print the pieces of a report on standard output.

    Raises:
        BrokenPipeError: nobody reads it any more.
        UsageError: it cannot be written.
    """
    left = iter(pieces)
    try:
        # A terminal is written to with each line, so lines are handed on many at a time.
        while text := "".join(islice(left, _PIECES_AT_A_TIME)):
            sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        raise UsageError(f"standard output cannot be written: {reason}") from None


def _make_printable(stream: TextIO) -> None:
    """Reports are UTF-8 whatever the locale says, and no character can make printing fail."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _dispatch(argv: list[str]) -> int:
    match argv:
        case ["meta", "validate", *rest]:
            return _validate(rest)
        case ["meta", "schemas", *rest]:
            return _schemas(rest)
        case ["action", *rest]:
            from manni.action.step import run_action

            return run_action(rest)
        case ["--version" | "-V"]:
            emit([f"manni {__version__}\n"])
            return 0
        case ["--help" | "-h", *_] | ["meta" | "help", "--help" | "-h"] | ["help"]:
            emit([_USAGE])
            return 0
        case []:
            raise UsageError("no command was given. Use manni meta validate, or see manni --help.")
    shown = " ".join(argv[:2] if argv[0] == "meta" else argv[:1])
    raise UsageError(f"there is no command '{shown}'. See manni --help.")


def _validate(argv: list[str]) -> int:
    from manni.documents.front_matter import MAX_FILE
    from manni.engine.options import parse_validate

    invocation = parse_validate(argv, cwd=Path.cwd(), prog="manni meta validate")
    if invocation.reads_stdin:
        document = sys.stdin.buffer.read(MAX_FILE + 1)
        invocation = replace(invocation, settings=replace(invocation.settings, stdin=document))
    report = judge(invocation.settings, progress=_Progress.on(sys.stderr))
    deliver(invocation, report)
    return exit_code(report, invocation.settings.fail_on)


def judge(settings: Settings, *, progress: Progress | None = None) -> Report:
    """Run, and say on standard error what is not about an artifact.

    Returns:
        The report. Where there is no verdict its `failure` says why.
    """
    from manni.engine.run import failed, run

    try:
        report = run(settings, progress=progress)
    except OperationalError as error:
        report = failed(settings, str(error))
    for note in report.notes:
        complain(f"notice: {note}")
    if report.failure is not None:
        complain(report.failure)
    return report


def deliver(invocation: Invocation, report: Report) -> None:
    """Write every report of the invocation, files first, then standard output.

    Raises:
        UsageError: a file cannot be written.
    """
    pretty_is_printed = False
    printed: Iterable[str] = ()
    for output in invocation.outputs:
        reporter = REPORTERS[output.format]
        if report.failure is not None and not reporter.on_failure:
            continue
        if output.format == "pretty":
            pieces = _pretty(invocation, report, to_terminal=output.path is None)
        else:
            pieces = reporter.pieces(report)
        if output.path is None:
            printed = pieces
            pretty_is_printed = output.format == "pretty"
        else:
            _write(invocation.settings.cwd / output.path, pieces, named=output.path)
    if report.config is not None and not pretty_is_printed:
        sys.stderr.write(f"{visible(report.config)}\n")
    emit(printed)


def _write(path: Path, pieces: Iterable[str], *, named: str) -> None:
    from manni.base.files import write_file

    try:
        write_file(path, pieces)
    except (OSError, ValueError) as error:
        reason = error.strerror or "unknown error" if isinstance(error, OSError) else str(error)
        message = f"the report cannot be written: {reason.lower()}. Name another file with -o."
        raise UsageError(message, where=visible(named)) from None


def _pretty(invocation: Invocation, report: Report, *, to_terminal: bool) -> Iterable[str]:
    from manni.reports import pretty

    colour = invocation.colour == "always" or (
        invocation.colour == "auto"
        and to_terminal
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )
    return pretty.pieces(report, quiet=invocation.quiet, colour=colour)


def _schemas(argv: list[str]) -> int:
    from manni.cli.commands.schemas import listing
    from manni.engine.options import parse_schemas
    from manni.schemas.builtin import source

    asked = parse_schemas(argv, prog="manni meta schemas")
    emit([listing(as_json=asked.as_json) if asked.id is None else source(asked.id)])
    return 0


class _Progress:
    """How far the run is, on one line of a terminal, once it takes longer than a second."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._next = time.monotonic() + _PROGRESS_AFTER_SECONDS
        self._shown = False

    @classmethod
    def on(cls, stream: TextIO) -> _Progress | None:
        """A progress line on the stream, or None when it is not a terminal."""
        return cls(stream) if stream.isatty() else None

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now >= self._next and done < total:
            self._next = now + _PROGRESS_EVERY_SECONDS
            self._shown = True
            self._stream.write(f"\rchecked {done} of {count(total, 'file')}")
            self._stream.flush()
        elif self._shown and done >= total:
            self._shown = False
            self._stream.write("\r\x1b[K")
            self._stream.flush()
