"""Claude Code plugins: the directories that hold one, and the files that it names itself."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from manni.discovery.hits import is_inside
from manni.discovery.kinds import BY_ID, Kind

FOLDERS = {folder: kind for kind in BY_ID.values() for folder in kind.plugin_folders}
"""The kinds of the files in a plugin, by the directory at its top that holds them."""

_FILE = ".claude-plugin/plugin.json"
_KEYS = {
    "agents": BY_ID["claude-agent"],
    "commands": BY_ID["claude-command"],
    "outputStyles": BY_ID["claude-output-style"],
}
_MOST_BYTES = 1 << 20
_MOST_PATHS = 1_000


@dataclass(frozen=True, slots=True)
class Plugin:
    """One plugin.

    Attributes:
        directory: absolute.
        outer: the plugin that this one lies in.
        named: the kinds of the files and directories that its `plugin.json` names, by their
            absolute paths.
    """

    directory: str
    outer: Plugin | None
    named: dict[str, Kind]

    def kind_at(self, path: str) -> Kind | None:
        """The kind that this plugin, or one around it, gives to a file or directory by name."""
        plugin: Plugin | None = self
        while plugin is not None:
            if path in plugin.named:
                return plugin.named[path]
            plugin = plugin.outer
        return None


def plugin_at(directory: str, real_root: str, outer: Plugin | None) -> Plugin | None:
    """The plugin in a directory, or None when there is none.

    Args:
        directory: absolute.
        real_root: the directory that links may not leave, absolute and without links; what lies
            outside is not opened.
        outer: the plugin that the directory lies in.
    """
    path = f"{directory}/{_FILE}"
    if not os.path.isfile(path):  # noqa: PTH113 - asked of every directory
        return None
    named: dict[str, Kind] = {}
    if is_inside(os.path.realpath(path), real_root):
        for key, value in _read(path).items():
            kind = _KEYS.get(key)
            if kind is not None:
                named.update((each, kind) for each in _inside(directory, _paths(value)))
    return Plugin(directory, outer, named)


def _read(path: str) -> dict[str, Any]:
    """The content of a `plugin.json`; empty where it is too large or wrong, which hosts tell."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - the path is text
            data = file.read(_MOST_BYTES + 1)
        value = json.loads(data) if len(data) <= _MOST_BYTES else {}
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _paths(value: object) -> Iterator[str]:
    """The paths of a key: a string, a list of strings, or an object of commands."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (each for each in value[:_MOST_PATHS] if isinstance(each, str))
    elif isinstance(value, dict):
        sources = (each.get("source") for each in value.values() if isinstance(each, dict))
        yield from (each for each in sources if isinstance(each, str))


def _inside(directory: str, paths: Iterable[str]) -> Iterator[str]:
    """The absolute paths of what lies below a plugin's directory."""
    for text in paths:
        if text.startswith("./") and "\0" not in text:
            path = os.path.normpath(f"{directory}/{text}")
            if path != directory and is_inside(path, directory):
                yield path
