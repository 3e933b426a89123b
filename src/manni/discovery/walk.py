"""The one walk over directories that finds the files of a run.

It enters only directories that a pattern could reach, never `.git`, and keeps nothing of a file
that does not match. Of `node_modules` it sees only what git tracks, and an ignore file hides
nothing that git tracks. Symbolic links are followed while they stay inside of the repository; a
directory that two links lead to is walked once for the same patterns.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from manni.base.repository import find_root
from manni.discovery.gitignore import IGNORE_NAME, Ignores, ignores_above, ignores_of
from manni.discovery.hits import GIT_NAME, Hit, Trouble, judge_link
from manni.discovery.reach import Scope
from manni.discovery.tracked import Tracked

MAX_DEPTH = 100
"""How deep directories may nest below the start of a walk."""

_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG})

_PACKAGES = "node_modules"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a walk selects and where it may go.

    Attributes:
        scope: where the patterns stand in the directory that the walk starts in.
        selects: whether a file, by its absolute path, is wanted; asked only about files whose
            names the patterns accept.
        skips: whether nothing below a directory, by its absolute path, is wanted.
        root: the directory that links may not leave, absolute and without links.
        tracked: what git tracks in the working tree at an absolute directory without links.
        gitignore: the top of the directories whose ignore files count, or None for none.
        asked: whether the start was asked for by name, so that it counts even when ignored.
        means: what the path of a directory means for the files in it, beside the patterns; a
            directory that links lead to is walked once for each meaning.
        tells: whether a link to nowhere, by its absolute path, is told although it is no file
            that is wanted.
    """

    scope: Scope
    selects: Callable[[str], bool]
    skips: Callable[[str], bool]
    root: str
    tracked: Callable[[str], Tracked]
    gitignore: str | None
    asked: bool = True
    means: Callable[[str], object] = lambda _: None
    tells: Callable[[str], bool] = lambda _: False


@dataclass(slots=True)
class _Place:
    """A directory to be walked; `packages` when only tracked files count in it."""

    path: str
    real: str
    scope: Scope
    tracked: Tracked
    ignores: Ignores | None
    ignored: bool
    packages: bool
    depth: int


@dataclass(slots=True)
class _Listing:
    """What matters of a directory."""

    directories: list[str]
    files: list[str]
    links: list[str]
    has_ignores: bool = False
    has_git: bool = False


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
        self._seen: set[tuple[str, Scope, object]] = set()

    def run(self, start: str) -> list[Hit]:
        top = self._rules.gitignore
        ignores, ignored = ignores_above(top, start) if top is not None else (None, False)
        ignored = ignored and not self._rules.asked
        real = os.path.realpath(start)
        self._push(
            _Place(
                start,
                real,
                self._rules.scope,
                self._tracked_around(real),
                ignores,
                ignored,
                packages=False,
                depth=0,
            )
        )
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
        meaning = None
        if place.path != place.real:
            meaning = self._rules.means(place.path)
            if meaning == self._rules.means(place.real):
                meaning = None
        key = (place.real, place.scope, meaning)
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
        if listing.has_git:
            place.tracked = self._rules.tracked(place.real)
        self._listed(place, listing)

    def _listed(self, place: _Place, listing: _Listing) -> None:
        for name in listing.files:
            path = _join(place.path, name)
            if self._rules.selects(path):
                self._file(place, name, path)
        for name in listing.directories:
            self._enter(place, name)
        for name in listing.links:
            if _matters(place, name) and (not place.ignored or self._is_tracked(place, name)):
                self._links.append((name, place))

    def _file(self, place: _Place, name: str, path: str) -> None:
        left_out = place.packages or self._ignored(place, path)
        if left_out and self._is_tracked(place, name):
            left_out = False
        if not left_out or not place.packages:
            real = None if place.real == place.path else _join(place.real, name)
            self._found.append(Hit(path, real, left_out))

    def _enter(self, place: _Place, name: str) -> None:
        scope = place.scope.enter(name)
        if not scope.alive:
            return
        path = _join(place.path, name)
        if self._rules.skips(path):
            return
        real = path if place.real == place.path else _join(place.real, name)
        packages = place.packages or name == _PACKAGES
        if packages and not place.tracked.holds_below(real):
            return
        ignored = self._ignored(place, path, directory=True)
        self._push(
            _Place(
                path, real, scope, place.tracked, place.ignores, ignored, packages, place.depth + 1
            )
        )

    def _ignored(self, place: _Place, path: str, *, directory: bool = False) -> bool:
        if place.ignored or place.ignores is None:
            return place.ignored
        return place.ignores.is_ignored(path, directory=directory)

    def _is_tracked(self, place: _Place, name: str) -> bool:
        return place.tracked.holds(_join(place.real, name))

    def _tracked_around(self, real: str) -> Tracked:
        return self._rules.tracked(str(find_root(Path(real)) or real))

    def _link(self, name: str, place: _Place) -> None:
        path = _join(place.path, name)
        is_file = place.scope.accepts(name) and self._rules.selects(path)
        scope = place.scope.enter(name)
        is_directory = os.path.isdir(path)  # noqa: PTH112 - a path object for each link is slow
        if is_directory:
            is_wanted = is_file or (scope.alive and not self._rules.skips(path))
        else:
            is_wanted = is_file or self._rules.tells(path)
        if not is_wanted:
            return
        packages = place.packages or name == _PACKAGES
        if (packages or self._ignored(place, path)) and not self._is_tracked(place, name):
            if not packages and not is_directory:
                self._found.append(Hit(path, ignored=True))
            return
        hit = judge_link(path, self._rules.root)
        if hit.trouble or not is_directory:
            self._found.append(hit)
        elif hit.real is not None:
            self._linked(place, scope, path, hit.real)

    def _linked(self, place: _Place, scope: Scope, path: str, real: str) -> None:
        tracked = self._tracked_around(real)
        packages = _PACKAGES in real[len(self._rules.root) :].split("/")
        if not packages or tracked.holds_below(real):
            self._push(
                _Place(
                    path,
                    real,
                    scope,
                    tracked,
                    place.ignores,
                    ignored=False,
                    packages=packages,
                    depth=place.depth + 1,
                )
            )


def _matters(place: _Place, name: str) -> bool:
    return bool(place.scope.accepts(name)) or place.scope.enter(name).alive


def _list(path: str, scope: Scope) -> _Listing:
    """Read a directory, keeping only what the patterns accept and what must be entered."""
    if scope.literals is not None:
        return _probe(path, scope.literals)
    directories: list[str] = []
    files: list[str] = []
    links: list[str] = []
    has_ignores = has_git = False
    accepts = scope.accepts
    with os.scandir(path) as entries:
        for entry in entries:
            name = entry.name
            if name == GIT_NAME:
                has_git = True
            elif entry.is_dir(follow_symlinks=False):
                directories.append(name)
            elif entry.is_symlink():
                links.append(name)
            else:
                if accepts(name):
                    files.append(name)
                if name == IGNORE_NAME:
                    has_ignores = True
    return _Listing(directories, files, links, has_ignores, has_git)


def _probe(path: str, names: frozenset[str]) -> _Listing:
    """Look for a few names in a directory, however much else it holds."""
    has_git = os.path.lexists(_join(path, GIT_NAME))
    listing = _Listing([], [], [], has_ignores=True, has_git=has_git)
    for name in sorted(names - {GIT_NAME}):
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
