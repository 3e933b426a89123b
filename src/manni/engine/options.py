"""The command line of `manni meta validate`, as settings and outputs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from manni.base.errors import UsageError
from manni.base.spelling import nearest
from manni.base.text import visible
from manni.engine.settings import BaselineChoice, BaselineMode, Settings, Shard, repository_of
from manni.model.findings import Detail, Severity
from manni.reports import REPORTERS

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Output:
    """One report of a run: its format, and the file it goes to or None for standard output."""

    format: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Invocation:
    """One call of `manni meta validate`.

    Attributes:
        settings: of the run; `stdin` is not read yet.
        outputs: at least one.
        reads_stdin: whether a path is `-`.
        quiet: whether the pretty report leaves out files about which there is nothing to say.
        colour: `auto`, `always` or `never`.
    """

    settings: Settings
    outputs: tuple[Output, ...]
    reads_stdin: bool = False
    quiet: bool = False
    colour: str = "auto"


class Parser(argparse.ArgumentParser):
    """A parser whose mistakes are `UsageError`s, so that they end like every other one."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage and exiting."""
        end = "" if message.endswith("?") else "."
        raise UsageError(f"{visible(message)}{end} See '{self.prog} --help'.")


def parse_validate(argv: Sequence[str], *, cwd: Path, prog: str) -> Invocation:
    """Read the arguments of `manni meta validate`.

    Raises:
        UsageError: they are not understood, or contradict each other.
    """
    parser = _validate_parser(prog)
    values, unknown = parser.parse_known_intermixed_args(list(argv))
    if unknown:
        raise UsageError(_unknown(parser, unknown[0]))
    outputs = _outputs(values.outputs)
    _check_contradictions(values)
    settings = Settings(
        cwd=cwd,
        paths=tuple(path for path in values.paths if path != STDIN),
        schemas=tuple(values.schema),
        config=values.config,
        no_config=values.no_config,
        collections=tuple(values.collection),
        exclude=tuple(values.exclude),
        baseline=values.baseline,
        detail=Detail(values.detail),
        graders=tuple(values.grader),
        shard=values.shard,
        offline=values.offline,
        allow_empty=values.allow_empty,
        respect_gitignore=False if values.no_gitignore else None,
        jobs=values.jobs,
        fail_on=None if values.fail_on == "never" else Severity(values.fail_on),
        quotes=any(output.format == "sarif" for output in outputs),
        category=values.category,
        repository=repository_of(os.environ),
        report_files=tuple(output.path for output in outputs if output.path is not None),
    )
    return Invocation(
        settings=settings,
        outputs=outputs,
        reads_stdin=STDIN in values.paths,
        quiet=values.quiet,
        colour=values.color,
    )


@dataclass(frozen=True, slots=True)
class SchemasCall:
    """One call of `manni meta schemas`: the id to print, or None for the list."""

    id: str | None
    as_json: bool


def parse_schemas(argv: Sequence[str], *, prog: str) -> SchemasCall:
    """Read the arguments of `manni meta schemas`.

    Raises:
        UsageError: they are not understood.
    """
    parser = Parser(
        prog=prog, description="List the built-in schemas, or print one.", allow_abbrev=False
    )
    parser.add_argument("id", nargs="?", metavar="ID", help="the schema to print")
    parser.add_argument(
        "-f",
        "--format",
        choices=("pretty", "json"),
        default="pretty",
        help="the list's format; default: pretty",
    )
    values, unknown = parser.parse_known_intermixed_args(list(argv))
    if unknown:
        raise UsageError(_unknown(parser, unknown[0]))
    return SchemasCall(values.id, as_json=values.format == "json")


def parse_shard(text: str) -> Shard:
    """Read `K/N`.

    Raises:
        argparse.ArgumentTypeError: it is not two whole numbers with 1 <= K <= N.
    """
    index, _, total = text.partition("/")
    if _is_count(index) and _is_count(total) and int(index) <= int(total):
        return Shard(int(index), int(total))
    message = f"'{visible(text)}' is not a slice; write K/N with 1 <= K <= N, such as 1/8"
    raise argparse.ArgumentTypeError(message)


def parse_category(text: str) -> str:
    """Read the category of a SARIF log, without slashes at its ends.

    Raises:
        argparse.ArgumentTypeError: nothing is left of it, or it holds characters not meant to be
            printed.
    """
    category = text.strip("/ ")
    if category and visible(category) == category:
        return category
    message = f"'{visible(text)}' is no category; use a short name such as validate"
    raise argparse.ArgumentTypeError(message)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7 and int(text) > 0


def _jobs(text: str) -> int:
    if _is_count(text):
        return int(text)
    message = f"'{visible(text)}' is not a number of processes; use a whole number from 1"
    raise argparse.ArgumentTypeError(message)


def _format(text: str) -> Output:
    if text in REPORTERS:
        return Output(text)
    near = nearest(text, REPORTERS)
    hint = f"did you mean {near}?" if near else f"use one of {', '.join(REPORTERS)}"
    raise argparse.ArgumentTypeError(f"there is no format '{visible(text)}'; {hint}")


def _baseline(text: str) -> BaselineChoice:
    return BaselineChoice(BaselineMode.USE, text, named=True)


def _written_baseline(text: str) -> BaselineChoice:
    return BaselineChoice(BaselineMode.WRITE, text)


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


def _check_contradictions(values: argparse.Namespace) -> None:
    if values.no_config and values.config is not None:
        raise UsageError("-c and --no-config contradict each other; leave one of them out.")
    if values.no_config and values.collection:
        raise UsageError("--collection needs a config; leave out --no-config.")
    if values.paths and values.collection:
        raise UsageError("--collection and paths cannot be combined; name one or the other.")
    if "" in values.paths:
        raise UsageError("a path is empty; name a file, a directory or a glob.")


def _unknown(parser: argparse.ArgumentParser, argument: str) -> str:
    if not argument.startswith("-"):
        return f"there is one argument too many: {visible(argument)}. See '{parser.prog} --help'."
    name = argument.partition("=")[0]
    known = [option for action in parser._actions for option in action.option_strings]  # noqa: SLF001
    near = nearest(name, known)
    hint = f" Did you mean {near}?" if near else ""
    return f"there is no option {visible(name)}.{hint} See '{parser.prog} --help'."


def _validate_parser(prog: str) -> Parser:
    parser = Parser(
        prog=prog,
        description="Check the front matter of artifacts against their schemas.",
        epilog="Exit codes: 0 nothing failed, 1 a finding failed the run, 2 there is no verdict.",
        allow_abbrev=False,
    )
    parser.set_defaults(outputs=[], baseline=BaselineChoice())
    add = parser.add_argument
    add(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files, directories and globs; - reads one document from standard input; "
        "without any, the run covers every collection",
    )
    schemas = parser.add_argument_group("schemas and config")
    _add_schema_options(schemas)
    files = parser.add_argument_group("files")
    _add_file_options(files)
    _add_report_options(parser.add_argument_group("reports"))
    return parser


def _add_schema_options(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add(
        "-s",
        "--schema",
        action="append",
        default=[],
        metavar="REF",
        help="check against this schema alone: an id, a file or a URL; may be repeated",
    )
    add("-c", "--config", metavar="FILE", help="use this config instead of looking for one")
    add("--no-config", action="store_true", help="use no config")
    add("--offline", action="store_true", help="fetch nothing over the network")
    add(
        "--grader",
        action="append",
        default=[],
        metavar="NAME",
        help="a further grader name that evals may use; may be repeated",
    )


def _add_file_options(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add(
        "--collection",
        action="append",
        default=[],
        metavar="NAME",
        help="cover only this collection of the config; may be repeated",
    )
    add(
        "--exclude",
        action="append",
        default=[],
        metavar="GLOB",
        help="leave out files that a walk or glob finds; may be repeated",
    )
    add("--no-gitignore", action="store_true", help="check files that .gitignore names too")
    add("--allow-empty", action="store_true", help="do not fail when nothing matches")
    add(
        "--shard",
        type=parse_shard,
        metavar="K/N",
        help="check the K-th of N slices of the files",
    )
    add(
        "--jobs",
        type=_jobs,
        metavar="N",
        help="use N processes (on Linux); default: the usable cores, for 200 artifacts each",
    )


def _add_report_options(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    formats = "; ".join(f"{each.name}: {each.summary}" for each in REPORTERS.values())
    add(
        "-f",
        "--format",
        action="append",
        dest="outputs",
        type=_format,
        metavar="FORMAT",
        help=f"the report's format ({formats}); may be repeated, each with its own -o",
    )
    add(
        "-o",
        "--output",
        action="append",
        dest="outputs",
        metavar="FILE",
        help="the file that the report of the -f before it goes to",
    )
    add("-q", "--quiet", action="store_true", help="do not list files that pass")
    add("--color", choices=("auto", "always", "never"), default="auto", help="colours in pretty")
    add(
        "--detail",
        choices=tuple(Detail),
        default=Detail.FAULTS.value,
        help="what annotations and SARIF show one entry for; default: faults",
    )
    add(
        "--fail-on",
        choices=(*Severity, "never"),
        default=Severity.ERROR.value,
        help="the least severity that fails the run; default: error",
    )
    add(
        "--category",
        type=parse_category,
        default="validate",
        metavar="NAME",
        help="code scanning's category of the SARIF log; default: validate",
    )
    _add_baseline_options(group)


def _add_baseline_options(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add(
        "--baseline",
        type=_baseline,
        nargs="?",
        const=BaselineChoice(BaselineMode.USE, named=True),
        metavar="FILE",
        help="findings recorded in this file do not fail the run",
    )
    add(
        "--write-baseline",
        type=_written_baseline,
        dest="baseline",
        nargs="?",
        const=BaselineChoice(BaselineMode.WRITE),
        metavar="FILE",
        help="record the findings of this run in this file",
    )
    add(
        "--no-baseline",
        action="store_const",
        dest="baseline",
        const=BaselineChoice(BaselineMode.IGNORE),
        help="ignore the baseline of the config",
    )
