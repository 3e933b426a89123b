"""A directory that a run may be confined to, whatever a config or a link in it names.

The action checks repositories of strangers on machines that hold more than the repository. It
runs inside `confined`; the few functions that open files ask `leaves_boundary` first.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

LEAVES = "it leads out of the workspace, so it was not opened"
"""What is said of a path that leaves the boundary."""

_MOST_KNOWN = 10_000
"""How many directories are known at a time, about 1 MB of names."""


class _Boundary:
    """One such directory.

    Resolving all links of a path takes longer than reading the file that it names, so directories
    that were reached without a link are known again.
    """

    def __init__(self, directory: str) -> None:
        self._top = directory
        self._prefix = f"{directory.rstrip('/')}/"
        self._plain: set[str] = set()

    def holds(self, path: str) -> bool:
        """Whether a path, links resolved, is the directory or inside of it."""
        if os.path.normpath(path) == path and path.startswith(self._prefix):
            above, _, _ = path.rpartition("/")
            if not os.path.islink(path) and self._is_plain(above):  # noqa: PTH114
                return True
        real = os.path.realpath(path)
        return real == self._top or real.startswith(self._prefix)

    def _is_plain(self, directory: str) -> bool:
        """Whether no link leads from the top to a directory below it."""
        met: list[str] = []
        while len(directory) >= len(self._prefix) and directory not in self._plain:
            if os.path.islink(directory):  # noqa: PTH114
                return False
            met.append(directory)
            directory, _, _ = directory.rpartition("/")
        if len(self._plain) > _MOST_KNOWN:
            self._plain.clear()
        self._plain.update(met)
        return True


_boundary: ContextVar[_Boundary | None] = ContextVar("boundary", default=None)


@contextmanager
def confined(directory: Path) -> Iterator[None]:
    """Let nothing outside of the directory be read until the context ends."""
    token = _boundary.set(_Boundary(os.path.realpath(directory)))
    try:
        yield
    finally:
        _boundary.reset(token)


def leaves_boundary(path: Path | str) -> bool:
    """Whether the run is confined and the path, links resolved, is outside of where it may read.

    Raises:
        OSError: links cannot be resolved.
        ValueError: the path holds a NUL character, unless it is spelled as one inside; then whoever
            opens it is told.
    """
    boundary = _boundary.get()
    return boundary is not None and not boundary.holds(os.fspath(path))
