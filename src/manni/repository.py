"""The repository around a directory, found without a git program."""

from __future__ import annotations

import os
from pathlib import Path


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
