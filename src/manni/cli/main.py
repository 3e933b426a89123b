"""The command line: it picks a command, and ends the process with the command's exit code."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import NoReturn, TextIO

from manni import __version__
from manni.base.errors import OperationalError, UsageError, defect
from manni.base.spelling import nearest
from manni.cli.console import complain, emit


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    Attributes:
        module: imported when it is used; its `run` takes the arguments and gives the exit code.
        arguments: what the help says that it takes.
        summary: what the help says that it does.
    """

    module: str
    arguments: str
    summary: str


COMMANDS = {
    "meta validate": Command(
        "manni.cli.commands.validate", "[PATH...] [options]", "check artifacts"
    ),
    "meta schemas": Command(
        "manni.cli.commands.schemas", "[ID] [-f FORMAT]", "list the built-in schemas, or print one"
    ),
    "action": Command("manni.cli.commands.action", "", "run as a step of a workflow"),
}
"""Every command by the words that call it."""

_ABOUT = """\
Checks the front matter of agent skills, agent definitions and pages against JSON Schemas.
Each command explains its options with --help.
"""
_NO_VERDICT = 2
_INTERRUPTED = 130
_COLLECT_AFTER = 200_000


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


def _make_printable(stream: TextIO) -> None:
    """Reports are UTF-8 whatever the locale says, and no character can make printing fail."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _dispatch(argv: list[str]) -> int:
    """Run the command that the first words name."""
    words = [*argv[1:], "--help"] if argv[:1] == ["help"] else argv
    for length in (2, 1):
        command = COMMANDS.get(" ".join(words[:length]))
        if command is not None:
            run: Callable[[Sequence[str]], int] = import_module(command.module).run
            return run(words[length:])
    below = words[1:] if words[:1] == ["meta"] else words
    if words[:1] in (["--version"], ["-V"]):
        emit([f"manni {__version__}\n"])
    elif below[:1] in (["--help"], ["-h"]):
        emit([_usage()])
    else:
        raise UsageError(f"{_no_command(words)} See manni --help.")
    return 0


def _usage() -> str:
    calls = {f"manni {name} {each.arguments}": each.summary for name, each in COMMANDS.items()}
    width = max(map(len, calls)) + 2
    lines = [f"       {call:<{width}}{summary}\n" for call, summary in calls.items()]
    return f"usage:{''.join(lines)[6:]}       manni --version\n\n{_ABOUT}"


def _no_command(words: Sequence[str]) -> str:
    """What is said of words that call no command, with the command that was probably meant."""
    if not words:
        return "no command was given. Use manni meta validate."
    if words[0].startswith("-"):
        return f"there is no option {words[0]}."
    names = {name.removeprefix("meta "): name for name in COMMANDS}
    if words == ["meta"]:
        listed = [last for last, name in names.items() if last != name]
        return f"meta needs a command: {', '.join(listed)}."
    called = " ".join(words[:2] if words[0] == "meta" else words[:1])
    last = called.removeprefix("meta ")
    near = last if last in names else nearest(last, names)
    return f"there is no command '{called}'" + (
        f"; did you mean 'manni {names[near]}'?" if near else "."
    )
