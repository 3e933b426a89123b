"""What identifies a finding from one run to the next, whatever its message says.

Three identities, for three readers: `manniFinding/v1` for alerts, the one that a baseline records,
and code scanning's own hash of the line that a result points at.
"""

from __future__ import annotations

import hashlib
import re
import sys
from array import array
from collections.abc import Iterable
from operator import mul

from manni.model.findings import Finding

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

_UTF16 = "utf-16-le" if sys.byteorder == "little" else "utf-16-be"
_WINDOW = 100
_BASE = 37
_MASK = 2**64 - 1
_POWERS = [pow(_BASE, _WINDOW - 1 - place, 2**64) for place in range(_WINDOW)]
_END_OF_FILE = 0xFFFF
_FIRST_PREFIX = 4096


def fingerprint(finding: Finding) -> str:
    """`manniFinding/v1`: the identity of an alert, as 16 lower-case hexadecimal digits.

    The first half of the SHA-256 over schema, pointer, keyword and subject joined by NUL, where the
    pointer names list entries by their `id`, so that moving an entry keeps its alerts.
    """
    pointer = finding.pointer if finding.identity is None else finding.identity
    return _digest(finding, pointer)


def baseline_fingerprint(finding: Finding) -> str:
    """The identity that baselines record: `fingerprint` over the plain pointer."""
    return _digest(finding, finding.pointer)


def _digest(finding: Finding, pointer: str) -> str:
    joined = "\0".join((finding.schema, pointer, finding.keyword, finding.subject or ""))
    return hashlib.sha256(_utf8(joined)).hexdigest()[:16]


def _utf8(text: str) -> bytes:
    """UTF-8, with U+FFFD for each lone surrogate, as JavaScript encodes such a string."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", text).encode()


def line_hashes(text: str, lines: Iterable[int]) -> dict[int, str]:
    """Code scanning's `primaryLocationLineHash` of the given 1-based lines.

    The hash of a line is a rolling one over the 100 UTF-16 code units from its start, blanks and
    the difference between line ends aside, and so says which line it is even when lines above it
    come and go. A count tells lines apart that hash alike.

    Args:
        text: the whole file decoded as UTF-8, bad bytes as U+FFFD, byte-order mark included.
        lines: the lines wanted; those that the file does not have get no hash.

    Returns:
        `<hash in hexadecimal>:<n>` by line, where this is the n-th line with that hash.
    """
    wanted = {line for line in lines if line > 0}
    if not wanted:
        return {}
    units, starts = _units(text, max(wanted))
    covered = units.tobytes()
    hashes: dict[int, str] = {}
    seen: dict[bytes, int] = {}
    for line, start in enumerate(starts, start=1):
        # Lines hash alike when the same units follow; working out all hashes would say no more.
        window = covered[start * units.itemsize : (start + _WINDOW) * units.itemsize]
        seen[window] = seen.get(window, 0) + 1
        if line in wanted:
            value = sum(map(mul, units[start : start + _WINDOW], _POWERS)) & _MASK
            hashes[line] = f"{value:x}:{seen[window]}"
    return hashes


def _units(text: str, last_line: int) -> tuple[array[int], list[int]]:
    """The code units that the first `last_line` lines' hashes cover, and where each line starts."""
    size = _FIRST_PREFIX
    while True:
        whole = size >= len(text)
        # A CR at the cut becomes an LF in any case, and the LF that may follow it is dropped.
        kept = text[:size].replace("\r\n", "\n").replace("\r", "\n")
        kept = kept.replace(" ", "").replace("\t", "")
        units = array("H", kept.encode(_UTF16, "surrogatepass"))
        if whole:
            units.append(_END_OF_FILE)
            units.extend([0] * _WINDOW)
        starts = _line_starts(units, last_line, whole=whole)
        if whole or (len(starts) == last_line and starts[-1] + _WINDOW <= len(units)):
            return units, starts
        size *= 4


def _line_starts(units: array[int], last_line: int, *, whole: bool) -> list[int]:
    end = len(units) - _WINDOW - 1 if whole else len(units)
    starts = [0]
    position = 0
    while len(starts) < last_line:
        try:
            position = units.index(0x0A, position, end) + 1
        except ValueError:
            break
        starts.append(position)
    return starts
