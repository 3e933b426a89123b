"""The command line of `manni meta validate`, read by the table of options."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from manni.base.errors import UsageError
from manni.base.spelling import nearest
from manni.base.text import visible
from manni.engine.option_types import Option
from manni.engine.options import GROUPS
from manni.engine.settings import BaselineChoice, Output, Settings, repository_of
from manni.model.findings import Detail
from manni.reports import REPORTERS

STDIN = "-"

_SETTINGS = frozenset(field.name for field in fields(Settings))


@dataclass(frozen=True, slots=True)
class Invocation:
    """One call of `manni meta validate`.

    Attributes:
        settings: of the run; `stdin` is not read yet.
        outputs: at least one.
        reads_stdin: whether a path is `-`.
        quiet: whether the pretty report leaves out files about which there is nothing to say.
        colour: `auto`, `always` or `never`.
        statistics: whether the counts of rules follow the report for people.
    """

    settings: Settings
    outputs: tuple[Output, ...]
    reads_stdin: bool = False
    quiet: bool = False
    colour: str = "auto"
    statistics: bool = False


class Parser(argparse.ArgumentParser):
    """A parser whose mistakes are `UsageError`s, so that they end like every other one."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage and exiting."""
        end = "" if message.endswith("?") else "."
        raise UsageError(f"{visible(message)}{end} See '{self.prog} --help'.")

    def read(self, argv: Sequence[str]) -> argparse.Namespace:
        """Read arguments, in any order.

        Raises:
            UsageError: they are not understood; a misspelled option is told the nearest.
        """
        values, unknown = self.parse_known_intermixed_args(list(argv))
        if unknown and not unknown[0].startswith("-"):
            self.error(f"there is one argument too many: {unknown[0]}")
        if unknown:
            name = unknown[0].partition("=")[0]
            near = nearest(name, self._option_string_actions)
            self.error(f"there is no option {name}" + (f". Did you mean {near}?" if near else ""))
        return values


def validate_parser(prog: str) -> Parser:
    """The parser of `manni meta validate`, made from the table of options."""
    parser = Parser(
        prog=prog,
        description="Check the front matter of artifacts against their schemas.",
        epilog="The path '-' reads one document from standard input. "
        "Exit codes: 0 nothing failed, 1 a finding failed the run, 2 there is no verdict.",
        allow_abbrev=False,
    )
    for heading, options in GROUPS.items():
        group = parser.add_argument_group(heading)
        for option in options:
            if option.usage:
                _add(group, option)
    parser.set_defaults(outputs=[], baseline=BaselineChoice())
    return parser


def _add(group: argparse._ArgumentGroup, option: Option) -> None:
    given: dict[str, Any] = {"help": option.description.replace("`", "'")}
    if option.value:
        given |= {"type": option.convert, "choices": option.choices or None}
        given["metavar"] = None if option.choices else option.value
    if not option.names:
        group.add_argument(option.field, nargs="*", **given)
        return
    if not option.value:
        given |= {"action": "store_const", "const": option.const}
    elif option.is_repeatable:
        given |= {"action": "append"}
    elif option.usage.endswith("]"):
        given |= {"nargs": "?", "const": option.const}
    group.add_argument(*option.names, dest=option.field, default=option.default, **given)


def parse_validate(argv: Sequence[str], *, cwd: Path, prog: str) -> Invocation:
    """Read the arguments of `manni meta validate`.

    Raises:
        UsageError: they are not understood, or contradict each other.
    """
    values = validate_parser(prog).read(argv)
    outputs = _outputs(values.outputs)
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in vars(values).items()
        if value is not None and name in _SETTINGS
    }
    given |= {
        "paths": tuple(path for path in values.paths if path != STDIN),
        "detail": Detail(values.detail),
        "select": tuple(chain.from_iterable(values.select or ())),
        "ignore": tuple(chain.from_iterable(values.ignore or ())),
    }
    settings = Settings(
        cwd=cwd,
        quotes=any(REPORTERS[output.format].quotes for output in outputs),
        repository=repository_of(os.environ),
        report_files=tuple(output.path for output in outputs if output.path is not None),
        **given,
    )
    _check(settings, values.paths)
    if settings.diff and values.outputs and outputs[-1].path is None:
        raise UsageError("--diff prints to standard output; give the report a file with -o.")
    return Invocation(
        settings=settings,
        outputs=outputs,
        reads_stdin=STDIN in values.paths,
        quiet=values.quiet is not None,
        colour=values.colour,
        statistics=values.statistics is not None,
    )


def _outputs(given: Sequence[Output | str]) -> tuple[Output, ...]:
    """Pair each format, an `Output` without a file, with the file that is named after it.

    With one format and one file their order does not matter.
    """
    outputs: list[Output] = []
    loose: list[str] = []
    for item in given:
        if isinstance(item, Output):
            outputs.append(item)
        elif outputs and outputs[-1].path is None:
            outputs[-1] = Output(outputs[-1].format, item)
        else:
            loose.append(item)
    outputs = outputs or [Output("pretty")]
    if len(outputs) == len(loose) == 1 and outputs[0].path is None:
        outputs = [Output(outputs[0].format, loose.pop())]
    if loose:
        raise UsageError("each -o names the file of the -f before it; this run has an -o too many.")
    paths = [os.path.normpath(output.path) for output in outputs if output.path is not None]
    if len(outputs) - len(paths) > 1:
        raise UsageError("only one report can go to standard output; give the others -o FILE.")
    if len(set(paths)) < len(paths):
        raise UsageError("two reports name one file with -o; give each a file of its own.")
    return tuple(outputs)


def _check(settings: Settings, paths: Sequence[str]) -> None:
    """Refuse options that contradict each other, and paths that cannot be meant."""
    if settings.no_config and settings.config is not None:
        raise UsageError("-c and --no-config contradict each other; leave one of them out.")
    if settings.no_config and settings.collections:
        raise UsageError("--collection needs a config; leave out --no-config.")
    if paths and settings.collections:
        raise UsageError("--collection and paths cannot be combined; name one or the other.")
    if STDIN in paths and settings.mends and not settings.diff:
        raise UsageError("fixes are made in files, and '-' is none; --diff shows them.")
    if "" in paths:
        raise UsageError("a path is empty; name a file, a directory or a glob.")
    for path in paths:
        slashes = path.replace("\\", "/")
        if slashes != path and not _exists(settings.cwd, path) and _exists(settings.cwd, slashes):
            message = f"there is no '{visible(path)}'; write it with slashes: '{visible(slashes)}'."
            raise UsageError(message)


def _exists(cwd: Path, path: str) -> bool:
    return os.path.lexists(cwd / path)
