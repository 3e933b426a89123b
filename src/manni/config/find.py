"""Finding the `manni.config.yaml` that governs a directory, without reading all that it says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from manni.base.errors import ConfigError
from manni.base.repository import find_root, is_file
from manni.base.text import visible
from manni.config.read import SECTIONS, read_config

CONFIG_NAMES = ("manni.config.yaml", "manni.config.yml")
"""The names of a config file, in the order they are looked for in a directory."""


@dataclass(frozen=True, slots=True)
class Search:
    """What a search for a config found.

    Attributes:
        path: the config, or None.
        notices: sentences about files that look like a config with a misspelled section.
    """

    path: Path | None = None
    notices: tuple[str, ...] = ()


def search_config(cwd: Path) -> Search:
    """Look for a config in a directory and then in each one above it.

    The search ends at the first directory with a `.git` entry, or at `cwd` when there is none. A
    file counts when it has one of the keys of `SECTIONS`; so does one that is empty, or that cannot
    be read or parsed, since passing it over would check the wrong files in silence.

    Args:
        cwd: an absolute directory.
    """
    root = find_root(cwd) or cwd
    notices: list[str] = []
    for directory in (cwd, *cwd.parents):
        for name in CONFIG_NAMES:
            path = directory / name
            if not is_file(path):
                continue
            keys = _keys(path)
            if not keys or not keys.isdisjoint(SECTIONS):
                return Search(path, tuple(notices))
            notices.extend(_misspelled(path, keys))
        if directory == root:
            break
    return Search(None, tuple(notices))


def _keys(path: Path) -> frozenset[str]:
    """The top-level keys of a config; none when it cannot be read."""
    try:
        return frozenset(read_config(path, str(path)).value)
    except ConfigError:
        return frozenset()


def _misspelled(path: Path, keys: frozenset[str]) -> list[str]:
    from manni.base.spelling import nearest

    guesses = {key: nearest(key, SECTIONS) for key in sorted(keys)}
    return [
        f"{visible(str(path))} is not used: did you mean `{guess}` where it says `{visible(key)}`?"
        for key, guess in guesses.items()
        if guess
    ]
