"""The bytes of an artifact, and the text that they are."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from typing import TYPE_CHECKING

from manni.base.boundary import LEAVES, leaves_boundary
from manni.documents.faults import parse_fault
from manni.documents.lines import Lines
from manni.model.findings import Span

if TYPE_CHECKING:
    from pathlib import Path

MAX_FILE = 64 << 20
"""Size limit of a file, in bytes."""

_SOME = 1 << 16
_FOR_READING = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_file(path: Path | str) -> bytes:
    """The bytes of a regular file, at most `MAX_FILE` of them.

    Never waits: a pipe or a device in the place of a file is refused and not read.

    Raises:
        DocumentFault: it is not a regular file, it is too large, or the system refuses it.
    """
    try:
        if leaves_boundary(path):
            raise parse_fault(LEAVES)
        descriptor = os.open(path, _FOR_READING)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise parse_fault("this is not a regular file, so there is nothing to read")
            return _read_all(descriptor, status.st_size)
        finally:
            os.close(descriptor)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise parse_fault(f"the file cannot be read: {reason}") from error
    except ValueError as error:
        raise parse_fault("the file cannot be read: its name holds a NUL character") from error


def _read_all(descriptor: int, size: int) -> bytes:
    wanted = min(size, MAX_FILE) + 1
    chunk = os.read(descriptor, wanted)
    if len(chunk) == size < wanted:
        return chunk  # one more was asked for, so the file has no more than the system said
    chunks: list[bytes] = []
    total = 0
    while chunk:
        chunks.append(chunk)
        total += len(chunk)
        require_size(total)
        chunk = os.read(descriptor, max(wanted, _SOME))
    return b"".join(chunks)


def require_size(size: int) -> None:
    """Refuse a file of more than `MAX_FILE` bytes.

    Raises:
        DocumentFault: it is larger.
    """
    if size > MAX_FILE:
        message = "the file is larger than 64 MiB, which is more than an artifact may hold"
        raise parse_fault(message)


def decode(data: bytes) -> str:
    """The text of UTF-8 bytes, without a leading byte-order mark.

    Raises:
        DocumentFault: the bytes are not UTF-8; it points at the first wrong one, or at the start
            of a file that is UTF-16 or UTF-32.
    """
    if 0 in data[:64]:
        _refuse_wide(data[:64])
    try:
        return data.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        if data.startswith(_UTF16):
            raise _wide("UTF-16") from error
        bad = data.removeprefix(_BOM)
        before = bad[: error.start].decode()
        where = Lines(before).span(len(before), len(before))
        message = f"byte 0x{bad[error.start]:02x} here is not UTF-8; save the file as UTF-8"
        raise parse_fault(message, replace(where, end_column=where.column + 1)) from error


def _refuse_wide(start: bytes) -> None:
    """Letters of two or four bytes each, with a mark or without: half of them or more are NUL."""
    share = start.count(0) / len(start)
    if share >= 0.3:
        raise _wide("UTF-32" if share > 0.6 else "UTF-16")


def _wide(encoding: str) -> Exception:
    message = f"the file is {encoding}, and only UTF-8 is read; save it as UTF-8"
    return parse_fault(message, Span(1, 1, 1, 2))
