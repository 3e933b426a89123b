"""The workspace of a workflow: the one directory that the action reads, and writes reports into.

Whoever opens a pull request decides what stands there, so no link is followed on the way to a file
that is written, and nothing outside is reached.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

_CANNOT_CREATE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_EXISTING = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Workspace:
    """A directory tree that nothing may lead out of.

    Attributes:
        root: its absolute path, links resolved.
        given: the same as the runner names it.
    """

    root: Path
    given: Path

    @classmethod
    def at(cls, path: str) -> Workspace:
        """The workspace at an absolute path.

        Raises:
            OSError: there is no such directory.
        """
        root = Path(path).resolve(strict=True)
        if not root.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        return cls(root, Path(path))

    def is_empty(self) -> bool:
        """Whether there is nothing in it, as before a checkout."""
        with os.scandir(self.root) as entries:
            return next(entries, None) is None

    def directory(self, named: str) -> Path:
        """The absolute path of a directory, named relative to the root.

        Raises:
            OSError: there is none, or it cannot be reached.
            ValueError: it is outside.
        """
        path = self.inside(self.root, named)
        if not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        return path

    def inside(self, base: Path, named: str) -> Path:
        """The absolute path of what exists, named relative to a directory, links resolved.

        Raises:
            OSError: it does not exist, or cannot be reached.
            ValueError: it is outside.
        """
        path = (base / named).resolve(strict=True)
        path.relative_to(self.root)
        return path

    def relative(self, named: str) -> PurePosixPath:
        """A path as it is spelled, relative to the root; it need not exist.

        Args:
            named: relative to the root, or absolute and inside.

        Raises:
            ValueError: it leads out.
        """
        path = Path(os.path.normpath(self.given / named))
        base = self.given if path.is_relative_to(self.given) else self.root
        return PurePosixPath(path.relative_to(base))

    def write(self, path: PurePosixPath, text: str) -> None:
        """Put text in a file below the root as UTF-8; a reader meets the old content or the new.

        Missing directories are made. A link at the path is replaced, and one on the way to it is an
        error. Where nothing can be created beside the file, as in a workspace that is read-only but
        for it, it is written in place. A lone surrogate is written as an escape.

        Raises:
            OSError: it cannot be written.
        """
        data = text.encode("utf-8", "backslashreplace")
        with ExitStack() as stack:
            directory = os.open(self.root, _DIRECTORY)
            stack.callback(os.close, directory)
            for name in path.parts[:-1]:
                directory = _enter(directory, name)
                stack.callback(os.close, directory)
            _put(directory, path.name, data)


def _enter(directory: int, name: str) -> int:
    try:
        return os.open(name, _DIRECTORY, dir_fd=directory)
    except FileNotFoundError:
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=directory)
        return os.open(name, _DIRECTORY, dir_fd=directory)


def _put(directory: int, name: str, data: bytes) -> None:
    temporary = f".manni.{os.urandom(8).hex()}"
    try:
        descriptor = os.open(temporary, _NEW, 0o644, dir_fd=directory)
    except OSError as error:
        if error.errno in _CANNOT_CREATE and _overwrite(directory, name, data):
            return
        raise
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
            _give_to_owner(descriptor, directory)
            file.write(data)
        os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
    except OSError as error:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=directory)
        # A file that is mounted on its own cannot be replaced.
        if error.errno == errno.EBUSY and _overwrite(directory, name, data):
            return
        raise


def _overwrite(directory: int, name: str, data: bytes) -> bool:
    """Write a regular file in place; False when there is none that can be written."""
    try:
        descriptor = os.open(name, _EXISTING, dir_fd=directory)
    except OSError:
        return False
    with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        os.ftruncate(descriptor, 0)
        file.write(data)
    return True


def _give_to_owner(descriptor: int, directory: int) -> None:
    """Let the file belong to whom its directory belongs to, so that later steps can remove it."""
    owner = os.fstat(directory)
    if owner.st_uid != os.geteuid():
        with suppress(OSError):
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
