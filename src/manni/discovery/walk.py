"""The one walk over directories that finds the files of a run.

It enters only directories that a pattern could reach, never `.git` or `node_modules`, and keeps
nothing of a file that does not match. Symbolic links are followed while they stay inside of the
repository; a directory that two links lead to is walked once for the same patterns.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from manni.discovery.gitignore import IGNORE_NAME, Ignores, ignores_above, ignores_of
from manni.discovery.glob_reach import Scope

MAX_DEPTH = 100
"""How deep directories may nest below the start of a walk."""

_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG})

SKIPPED = frozenset({".git", "node_modules"})
"""Directories that no walk enters."""


class Trouble(Enum):
    """Why something that was reached cannot be checked."""

    LINK_OUTSIDE = "a symbolic link that leads out of the repository"
    LINK_BROKEN = "a symbolic link that leads nowhere"
    UNREADABLE = "a directory that cannot be read"
    TOO_DEEP = "a directory below too many others"


@dataclass(frozen=True, slots=True)
class Hit:
    """A file that a walk selects, or what kept it from looking further.

    Attributes:
        path: absolute, as reached.
        real: without symbolic links, where that differs from `path`.
        ignored: whether git ignores it.
        trouble: None for a file.
        detail: what the system says about the trouble.
    """

    path: str
    real: str | None = None
    ignored: bool = False
    trouble: Trouble | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a walk selects and where it may go.

    Attributes:
        scope: where the patterns stand in the directory that the walk starts in.
        selects: whether a file, by its absolute path, is wanted; asked only about files whose
            names the patterns accept.
        skips: whether nothing below a directory, by its absolute path, is wanted.
        root: the directory that links may not leave, absolute and without links.
        gitignore: the top of the directories whose ignore files count, or None for none.
        asked: whether the start was asked for by name, so that it counts even when ignored.
    """

    scope: Scope
    selects: Callable[[str], bool]
    skips: Callable[[str], bool]
    root: str
    gitignore: str | None
    asked: bool = True


@dataclass(slots=True)
class _Place:
    """A directory to be walked."""

    path: str
    real: str
    scope: Scope
    ignores: Ignores | None
    ignored: bool
    depth: int


@dataclass(slots=True)
class _Listing:
    """What matters of a directory."""

    directories: list[str]
    files: list[str]
    links: list[str]
    has_ignores: bool = False


def walk(start: str, rules: Rules) -> list[Hit]:
    """Find the files below a directory, in no certain order.

    Args:
        start: an absolute directory, which may be one that walks do not enter.
        rules: what is wanted.

    Raises:
        TargetError: an ignore file cannot be read.
    """
    return _Walk(rules).run(start)


class _Walk:
    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._found: list[Hit] = []
        self._pending: list[_Place] = []
        self._links: list[tuple[str, _Place]] = []
        self._seen: set[tuple[str, Scope]] = set()

    def run(self, start: str) -> list[Hit]:
        top = self._rules.gitignore
        ignores, ignored = ignores_above(top, start) if top is not None else (None, False)
        ignored = ignored and not self._rules.asked
        scope = self._rules.scope
        self._push(_Place(start, os.path.realpath(start), scope, ignores, ignored, depth=0))
        self._all_pending()
        while self._links:
            # Links last: what is also reached without them is found without them.
            self._links.sort(key=lambda link: link[0])
            links, self._links = self._links, []
            for name, place in links:
                self._link(name, place)
                self._all_pending()
        return self._found

    def _all_pending(self) -> None:
        while self._pending:
            self._directory(self._pending.pop())

    def _push(self, place: _Place) -> None:
        key = (place.real, place.scope)
        if place.scope.alive and key not in self._seen:
            self._seen.add(key)
            self._pending.append(place)

    def _directory(self, place: _Place) -> None:
        if place.depth > MAX_DEPTH:
            self._found.append(Hit(place.path, trouble=Trouble.TOO_DEEP))
            return
        try:
            listing = _list(place.path, place.scope)
        except FileNotFoundError:
            return
        except OSError as error:
            if not place.ignored:
                detail = error.strerror or ""
                hit = Hit(place.path, trouble=Trouble.UNREADABLE, detail=detail)
                self._found.append(hit)
            return
        if listing.has_ignores and self._rules.gitignore is not None and not place.ignored:
            place.ignores = ignores_of(place.path, place.ignores)
        for name in listing.files:
            path = _join(place.path, name)
            if self._rules.selects(path):
                real = None if place.real == place.path else _join(place.real, name)
                self._found.append(Hit(path, real, self._ignored(place, path)))
        for name in listing.directories:
            self._enter(place, name)
        if not place.ignored:
            self._links.extend((name, place) for name in listing.links if _matters(place, name))

    def _enter(self, place: _Place, name: str) -> None:
        scope = place.scope.enter(name)
        if not scope.alive:
            return
        path = _join(place.path, name)
        if self._rules.skips(path):
            return
        real = path if place.real == place.path else _join(place.real, name)
        ignored = self._ignored(place, path, directory=True)
        self._push(_Place(path, real, scope, place.ignores, ignored, place.depth + 1))

    def _ignored(self, place: _Place, path: str, *, directory: bool = False) -> bool:
        if place.ignored or place.ignores is None:
            return place.ignored
        return place.ignores.is_ignored(path, directory=directory)

    def _link(self, name: str, place: _Place) -> None:
        path = _join(place.path, name)
        is_file = place.scope.accepts(name) and self._rules.selects(path)
        scope = place.scope.enter(name)
        is_directory = os.path.isdir(path)  # noqa: PTH112 - a path object for each link is slow
        if not is_file and not (is_directory and scope.alive and not self._rules.skips(path)):
            return
        if self._ignored(place, path):
            if not is_directory:
                self._found.append(Hit(path, ignored=True))
            return
        hit = judge_link(path, self._rules.root)
        if hit.trouble or not is_directory:
            self._found.append(hit)
        elif hit.real is not None and "node_modules" not in hit.real.split("/"):
            self._push(
                _Place(path, hit.real, scope, place.ignores, ignored=False, depth=place.depth + 1)
            )


def judge_link(path: str, root: str) -> Hit:
    """Follow the links of a path as far as they may be followed, without opening anything.

    Args:
        path: absolute.
        root: the directory that links may not leave, absolute and without links. What git keeps
            in `.git` counts as outside.
    """
    real = os.path.realpath(path)
    if not is_inside(real, root) or ".git" in real[len(root) :].split("/"):
        return Hit(path, real, trouble=Trouble.LINK_OUTSIDE)
    if not os.path.exists(real):  # noqa: PTH110 - a path object for each link is slow
        return Hit(path, real, trouble=Trouble.LINK_BROKEN)
    return Hit(path, real)


def _matters(place: _Place, name: str) -> bool:
    return bool(place.scope.accepts(name)) or place.scope.enter(name).alive


def _list(path: str, scope: Scope) -> _Listing:
    """Read a directory, keeping only what the patterns accept and what must be entered."""
    if scope.literals is not None:
        return _probe(path, scope.literals)
    directories: list[str] = []
    files: list[str] = []
    links: list[str] = []
    has_ignores = False
    accepts = scope.accepts
    with os.scandir(path) as entries:
        for entry in entries:
            name = entry.name
            if entry.is_dir(follow_symlinks=False):
                if name not in SKIPPED:
                    directories.append(name)
            elif entry.is_symlink():
                if name not in SKIPPED:
                    links.append(name)
            else:
                if accepts(name):
                    files.append(name)
                if name == IGNORE_NAME:
                    has_ignores = True
    return _Listing(directories, files, links, has_ignores)


def _probe(path: str, names: frozenset[str]) -> _Listing:
    """Look for a few names in a directory, however much else it holds."""
    listing = _Listing([], [], [], has_ignores=True)
    for name in sorted(names - SKIPPED):
        try:
            mode = os.lstat(_join(path, name)).st_mode
        except OSError as error:
            if error.errno in _NOT_THERE:
                continue
            raise
        kind = listing.files
        if stat.S_ISDIR(mode):
            kind = listing.directories
        elif stat.S_ISLNK(mode):
            kind = listing.links
        kind.append(name)
    return listing


def _join(directory: str, name: str) -> str:
    return f"{directory}/{name}" if directory != "/" else f"/{name}"


def is_inside(path: str, root: str) -> bool:
    """Whether an absolute path is a directory, or something below it."""
    return path == root or path.startswith(root.rstrip("/") + "/")
