"""What a run is asked to check, and the artifacts that it finds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from manni.model.findings import Finding


class Request(Protocol):
    """What a run is asked to check; see `manni.engine.settings.Settings`."""

    @property
    def cwd(self) -> Path:
        """The absolute directory that paths are relative to."""
        ...

    @property
    def paths(self) -> tuple[str, ...]:
        """Files, directories and globs; empty for whole collections."""
        ...

    @property
    def stdin(self) -> bytes | None:
        """The document on standard input, if it is to be checked."""
        ...

    @property
    def schemas(self) -> tuple[str, ...]:
        """Schemas that the run was given for everything."""
        ...

    @property
    def collections(self) -> tuple[str, ...]:
        """Names of the collections to cover; empty for all."""
        ...

    @property
    def no_config(self) -> bool:
        """Whether no config is to be used."""
        ...

    @property
    def exclude(self) -> tuple[str, ...]:
        """Globs relative to `cwd` that take walked files away."""
        ...

    @property
    def force_exclude(self) -> bool:
        """Whether files that `paths` names are left out where a walk would not find them."""
        ...

    @property
    def respect_gitignore(self) -> bool | None:
        """Whether ignored files are left out; None leaves it to the config."""
        ...

    @property
    def allow_empty(self) -> bool:
        """Whether a run may have nothing to check."""
        ...


@dataclass(frozen=True, slots=True)
class Target:
    """One artifact to check.

    Attributes:
        path: absolute; None for standard input.
        label: as people read it, relative to the working directory, `/` separated.
        root_path: relative to the repository's root, or to the config's or working directory
            where there is no repository; None outside of it.
        key: relative to the config's directory, else to the working directory.
        collections: the collections it is a member of, in the config's order.
        finding: what keeps it from being read, found without opening it.
        kind: the id of its kind: that of its collection, where the config says so, else the one
            that its path shows; None when it is of none, or when schemas are given for the run.
        in_plugin: whether a plugin ships it.
        tree: the directory, absolute, in which no two files of its kind should have one name.
        optional: whether it is an artifact only if it names its own schemas.
    """

    path: str | None
    label: str
    root_path: str | None
    key: str
    collections: tuple[str, ...] = ()
    finding: Finding | None = None
    kind: str | None = None
    in_plugin: bool = False
    tree: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Targets:
    """All artifacts of a run.

    Attributes:
        items: sorted by path, each once.
        ignored: how many files git's ignore files took away; git tracks none of them.
        notes: sentences about the choice.
        has_all: whether every file of a kind in the whole repository is among them.
    """

    items: tuple[Target, ...]
    ignored: int = 0
    notes: tuple[str, ...] = ()
    has_all: bool = False
