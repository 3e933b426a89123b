"""The inputs of the action, as the environment carries them, turned into the settings of a run."""

from __future__ import annotations

import shlex
from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath

from manni.action.workspace import Workspace
from manni.base.errors import UsageError
from manni.base.spelling import nearest
from manni.base.text import visible
from manni.config.find import CONFIG_NAMES
from manni.engine.arguments import Invocation, parse_validate
from manni.engine.option_types import Form, Option, read_category
from manni.engine.options import INPUTS
from manni.engine.settings import BaselineMode, Output, Settings, repository_of
from manni.model.findings import Detail

_PREFIX = "INPUT_"
_FILES = {"sarif": "manni.sarif", "json": "manni.json", "junit": "manni.xml"}
"""The reports that have files, by their formats, with an example of a name."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What one step is asked to do.

    Attributes:
        settings: of the run; a mere stand-in when there are problems.
        workspace: None when there is none.
        files: where reports go, by format, relative to the workspace.
        annotations: whether annotations are printed.
        summary: whether the step summary is written.
        quiet: whether the printed report leaves out files about which there is nothing to say.
        colour: whether the printed report is coloured.
        statistics: whether the counts of rules follow it.
        problems: one sentence for each input that is wrong; there is no run when there are any.
        notices: one sentence for each oddity that stops nothing.
    """

    settings: Settings
    workspace: Workspace | None = None
    files: Mapping[str, PurePosixPath] = field(default_factory=dict)
    annotations: bool = True
    summary: bool = True
    quiet: bool = False
    colour: bool = False
    statistics: bool = False
    problems: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def read_inputs(environ: Mapping[str, str]) -> Inputs:
    """Read and check every input; what is wrong with them is in the result, nothing is raised."""
    return _Reader(environ).inputs()


def variable(name: str) -> str:
    """The environment variable that a runner puts an input in."""
    return _PREFIX + name.upper()


def split_items(value: str) -> tuple[str, ...]:
    """The items of a list: one a line when there is a line break, else separated by spaces."""
    lines = value.splitlines() if "\n" in value else value.split()
    return tuple(item for line in lines if (item := line.strip()))


class _Reader:
    """Reads inputs one by one and collects what is wrong with them.

    An input that is also an option becomes arguments, which are read like those that a person
    typed; so the two cannot mean different things.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._problems: list[str] = []
        self._workspace = self._find_workspace()
        self._items: dict[str, tuple[str, ...]] = {}
        self._arguments: list[str] = []

    def inputs(self) -> Inputs:
        notices = self._unknown()
        for name, option in INPUTS.items():
            self._read(name, option)
        files = self._report_files()
        stand_in = Settings(
            cwd=self._working_directory(),
            category=read_category(self._text("category")),
            detail=Detail(self._text("detail")),
            repository=repository_of(self._environ),
            report_files=tuple(map(str, files.values())),
        )
        inputs = Inputs(
            settings=stand_in,
            workspace=self._workspace,
            files=files,
            annotations=self._flag("annotations"),
            summary=self._flag("summary"),
            notices=notices,
        )
        invocation = self._invocation(stand_in.cwd)
        if invocation is None or self._problems:
            return replace(inputs, problems=tuple(self._problems))
        settings = replace(
            invocation.settings,
            quotes="sarif" in files or inputs.annotations,
            root=self._workspace.root if self._workspace else None,
            repository=stand_in.repository,
            report_files=stand_in.report_files,
            token_envs=invocation.settings.token_envs or (),
        )
        colour = invocation.colour == "always"
        return replace(
            inputs,
            settings=settings,
            quiet=invocation.quiet,
            colour=colour,
            statistics=invocation.statistics,
        )

    def _read(self, name: str, option: Option) -> None:
        """Check one input, keep its text, and add the arguments that it stands for.

        Empty text means the default, but for a file: there it means none.
        """
        text = self._environ.get(variable(name), option.input_default)
        items = split_items(text) if option.form is Form.LIST else (text.strip(),)
        if not any(items) and option.form is not Form.FILE:
            items = (option.input_default,)
        try:
            arguments = [part for item in items if item for part in option.arguments(item)]
        except ArgumentTypeError as error:
            self._refuse(name, str(error))
            items, arguments = (option.input_default,), []
        self._items[name] = tuple(filter(None, items))
        self._arguments += arguments

    def _text(self, name: str) -> str:
        return "".join(self._items[name])

    def _flag(self, name: str) -> bool:
        return self._text(name).lower() == "true"

    def _invocation(self, cwd: Path) -> Invocation | None:
        """The command line that the inputs stand for, read like one that a person typed."""
        paths = self._items["paths"]
        if paths and self._items["collections"]:
            self._refuse("collections", "it cannot be combined with 'paths'; set one of them")
        for path in paths:
            self._check_path(path, cwd)
        extra = self._extra_arguments()
        if self._problems:
            return None
        arguments = [*self._arguments, *extra]
        try:
            invocation = parse_validate(arguments, cwd=cwd, prog="manni meta validate")
        except UsageError as error:
            if extra:
                self._refuse("args", f"it is not understood: {error}")
            else:  # the inputs contradict each other
                self._problems.append(str(error))
            return None
        except SystemExit:
            self._refuse("args", "it asks for help; leave --help out")
            return None
        self._check_extra(invocation)
        self._check_config(invocation.settings)
        return invocation

    def _check_path(self, path: str, cwd: Path) -> None:
        shown = visible(path)
        if path.startswith("-"):
            self._refuse("paths", f"'{shown}' starts with a dash; write './{shown}'")
        elif self._workspace is not None:
            try:
                self._workspace.relative(str(cwd / path))
            except ValueError:
                self._refuse("paths", f"'{shown}' leads out of the workspace; leave it out")

    def _extra_arguments(self) -> list[str]:
        try:
            return shlex.split(self._text("args"))
        except ValueError as error:
            self._refuse("args", f"it is not quoted as in a shell ({error}); close every quote")
            return []

    def _check_extra(self, invocation: Invocation) -> None:
        if invocation.outputs != (Output("pretty"),):
            self._refuse("args", "it names a report; use 'sarif-file', 'json-file' or 'junit-file'")
        if invocation.reads_stdin:
            self._refuse("args", "it holds '-', and a step has no standard input; leave it out")
        if invocation.settings.baseline.mode is BaselineMode.WRITE:
            self._refuse("args", "it holds --write-baseline; write it locally and commit it")

        if invocation.settings.mends:
            said = "it holds --fix, --unsafe-fixes or --diff, and a step changes no file; run "
            self._refuse("args", f"{said}'manni meta validate --fix' locally and commit the result")

    def _check_config(self, settings: Settings) -> None:
        """Refuse a config that is named, or would be found, through a link that leads out."""
        workspace = self._workspace
        if workspace is None or settings.no_config:
            return
        if settings.config is not None:
            self._existing("config", settings.config, partial(workspace.inside, settings.cwd))
            return
        for directory in (settings.cwd, *settings.cwd.parents):
            for name in CONFIG_NAMES:
                if directory.is_relative_to(workspace.root) and (directory / name).is_symlink():
                    self._existing("config", name, partial(workspace.inside, directory))

    def _working_directory(self) -> Path:
        workspace, named = self._workspace, self._text("working-directory")
        if workspace is None:
            return Path.cwd()
        found = self._existing("working-directory", named, workspace.directory) if named else None
        return found or workspace.root

    def _existing(self, name: str, value: str, find: Callable[[str], Path]) -> Path | None:
        """The path of what an input names, which must exist in the workspace."""
        try:
            return find(value)
        except ValueError:
            said = "leads out of the workspace; name something in the repository"
        except (OSError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or "too many links"
            said = f"cannot be used: {reason.lower()}; check its spelling, and that it is committed"
        self._refuse(name, f"'{visible(value)}' {said}")
        return None

    def _find_workspace(self) -> Workspace | None:
        path = self._environ.get("GITHUB_WORKSPACE", "")
        try:
            return Workspace.at(path or ".")
        except (OSError, RuntimeError, ValueError):
            self._problems.append(
                f"there is no workspace at '{visible(path)}'; "
                "run actions/checkout before this step."
            )
            return None

    def _report_files(self) -> dict[str, PurePosixPath]:
        """Where reports go, by format; no two to one file."""
        files: dict[str, PurePosixPath] = {}
        for format_ in _FILES if self._workspace else ():
            path = self._report_file(format_, self._text(f"{format_}-file"))
            other = next((name for name, file in files.items() if file == path), None)
            if other:
                said = f"it names the same file as '{other}-file'; change one"
                self._refuse(f"{format_}-file", said)
            elif path:
                files[format_] = path
        return files

    def _report_file(self, format_: str, value: str) -> PurePosixPath | None:
        if not value or self._workspace is None:
            return None
        try:
            path = self._workspace.relative(value)
        except ValueError:
            path = PurePosixPath()
        if path.name:
            return path
        said = (
            f"'{visible(value)}' is no file in the workspace; write a path relative to it, such as"
        )
        self._refuse(f"{format_}-file", f"{said} {_FILES[format_]}")
        return None

    def _unknown(self) -> tuple[str, ...]:
        """Notices of inputs that do not exist; a misspelled one is a problem."""
        known = {variable(name) for name in INPUTS}
        notices = []
        for given in sorted(self._environ):
            if not given.startswith(_PREFIX) or given in known:
                continue
            name = visible(given.removeprefix(_PREFIX).lower())
            near = nearest(name, INPUTS)
            if near and not self._environ.get(variable(near)):
                self._problems.append(f"there is no input '{name}'; did you mean '{near}'?")
            else:
                notices.append(f"there is no input '{name}'; it is ignored.")
        return tuple(notices)

    def _refuse(self, name: str, what: str) -> None:
        self._problems.append(f"input '{name}': {what}{'' if what.endswith(('.', '?')) else '.'}")
