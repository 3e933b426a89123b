"""Which collections a file is a member of: the config's, and the built-in ones.

The built-in collections are `claude-skills`, all `SKILL.md` files, and `claude-agents`: the
Markdown files below an `.claude/agents` directory or below the `agents` directory of a plugin,
but for those called `README.md`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from manni.discovery.globs import Matcher
from manni.discovery.reach import Scope, Steps, advance

if TYPE_CHECKING:
    from manni.model.config import Collection

BUILT_IN = (
    ("claude-skills", ("**/SKILL.md",), ()),
    ("claude-agents", ("**/.claude/agents/**/*.md",), ("**/README.md",)),
)
"""Name, paths and exclude of each built-in collection, as a config would have them."""

PLUGIN_FOLDERS = (("claude-agents", "agents"),)
"""Which directories of a plugin hold what: the name of the collection and of the directory."""

_PLUGIN_FILE = ".claude-plugin/plugin.json"


class Members:
    """The members of some collections of a config.

    Args:
        directory: the config's, absolute; a file outside of it is a member of nothing.
        collections: those that count.
    """

    def __init__(self, directory: str, collections: Iterable[Collection]) -> None:
        self._directory = directory
        self._matchers = [
            (item.name, Matcher(item.paths), Matcher(item.exclude)) for item in collections
        ]
        below = [exclude.below() for _, _, exclude in self._matchers]
        self._pruning = below if all(exclude.patterns for exclude in below) else []

    def of(self, path: str) -> tuple[str, ...]:
        """The names of the collections that a file, by its absolute path, is a member of."""
        if not self._matchers:
            return ()
        key = relative(path, self._directory)
        if key is None:
            return ()
        return tuple(
            name
            for name, paths, exclude in self._matchers
            if paths.match(key) and not exclude.match(key)
        )

    def excludes_all_below(self, path: str) -> bool:
        """Whether every collection excludes all that is below a directory."""
        if not self._pruning:
            return False
        key = relative(path, self._directory)
        return key is not None and all(exclude.match(key) for exclude in self._pruning)

    def reach(self, start: str) -> list[Steps]:
        """What the patterns are in the directory that a walk starts in."""
        return patterns_at(start, self._directory, [paths for _, paths, _ in self._matchers])


class BuiltInMembers:
    """The members of the built-in collections.

    Args:
        root: the top of the repository, or the directory that stands for it, absolute.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._is_plugin = lru_cache(maxsize=None)(_is_plugin)
        folders: dict[str, list[str]] = {}
        for name, folder in PLUGIN_FOLDERS:
            folders.setdefault(name, []).append(folder)
        # No `pathspec` here: importing it takes longer than a run of one file.
        self._rows = [
            (name, _scope(paths), _scope(exclude), folders.get(name, ()))
            for name, paths, exclude in BUILT_IN
        ]

    def of(self, path: str) -> tuple[str, ...]:
        """The names of the built-in collections that a file, by its absolute path, belongs to."""
        inside = relative(path, self._root)
        key = path.lstrip("/") if inside is None else inside
        return tuple(
            name
            for name, paths, exclude, folders in self._rows
            if (paths.reaches(key) or any(self._is_of_plugin(path, key, item) for item in folders))
            and not exclude.reaches(key)
        )

    def _is_of_plugin(self, path: str, key: str, folder: str) -> bool:
        """Whether a Markdown file is somewhere below this directory of a plugin."""
        if not key.endswith(".md") or f"/{folder}/" not in f"/{key}":
            return False
        above = path.removesuffix(key).rstrip("/")
        parents = key.split("/")[:-1]
        return any(
            parent == folder and self._is_plugin("/".join([above, *parents[:index]]))
            for index, parent in enumerate(parents)
        )

    def reach(self, start: str) -> list[Steps]:
        """What the patterns are in the directory that a walk starts in."""
        patterns = [pattern for _, paths, _ in BUILT_IN for pattern in paths]
        plugins = [f"**/{folder}/**/*.md" for _, folder in PLUGIN_FOLDERS]
        return patterns_at(start, self._root, [Matcher([*patterns, *plugins])])


def _scope(patterns: Iterable[str]) -> Scope:
    return Scope.of(Matcher(patterns).alternatives())


def _is_plugin(directory: str) -> bool:
    return os.path.isfile(f"{directory}/{_PLUGIN_FILE}")  # noqa: PTH113


def patterns_at(start: str, base: str, matchers: Iterable[Matcher]) -> list[Steps]:
    """What patterns are in a directory.

    Args:
        start: the directory, absolute.
        base: the directory that the patterns are relative to, absolute.
        matchers: the patterns.

    Returns:
        Nothing when neither directory is inside of the other.
    """
    patterns = [item for matcher in matchers for item in matcher.alternatives()]
    below = relative(start, base)
    if below is not None:
        for name in filter(None, below.split("/")):
            patterns = list(advance(patterns, name))
        return patterns
    above = relative(base, start)
    return [] if above is None else [(*above.split("/"), *steps) for steps in patterns]


def relative(path: str, directory: str) -> str | None:
    """A path relative to a directory, `""` for itself; None when it is outside."""
    prefix = directory if directory.endswith("/") else f"{directory}/"
    if path.startswith(prefix):
        return path[len(prefix) :]
    return "" if path == directory else None
