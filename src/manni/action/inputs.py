"""The inputs of the action, as the environment carries them, turned into the settings of a run."""

from __future__ import annotations

import argparse
import difflib
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TypeVar

from manni.action.workspace import Workspace
from manni.base.errors import UsageError
from manni.base.text import visible
from manni.config.find import CONFIG_NAMES
from manni.engine.options import Invocation, Output, parse_category, parse_shard, parse_validate
from manni.engine.settings import BaselineMode, Settings, repository_of
from manni.model.findings import Detail, Severity

DEFAULTS: Mapping[str, str] = {
    "paths": "",
    "collections": "",
    "schemas": "",
    "config": "",
    "working-directory": "",
    "sarif-file": "manni.sarif",
    "json-file": "",
    "junit-file": "",
    "annotations": "true",
    "summary": "true",
    "detail": "faults",
    "fail-on": "error",
    "baseline": "",
    "graders": "",
    "shard": "",
    "category": "",
    "offline": "false",
    "args": "",
}
"""Every input with its default, in the order of `action.yml`."""

NONE = "none"
"""The value that turns off what `config` and `baseline` would otherwise name."""

_T = TypeVar("_T")

_PREFIX = "INPUT_"
_EXAMPLES = {"sarif-file": "manni.sarif", "json-file": "manni.json", "junit-file": "manni.xml"}
_FLAGS = {"true": True, "false": False}
_SEVERITIES = (*(severity.value for severity in Severity), "never")


@dataclass(frozen=True, slots=True)
class Inputs:
    """What one step is asked to do.

    Attributes:
        settings: of the run; a mere stand-in when there are problems.
        workspace: None when there is none.
        sarif: where the SARIF log goes, relative to the workspace; None for no log.
        json: where the JSON report goes.
        junit: where the JUnit report goes.
        annotations: whether annotations are printed.
        summary: whether the step summary is written.
        quiet: whether the printed report leaves out files about which there is nothing to say.
        colour: whether the printed report is coloured.
        problems: one sentence for each input that is wrong; there is no run when there are any.
        notices: one sentence for each oddity that stops nothing.
    """

    settings: Settings
    workspace: Workspace | None = None
    sarif: PurePosixPath | None = None
    json: PurePosixPath | None = None
    junit: PurePosixPath | None = None
    annotations: bool = True
    summary: bool = True
    quiet: bool = False
    colour: bool = False
    problems: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def read_inputs(environ: Mapping[str, str]) -> Inputs:
    """Read and check every input; what is wrong with them is in the result, nothing is raised."""
    return _Reader(environ).inputs()


def split_items(value: str) -> tuple[str, ...]:
    """The items of a list: one a line when there is a line break, else separated by spaces."""
    lines = value.splitlines() if "\n" in value else value.split()
    return tuple(item for line in lines if (item := line.strip()))


class _Reader:
    """Reads inputs one by one and collects what is wrong with them."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._problems: list[str] = []
        self._workspace = self._find_workspace()

    def inputs(self) -> Inputs:
        notices = self._unknown()
        files = {name: self._file(f"{name}-file") for name in ("sarif", "json", "junit")}
        self._check_distinct(files)
        inputs = Inputs(
            settings=self._stand_in(files.values()),
            workspace=self._workspace,
            sarif=files["sarif"],
            json=files["json"],
            junit=files["junit"],
            annotations=self._flag("annotations"),
            summary=self._flag("summary"),
            notices=notices,
        )
        invocation = self._invocation(inputs.settings.cwd)
        if invocation is None or self._problems:
            return replace(inputs, problems=tuple(self._problems))
        settings = replace(
            invocation.settings,
            quotes=inputs.sarif is not None,
            root=self._workspace.root if self._workspace else None,
            repository=inputs.settings.repository,
            report_files=inputs.settings.report_files,
        )
        colour = invocation.colour == "always"
        return replace(inputs, settings=settings, quiet=invocation.quiet, colour=colour)

    def _stand_in(self, files: Iterable[PurePosixPath | None]) -> Settings:
        """Settings that need no run: where, for whom, and what reports will be written."""
        return Settings(
            cwd=self._working_directory(),
            category=self._converted("category", parse_category) or "validate",
            detail=Detail(self._choice("detail", tuple(Detail))),
            repository=repository_of(self._environ),
            report_files=tuple(str(file) for file in files if file is not None),
        )

    def _invocation(self, cwd: Path) -> Invocation | None:
        """The command line that the inputs stand for, read like one that a person typed."""
        arguments = self._arguments(cwd)
        extra = self._extra_arguments()
        if self._problems:
            return None
        try:
            invocation = parse_validate([*arguments, *extra], cwd=cwd, prog="manni meta validate")
        except UsageError as error:
            self._refuse("args", f"it is not understood: {error}")
            return None
        except SystemExit:
            self._refuse("args", "it asks for help; leave --help out")
            return None
        self._check_extra(invocation)
        self._check_config(invocation.settings)
        return invocation

    def _arguments(self, cwd: Path) -> list[str]:
        paths, collections = self._items("paths"), self._items("collections")
        if paths and collections:
            self._refuse("collections", "it cannot be combined with 'paths'; set one of them")
        for path in paths:
            self._check_path(path, cwd)
        arguments = [f"--schema={item}" for item in self._items("schemas")]
        arguments += [f"--collection={item}" for item in collections]
        arguments += [f"--grader={item}" for item in self._items("graders")]
        arguments += self._named_or_none("config", "--config", "--no-config")
        arguments += self._named_or_none("baseline", "--baseline", "--no-baseline")
        arguments += [f"--detail={self._text('detail')}"]
        arguments += [f"--fail-on={self._choice('fail-on', _SEVERITIES)}"]
        if self._converted("shard", parse_shard) is not None:
            arguments.append(f"--shard={self._text('shard')}")
        if self._text("category"):
            arguments.append(f"--category={self._text('category')}")
        if self._flag("offline"):
            arguments.append("--offline")
        return [*arguments, *paths]

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

    def _named_or_none(self, name: str, option: str, off: str) -> list[str]:
        value = self._text(name)
        if not value:
            return []
        return [off] if value == NONE else [f"{option}={value}"]

    def _check_extra(self, invocation: Invocation) -> None:
        if invocation.outputs != (Output("pretty"),):
            self._refuse("args", "it names a report; use 'sarif-file', 'json-file' or 'junit-file'")
        if invocation.reads_stdin:
            self._refuse("args", "it holds '-', and a step has no standard input; leave it out")
        if invocation.settings.baseline.mode is BaselineMode.WRITE:
            self._refuse("args", "it holds --write-baseline; write it locally and commit it")

    def _check_config(self, settings: Settings) -> None:
        workspace = self._workspace
        if workspace is None or settings.no_config:
            return
        if settings.config is not None:
            self._inside("config", settings.config, settings.cwd, workspace.inside)
            return
        for directory in (settings.cwd, *settings.cwd.parents):
            if directory.is_relative_to(workspace.root):
                self._check_links(directory, workspace)

    def _check_links(self, directory: Path, workspace: Workspace) -> None:
        """Refuse a config that would be found, and read, through a link that leads out."""
        for name in CONFIG_NAMES:
            if (directory / name).is_symlink():
                self._inside("config", name, directory, workspace.inside)

    def _working_directory(self) -> Path:
        workspace, named = self._workspace, self._text("working-directory")
        if workspace is None:
            return Path.cwd()
        if not named:
            return workspace.root
        found = self._inside(
            "working-directory", named, workspace.root, lambda _, path: workspace.directory(path)
        )
        return found or workspace.root

    def _inside(
        self, name: str, value: str, base: Path, find: Callable[[Path, str], Path]
    ) -> Path | None:
        """What an input names, which must exist in the workspace."""
        try:
            return find(base, value)
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

    def _file(self, name: str) -> PurePosixPath | None:
        value = self._text(name)
        if not value or self._workspace is None:
            return None
        try:
            path = self._workspace.relative(value)
        except ValueError:
            path = PurePosixPath()
        if path.name:
            return path
        self._refuse(
            name,
            f"'{visible(value)}' is no file in the workspace; write a path relative to it, "
            f"such as {_EXAMPLES[name]}",
        )
        return None

    def _check_distinct(self, files: Mapping[str, PurePosixPath | None]) -> None:
        met: dict[PurePosixPath, str] = {}
        for name, file in files.items():
            if file is None:
                continue
            if file in met:
                self._refuse(f"{name}-file", f"it names the same file as '{met[file]}'; change one")
            met[file] = f"{name}-file"

    def _flag(self, name: str) -> bool:
        value = self._text(name).lower()
        if value not in _FLAGS:
            self._refuse_choice(name, value, tuple(_FLAGS))
        return _FLAGS.get(value, _FLAGS[DEFAULTS[name]])

    def _choice(self, name: str, allowed: Sequence[str]) -> str:
        value = self._text(name)
        if value in allowed:
            return value
        self._refuse_choice(name, value, allowed)
        return DEFAULTS[name]

    def _converted(self, name: str, convert: Callable[[str], _T]) -> _T | None:
        value = self._text(name)
        if not value:
            return None
        try:
            return convert(value)
        except argparse.ArgumentTypeError as error:
            self._refuse(name, str(error))
            return None

    def _items(self, name: str) -> tuple[str, ...]:
        return split_items(self._environ.get(_variable(name), ""))

    def _text(self, name: str) -> str:
        """The value without spaces around it; empty means the default, but for the SARIF log."""
        value = self._environ.get(_variable(name), DEFAULTS[name]).strip()
        return value if value or name == "sarif-file" else DEFAULTS[name]

    def _unknown(self) -> tuple[str, ...]:
        """Notices of inputs that do not exist; a misspelled one is a problem."""
        known = {_variable(name) for name in DEFAULTS}
        notices = []
        for variable in sorted(self._environ):
            if not variable.startswith(_PREFIX) or variable in known:
                continue
            name = visible(variable.removeprefix(_PREFIX).lower())
            near = difflib.get_close_matches(name, DEFAULTS, 1, cutoff=0.7)
            if near and not self._environ.get(_variable(near[0])):
                self._problems.append(f"there is no input '{name}'; did you mean '{near[0]}'?")
            else:
                notices.append(f"there is no input '{name}'; it is ignored.")
        return tuple(notices)

    def _refuse_choice(self, name: str, value: str, allowed: Sequence[str]) -> None:
        near = difflib.get_close_matches(value.lower(), allowed, 1)
        hint = f"did you mean '{near[0]}'?" if near else f"use one of {', '.join(allowed)}."
        self._problems.append(f"input '{name}': there is no '{visible(value)}'; {hint}")

    def _refuse(self, name: str, what: str) -> None:
        self._problems.append(f"input '{name}': {what}{'' if what.endswith('.') else '.'}")


def _variable(name: str) -> str:
    return _PREFIX + name.upper()
