"""What fixes change, as a unified diff that `git apply` takes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from manni.base.text import visible

_CONTEXT = 3
_MOST_COMPARED = 5000
_QUOTED = re.compile(rb'[\x00-\x1f"\\\x7f-\xff]')
_SHORT = {
    b"\a": b"\\a",
    b"\b": b"\\b",
    b"\t": b"\\t",
    b"\n": b"\\n",
    b"\v": b"\\v",
    b"\f": b"\\f",
    b"\r": b"\\r",
    b'"': b'\\"',
    b"\\": b"\\\\",
}
_NO_NEWLINE = b"\n\\ No newline at end of file\n"


def diff(path: str, before: bytes, after: bytes) -> bytes:
    """The diff of one file; empty when nothing changed. Those of several are joined as they are.

    Args:
        path: of the file, from where the diff is to be applied, `/` separated.
        before: the bytes of the file.
        after: the bytes with the fixes.
    """
    if before == after:
        return b""
    name = os.fsencode(path)
    old, new = _name(b"a/" + name), _name(b"b/" + name)
    # A tab ends a name with spaces, as git writes it.
    end = b"\t\n" if b" " in name else b"\n"
    header = [b"diff --git ", old, b" ", new, b"\n--- ", old, end, b"+++ ", new, end]
    return b"".join((*header, *_hunks(_lines(before), _lines(after))))


def shown(text: bytes) -> str:
    """A diff for people's eyes: its lines, with every character that could act as an escape."""
    return "\n".join(map(visible, text.decode("utf-8", "backslashreplace").split("\n")))


def _name(name: bytes) -> bytes:
    """A name as git writes it: in quotes, as in C, unless it is plain."""
    escaped = _QUOTED.sub(lambda match: _SHORT.get(match[0]) or b"\\%03o" % match[0][0], name)
    return name if escaped == name else b'"' + escaped + b'"'


def _lines(data: bytes) -> list[bytes]:
    """The lines with their ends; to git, LF alone ends one."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _hunks(old: list[bytes], new: list[bytes]) -> list[bytes]:
    first, last = _same_at_ends(old, new)
    # Only what differs is compared, and some lines around it: bodies are long.
    skipped = max(0, first - _CONTEXT)
    inner_old = old[skipped : len(old) - max(0, last - _CONTEXT)]
    inner_new = new[skipped : len(new) - max(0, last - _CONTEXT)]
    pieces: list[bytes] = []
    for group in _groups(inner_old, inner_new):
        (_, old_from, _, new_from, _), (_, _, old_to, _, new_to) = group[0], group[-1]
        ranges = _range(old_from, old_to, skipped), _range(new_from, new_to, skipped)
        pieces.append(f"@@ -{ranges[0]} +{ranges[1]} @@\n".encode())
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                pieces += _marked(b" ", inner_old[i1:i2])
            else:
                pieces += _marked(b"-", inner_old[i1:i2]) + _marked(b"+", inner_new[j1:j2])
    return pieces


_Opcode = tuple[str, int, int, int, int]


def _groups(old: list[bytes], new: list[bytes]) -> Iterable[list[_Opcode]]:
    """The opcodes of each hunk; too many lines to compare are one hunk."""
    if max(len(old), len(new)) > _MOST_COMPARED:
        return [[("replace", 0, len(old), 0, len(new))]]
    return SequenceMatcher(None, old, new).get_grouped_opcodes(_CONTEXT)


def _same_at_ends(old: list[bytes], new: list[bytes]) -> tuple[int, int]:
    """How many lines are equal at the start, and how many others at the end."""
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at] != new[at]), most)
    most -= first
    last = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    return first, last


def _range(start: int, stop: int, skipped: int) -> str:
    """A range of lines in a hunk's header: an empty one names the line before it."""
    length = stop - start
    return f"{skipped + start + (length > 0)},{length}"


def _marked(mark: bytes, lines: list[bytes]) -> list[bytes]:
    return [mark + (line if line.endswith(b"\n") else line + _NO_NEWLINE) for line in lines]
