"""Writing mended files: at once or not at all, and only over what was checked."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from manni.base.boundary import leaves_boundary
from manni.base.files import replace_file

_CHANGED = "it changed while it was checked, so it was left alone; run again"


class NotWritten(Exception):  # noqa: N818 - it is an outcome, told beside others
    """A file was left as it is; the message says why, without the file's name."""


def write(path: Path, before: bytes, after: bytes, *, root: Path | None) -> None:
    """Put mended bytes in a file.

    A reader meets the old bytes or the new ones, whenever the process ends. The permission bits
    stay. A symbolic link stays one, and the file that it names is written, where that is inside
    of the repository.

    Args:
        path: the file.
        before: the bytes that were checked.
        after: what to write.
        root: the directory of the repository, absolute; None when there is none. A file outside
            of it may be a link to one in its own directory.

    Raises:
        NotWritten: the file was left alone.
    """
    try:
        target = _target(path, root)
        status = _unchanged(target, before)
        identity = _identity(status)

        def ready() -> None:
            if _identity(target.stat(follow_symlinks=False)) != identity:
                raise NotWritten(_CHANGED)

        replace_file(target, (after,), stat.S_IMODE(status.st_mode), ready=ready)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise NotWritten(f"it cannot be written: {reason}") from error


def _target(path: Path, root: Path | None) -> Path:
    """The file itself behind links."""
    spelled = Path(os.path.abspath(path))  # noqa: PTH100 - `resolve` would follow links
    inside = root is not None and spelled.is_relative_to(root)
    within = os.path.realpath(root if root is not None and inside else spelled.parent)
    real = Path(os.path.realpath(spelled))
    if leaves_boundary(path) or not real.is_relative_to(within):
        raise NotWritten("it is a link that leads out of the repository, so it was left alone")
    return real


def _unchanged(target: Path, before: bytes) -> os.stat_result:
    descriptor = os.open(target, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor has no path
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or file.read(len(before) + 1) != before:
            raise NotWritten(_CHANGED)
    if not status.st_mode & 0o222:
        raise NotWritten("it is write-protected, so it was left alone")
    return status


def _identity(status: os.stat_result) -> tuple[int, ...]:
    """What differs once somebody else has written a file or put another in its place."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
