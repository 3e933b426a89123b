"""What one run is asked to do, whether by the command line or by the action's inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from manni.model.findings import Detail, Report, Repository, Severity

if TYPE_CHECKING:
    from manni.model.config import Config


class BaselineMode(StrEnum):
    """What a run does with the baseline."""

    USE = "use"
    """Apply the named or configured one, if any."""
    IGNORE = "ignore"
    WRITE = "write"


DEFAULT_BASELINE = ".manni-baseline.json"
"""The file that is meant where a command line names none."""


@dataclass(frozen=True, slots=True)
class BaselineChoice:
    """What a run does with which baseline.

    Attributes:
        path: as named on the command line; None leaves it to the config.
        named: whether the user asked for a baseline by option, so that it must exist.
    """

    mode: BaselineMode = BaselineMode.USE
    path: str | None = None
    named: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    """One report of a run: its format, and the file it goes to or None for standard output."""

    format: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Shard:
    """One slice of the targets: the `index`-th, 1-based, of `count`."""

    index: int
    count: int


@dataclass(frozen=True, slots=True)
class Settings:
    """All that decides a run's report.

    Attributes:
        cwd: the absolute working directory that paths are relative to.
        root: what stands for the repository's root where no `.git` entry shows it.
        paths: files, directories and globs; empty for every collection.
        stdin: the document on standard input, when a path is `-`.
        schemas: references for the whole run; empty leaves the choice to the precedence.
        config: the config file named by the user, or None to look for one.
        no_config: neither look for a config nor read one.
        collections: names of collections to restrict the run to.
        exclude: globs, relative to `cwd`, that take walked files away.
        force_exclude: whether `exclude` and ignore files also hold for what `paths` names.
        token_envs: the environment variables whose values a `tokenEnv` of the config may send;
            None allows all but those that are never sent.
        allow_hosts: hosts (lower case, an IPv6 address without brackets) that may be fetched from
            although their addresses are not public.
        graders: further grader names that are known.
        shard: the slice to check, or None for all.
        respect_gitignore: None leaves it to the config.
        jobs: how many processes; None for the usable cores where there is enough work.
        fail_on: the least severity that fails the run, or `never`; None leaves it to the config.
        quotes: whether a report quotes artifacts, and needs code scanning's hashes of their lines.
        fix: make the fixes that keep the meaning.
        unsafe_fixes: make the guesses among the fixes too.
        diff: show the fixes, and make none.
        select: the only rules that count; empty leaves it to the config. What a selector is, see
            `manni.rules.choices`.
        ignore: rules that do not count; empty leaves it to the config.
        severity: selectors, each with the severity of its findings or None to switch them off.
        inline_ignores: whether comments in artifacts may take findings out.
        sarif_suppressed: whether the SARIF log holds what they take out.
    """

    cwd: Path
    root: Path | None = None
    paths: tuple[str, ...] = ()
    stdin: bytes | None = None
    schemas: tuple[str, ...] = ()
    config: str | None = None
    no_config: bool = False
    collections: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    baseline: BaselineChoice = field(default_factory=BaselineChoice)
    detail: Detail = Detail.FAULTS
    graders: tuple[str, ...] = ()
    shard: Shard | None = None
    offline: bool = False
    token_envs: tuple[str, ...] | None = None
    allow_hosts: tuple[str, ...] = ()
    allow_empty: bool = False
    respect_gitignore: bool | None = None
    jobs: int | None = None
    fail_on: str | None = None
    quotes: bool = False
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, Severity | None], ...] = ()
    inline_ignores: bool = True
    sarif_suppressed: bool = False
    category: str = "validate"
    repository: Repository = field(default_factory=Repository)
    report_files: tuple[str, ...] = ()

    @property
    def mends(self) -> bool:
        """Whether fixes are made or shown as a diff."""
        return self.fix or self.unsafe_fixes or self.diff


def repository_of(environ: Mapping[str, str]) -> Repository:
    """The repository and commit that GitHub's runner says it works on."""
    server, name = environ.get("GITHUB_SERVER_URL"), environ.get("GITHUB_REPOSITORY")
    return Repository(
        url=f"{server}/{name}" if server and name else None,
        revision=environ.get("GITHUB_SHA") or None,
        branch=environ.get("GITHUB_REF") or None,
    )


def fails_on(settings: Settings, config: Config | None) -> Severity | None:
    """The least severity that fails the run: as asked for, else as the config says, else errors.

    Returns:
        None where no finding fails it.
    """
    said = settings.fail_on or (config.action.fail_on if config else None) or Severity.ERROR
    return None if said == "never" else Severity(said)


def exit_code(report: Report) -> int:
    """0 when nothing failed, 1 when a finding severe enough did, 2 without a verdict.

    A diff that is not empty is 1 too: there is something to mend.
    """
    if report.failure is not None:
        return 2
    if report.diff:
        return 1
    if report.fail_on is None:
        return 0
    counts = {
        Severity.ERROR: report.summary.errors,
        Severity.WARNING: report.summary.warnings,
        Severity.NOTICE: report.summary.notices,
    }
    return int(any(n for severity, n in counts.items() if severity.rank <= report.fail_on.rank))
