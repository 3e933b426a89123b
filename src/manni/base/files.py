"""Writing files so that a reader meets the old content or the new, never a part."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path


def write_file(path: Path, pieces: Iterable[str]) -> None:
    """Put text, given piece by piece, in a file as UTF-8, at once or not at all.

    A symbolic link is kept, and the file that it names is replaced. What is no regular file, such
    as a pipe, is written to as it is. A lone surrogate is written as an escape.

    Raises:
        OSError: the file cannot be written, for instance since its directory does not exist.
    """
    data = (piece.encode("utf-8", "backslashreplace") for piece in pieces)
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        replace_file(target, data, 0o666 & ~_umask())
        return
    if stat.S_ISREG(mode):
        replace_file(target, data, stat.S_IMODE(mode))
    else:
        with target.open("wb") as file:
            file.writelines(data)


def replace_file(
    path: Path, data: Iterable[bytes], mode: int, *, ready: Callable[[], None] | None = None
) -> None:
    """Put bytes, given piece by piece, in the place of a regular file, at once or not at all.

    Args:
        path: the file itself, not a link to it.
        data: its new content.
        mode: its permission bits.
        ready: called when only the last step is left; what it raises leaves the file as it is.

    Raises:
        OSError: the file cannot be written.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:60]}.", dir=path.parent)
    temporary = Path(name)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
            file.writelines(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        if ready is not None:
            ready()
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
