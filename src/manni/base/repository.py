"""The repository around a directory, found without a git program."""

from __future__ import annotations

import os
from pathlib import Path

_LONGEST_PATH = 4096


def is_file(path: Path) -> bool:
    """Whether a path leads to a regular file; False also when nobody may know."""
    return os.path.isfile(path)  # noqa: PTH113 - pathlib raises where a directory is closed


def find_root(start: Path) -> Path | None:
    """The nearest directory, `start` or one above it, that holds a `.git` entry.

    The entry may be a directory, or a file as in a worktree or a submodule.

    Args:
        start: an absolute directory.

    Returns:
        The directory, or None when no ancestor has such an entry.
    """
    for directory in (start, *start.parents):
        if os.path.lexists(directory / ".git"):
            return directory
    return None


def git_directory(root: Path) -> Path | None:
    """The directory of git's own files for one working tree (gitrepository-layout(5)).

    Args:
        root: a directory that may hold a `.git` entry.

    Returns:
        `.git` itself, or where the `.git` file of a worktree or a submodule leads; None when there
        is none.
    """
    entry = root / ".git"
    if os.path.isdir(entry):  # noqa: PTH112 - pathlib raises where a directory is closed
        return entry
    line = _first_line(entry)
    return root / line.removeprefix("gitdir:").strip() if line.startswith("gitdir:") else None


def common_directory(root: Path) -> Path | None:
    """The directory that all worktrees of a repository share (gitrepository-layout(5)).

    Args:
        root: a directory that may hold a `.git` entry.

    Returns:
        The repository's, whichever of its worktrees this is; None when there is none.
    """
    private = git_directory(root)
    shared = _first_line(private / "commondir") if private else ""
    return private / shared if private and shared else private


def _first_line(path: Path) -> str:
    if not is_file(path):
        return ""
    try:
        with path.open("rb") as file:
            line = file.readline(_LONGEST_PATH)
    except OSError:
        return ""
    text = line.decode("utf-8", "surrogateescape").strip()
    return "" if "\0" in text else text
