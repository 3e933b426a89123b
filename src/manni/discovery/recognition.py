"""Which kind a file is of, by its path.

The directories around a file are asked from the innermost outwards; the first one that a kind
keeps its files in, and that the file fits, decides. Where none does, the file's own name may.
Nothing is opened but the `plugin.json` of the plugins around.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from manni.discovery.kinds import KINDS, SKILL_FILE, SKILL_KINDS, Kind
from manni.discovery.plugins import FOLDERS as PLUGIN_FOLDERS
from manni.discovery.plugins import Plugin, plugin_at
from manni.discovery.reach import Steps

_FOLDERS = {folder: kind for kind in KINDS for folder in kind.folders}
_ENDS = tuple((end, kind) for kind in KINDS for end in kind.anywhere if end != SKILL_FILE)
(_ANY_SKILL,) = (kind for kind in KINDS if SKILL_FILE in kind.anywhere)

_NEVER = frozenset({"readme.md", "agents.md", "claude.md"})
_SKILL_FOLDERS = frozenset({"skills", "skill"})
_TELLING_NAMES = _SKILL_FOLDERS | {folder.partition("/")[0] for folder in _FOLDERS}
_ODD_SKILL_FILES = ("skill.md", "Skill.md", "SKILL.MD")
_FILES = re.compile(r".*\.(?:mdc|[mM][dD])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Recognized:
    """What a path says about a file.

    Attributes:
        kind: of the file.
        tree: the directory in which no two files of the kind should have one name, absolute.
        in_plugin: whether a plugin ships it.
    """

    kind: Kind
    tree: str
    in_plugin: bool = False


@dataclass(frozen=True, slots=True)
class _Folder:
    """A directory in which a kind keeps its files; `plugin` is the plugin's whose it is."""

    path: str
    kind: Kind
    plugin: str | None = None


@dataclass(slots=True)
class _Place:
    """A directory, and what the ones above it mean for the files in it.

    Attributes:
        folders: those that it is or lies in, the innermost first.
        plugin: the innermost that it is or lies in.
        is_plugin: whether it is one itself.
        holds_skill: whether there is a skill in it; None as long as nobody asked.
    """

    path: str
    name: str
    parent: _Place | None
    folders: tuple[_Folder, ...] = ()
    plugin: Plugin | None = None
    is_plugin: bool = False
    holds_skill: bool | None = None


class Recognizer:
    """Tells the kinds of the files of a run.

    Args:
        root: the top of the repository, or the directory that stands for it, absolute.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._real_root = os.path.realpath(root)
        self._places: dict[str, _Place] = {}

    def of(self, path: str) -> Recognized | None:
        """The kind of the file at an absolute path; None when it is of none."""
        directory, _, name = path.rpartition("/")
        low = name.casefold()
        if not low.endswith((".md", ".mdc")) or low in _NEVER:
            return None
        place = self._place(directory)
        plugin = place.plugin
        if plugin is not None and (named := plugin.kind_at(path)) is not None:
            return Recognized(named, plugin.directory, in_plugin=True)
        for folder in place.folders:
            if self._fits(folder, place, name):
                return Recognized(folder.kind, folder.plugin or folder.path, bool(folder.plugin))
        if low == "skill.md" and self._is_skill(place, name):
            return Recognized(_ANY_SKILL, _tree_of_skill(place))
        for end, kind in _ENDS:
            if name.endswith(end) and name != end:
                return Recognized(kind, directory)
        return None

    def is_folder(self, path: str) -> bool:
        """Whether files of some kind belong into the directory at an absolute path.

        The directory itself may be missing: so a link that leads nowhere is told.
        """
        place = self._place(path)
        above = place.parent
        if above is None:
            return False
        if any(folder.path == path for folder in place.folders):
            return True
        of_skills = any(f.path == above.path and f.kind.id in SKILL_KINDS for f in above.folders)
        of_plugin = above.name == "skills" and above.parent is not None and above.parent.is_plugin
        return of_skills or of_plugin

    def meaning(self, directory: str) -> object:
        """What a directory's path means for the files in it; equal where that is the same."""
        place = self._place(directory)
        innermost = place.folders[0] if place.folders else None
        return (
            innermost and innermost.kind.id,
            innermost and innermost.path == place.path,
            place.name if place.name in _TELLING_NAMES else None,
        )

    @staticmethod
    def reach() -> list[Steps]:
        """What may be of a kind, as patterns in whatever directory a walk starts in."""
        return [(None, _FILES)]

    def _fits(self, folder: _Folder, place: _Place, name: str) -> bool:
        kind = folder.kind
        if kind.name == SKILL_FILE:
            return name.casefold() == "skill.md" and self._is_skill(place, name)
        if not name.endswith(kind.extension) or (not kind.nested and folder.path != place.path):
            return False
        return not (kind.skipped_start and name.startswith(kind.skipped_start))

    def _is_skill(self, place: _Place, name: str) -> bool:
        """Whether a file called `SKILL.md`, in some case, is a skill and no skill's material."""
        if name != SKILL_FILE and not _may_be_odd(place):
            return False
        inner: _Place = place
        while inner.parent is not None and not _starts_anew(inner):
            inner = inner.parent
            if inner.parent is not None and _holds_skill(inner):
                return False
        return True

    def _place(self, directory: str) -> _Place:
        known = self._places.get(directory)
        if known is not None:
            return known
        # Paths may be deeper than functions can nest.
        missing = [directory]
        while (above := self._above(missing[-1])) is not None and above not in self._places:
            missing.append(above)
        for path in reversed(missing):
            above = self._above(path)
            self._places[path] = self._made(path, None if above is None else self._places[above])
        return self._places[directory]

    def _above(self, directory: str) -> str | None:
        """The directory around one; None for the root, and for the top of the file system."""
        if directory in (self._root, ""):
            return None
        return directory.rpartition("/")[0]

    def _made(self, path: str, parent: _Place | None) -> _Place:
        outer = parent.plugin if parent else None
        plugin = plugin_at(path, self._real_root, outer)
        if parent is None:
            return _Place(path, "", None, (), plugin, plugin is not None)
        name = path.rpartition("/")[2]
        found = self._folder(path, name, parent)
        folders = (found, *parent.folders) if found else parent.folders
        return _Place(path, name, parent, folders, plugin or outer, plugin is not None)

    def _folder(self, path: str, name: str, parent: _Place) -> _Folder | None:
        kind = _FOLDERS.get(f"{parent.name}/{name}") or _FOLDERS.get(name)
        if kind is not None:
            return _Folder(path, kind)
        plugin = parent.plugin
        if plugin is None:
            return None
        kind = plugin.kind_at(path)
        if kind is None and parent.is_plugin:
            kind = PLUGIN_FOLDERS.get(name)
        return _Folder(path, kind, plugin.directory) if kind else None


def _starts_anew(place: _Place) -> bool:
    """Whether what is above a directory makes nothing in it a skill's material."""
    is_folder = bool(place.folders) and place.folders[0].path == place.path
    return place.is_plugin or (is_folder and place.folders[0].kind.id in SKILL_KINDS)


def _holds_skill(place: _Place) -> bool:
    """Whether a directory is a skill's; one that is called `skills` holds those of others."""
    if place.holds_skill is None:
        names = (SKILL_FILE, *_ODD_SKILL_FILES) if _is_in_skills(place) else (SKILL_FILE,)
        place.holds_skill = place.name not in _SKILL_FOLDERS and any(
            os.path.isfile(f"{place.path}/{name}")  # noqa: PTH113 - asked of many directories
            for name in names
        )
    return place.holds_skill


def _is_in_skills(place: _Place) -> bool:
    return place.parent is not None and place.parent.name in _SKILL_FOLDERS


def _may_be_odd(place: _Place) -> bool:
    """Whether a file in a directory may be a skill although its name is in another case."""
    if not _is_in_skills(place):
        return False
    try:
        # Some file systems would say that the usual name is there, too.
        return SKILL_FILE not in os.listdir(place.path)  # noqa: PTH208 - names are wanted
    except OSError:
        return True


def _tree_of_skill(place: _Place) -> str:
    """The directory that holds a skill beside others: one called `skills`, else the one above."""
    above = place.parent
    while above is not None:
        if above.name in _SKILL_FOLDERS:
            return above.path
        above = above.parent
    return place.parent.path if place.parent else place.path
