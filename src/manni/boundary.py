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

_boundary: ContextVar[str | None] = ContextVar("boundary", default=None)


@contextmanager
def confined(directory: Path) -> Iterator[None]:
    """Let nothing outside of the directory be read until the context ends."""
    token = _boundary.set(os.path.realpath(directory))
    try:
        yield
    finally:
        _boundary.reset(token)


def leaves_boundary(path: Path | str) -> bool:
    """Whether the run is confined and the path, links resolved, is outside of where it may read.

    Raises:
        OSError: links cannot be resolved.
        ValueError: the path holds a NUL character.
    """
    boundary = _boundary.get()
    if boundary is None:
        return False
    real = os.path.realpath(path)
    return real != boundary and not real.startswith(f"{boundary.rstrip('/')}/")
