"""What git tracks in a working tree, read from its index without a git program.

`dulwich` reads the index (versions 2 to 4). It is imported when an ignore rule took something away
that only the index can bring back, since the import takes longer than many a run.

Nobody can commit an index, so it is trusted as far as the machine is. One that cannot be read ends
the run: taken for empty, it would hide what it should bring back.
"""

from __future__ import annotations

import io
import os
import re
import struct
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from manni.base.boundary import leaves_boundary
from manni.base.errors import TargetError
from manni.base.repository import common_directory, git_directory
from manni.base.text import visible

MAX_INDEX = 1 << 29
"""Size limit of an index, in bytes."""

_LONGEST_PATH = 4096
_DAMAGED = (
    "it is damaged, split, or of an unknown version "
    "(`git update-index --no-split-index` joins a split one)"
)
_SHA256 = re.compile(rb"^\s*objectformat\s*=\s*sha256\s*$", re.IGNORECASE | re.MULTILINE)
# How an index starts whose paths are not packed.
_UNPACKED = (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3")


class Tracked:
    """The paths that the index of one working tree names.

    Args:
        top: the directory that holds the `.git` entry, absolute and without links; where there is
            none, nothing is tracked.

    Raises:
        TargetError: by each method, the index is there and cannot be read.
    """

    def __init__(self, top: str) -> None:
        self._top = top
        self._prefix = f"{top.rstrip('/')}/"

    def holds(self, path: str) -> bool:
        """Whether a file or a link is tracked, by its absolute path without links above it."""
        return path.startswith(self._prefix) and path[len(self._prefix) :] in self._names

    def holds_below(self, path: str) -> bool:
        """Whether anything below a directory is tracked, by its absolute path without links."""
        if not path.startswith(self._prefix):
            return False
        _, _, name = path.rpartition("/")
        # Nearly every `node_modules` is known to hold nothing without reading names one by one.
        if self._data.startswith(_UNPACKED) and os.fsencode(f"{name}/") not in self._data:
            return False
        return path[len(self._prefix) :] in self._directories

    @cached_property
    def _index(self) -> Path:
        return (git_directory(Path(self._top)) or Path(self._top, ".git")) / "index"

    @cached_property
    def _data(self) -> bytes:
        try:
            if leaves_boundary(self._index):
                return b""
            with self._index.open("rb") as file:
                data = file.read(MAX_INDEX + 1)
        except (FileNotFoundError, NotADirectoryError):
            return b""
        except (OSError, ValueError) as error:
            raise self._unreadable(getattr(error, "strerror", None) or "unknown reason") from error
        if len(data) > MAX_INDEX:
            raise self._unreadable(f"it is larger than {MAX_INDEX >> 20} MiB")
        return data

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(map(os.fsdecode, self._read())) if self._data else frozenset()

    @cached_property
    def _directories(self) -> frozenset[str]:
        found: set[str] = set()
        for name in self._names:
            above, _, _ = name.rpartition("/")
            while above and above not in found:
                found.add(above)
                above, _, _ = above.rpartition("/")
        return frozenset(found)

    def _read(self) -> Iterator[bytes]:
        from dulwich.index import UnsupportedIndexFormat, read_index
        from dulwich.object_format import SHA1, SHA256

        file = io.BytesIO(self._data)
        try:
            for entry in read_index(file, SHA256 if self._is_sha256() else SHA1):
                if not 0 < len(entry.name) <= _LONGEST_PATH:
                    raise self._unreadable(_DAMAGED)
                yield entry.name
        except (
            *(AssertionError, EOFError, IndexError, OverflowError, ValueError),
            *(struct.error, UnsupportedIndexFormat),
        ) as error:
            raise self._unreadable(_DAMAGED) from error
        if file.read(4) == b"link":
            raise self._unreadable(_DAMAGED)

    def _is_sha256(self) -> bool:
        common = common_directory(Path(self._top))
        try:
            return bool(common and _SHA256.search((common / "config").read_bytes()))
        except OSError:
            return False

    def _unreadable(self, reason: str) -> TargetError:
        return TargetError(
            f"git's index cannot be read, so it cannot bring back ignored files: {reason}",
            where=visible(str(self._index)),
        )
