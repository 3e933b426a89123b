"""Which collections of a config a file is a member of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from manni.discovery.globs import Matcher
from manni.discovery.reach import Steps, advance

if TYPE_CHECKING:
    from manni.model.config import Collection


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

    def exclude(self, path: str) -> bool:
        """Whether a collection excludes a file, by its absolute path, and none has it."""
        key = relative(path, self._directory)
        if key is None or self.of(path):
            return False
        return any(exclude.match(key) for _, _, exclude in self._matchers)

    def excludes_all_below(self, path: str) -> bool:
        """Whether every collection excludes all that is below a directory."""
        if not self._pruning:
            return False
        key = relative(path, self._directory)
        return key is not None and all(exclude.match(key) for exclude in self._pruning)

    def reach(self, start: str) -> list[Steps]:
        """What the patterns are in the directory that a walk starts in."""
        return patterns_at(start, self._directory, [paths for _, paths, _ in self._matchers])


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
