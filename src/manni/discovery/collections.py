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

from manni.discovery.glob_reach import Reach, State
from manni.discovery.globs import Matcher

if TYPE_CHECKING:
    from manni.model.config import Collection

SKILLS = "claude-skills"
AGENTS = "claude-agents"

_PLUGIN_FILE = ".claude-plugin/plugin.json"
_BUILT_IN_PATTERNS = ("**/SKILL.md", "**/agents/**/*.md")


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

    def scope(self, start: str) -> State | None:
        """Where the patterns stand in the directory that a walk starts in."""
        return scope_at(start, self._directory, [paths for _, paths, _ in self._matchers])


class BuiltInMembers:
    """The members of the built-in collections.

    Args:
        root: the top of the repository, or the directory that stands for it, absolute.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._is_plugin = lru_cache(maxsize=None)(_is_plugin)
        self._matcher = Matcher(_BUILT_IN_PATTERNS)

    def of(self, path: str) -> tuple[str, ...]:
        """The names of the built-in collections that a file, by its absolute path, belongs to."""
        skills = (SKILLS,) if path.endswith("/SKILL.md") else ()
        if "/agents/" not in path:
            return skills
        inside = relative(path, self._root)
        *parents, name = (path.lstrip("/") if inside is None else inside).split("/")
        agents = (AGENTS,) if self._is_agent(path, parents, name) else ()
        return skills + agents

    def _is_agent(self, path: str, parents: list[str], name: str) -> bool:
        if not name.endswith(".md") or name == "README.md" or "agents" not in parents:
            return False
        above = path.removesuffix("/".join([*parents, name])).rstrip("/")
        for index, parent in enumerate(parents):
            if parent != "agents":
                continue
            if index and parents[index - 1] == ".claude":
                return True
            if self._is_plugin("/".join([above, *parents[:index]])):
                return True
        return False

    def scope(self, start: str) -> State | None:
        """Where the patterns stand in the directory that a walk starts in."""
        return scope_at(start, self._root, [self._matcher])


def _is_plugin(directory: str) -> bool:
    return os.path.isfile(f"{directory}/{_PLUGIN_FILE}")  # noqa: PTH113


def scope_at(start: str, base: str, matchers: Iterable[Matcher]) -> State | None:
    """Where patterns stand in a directory.

    Args:
        start: the directory, absolute.
        base: the directory that the patterns are relative to, absolute.
        matchers: the patterns.

    Returns:
        None when neither directory is inside of the other.
    """
    alternatives = [item for matcher in matchers for item in matcher.alternatives()]
    below = relative(start, base)
    if below is not None:
        state = Reach(alternatives).start
        for name in filter(None, below.split("/")):
            state = state.enter(name)
        return state
    above = relative(base, start)
    return None if above is None else Reach(alternatives, below=above.split("/")).start


def relative(path: str, directory: str) -> str | None:
    """A path relative to a directory, `""` for itself; None when it is outside."""
    prefix = directory if directory.endswith("/") else f"{directory}/"
    if path.startswith(prefix):
        return path[len(prefix) :]
    return "" if path == directory else None
