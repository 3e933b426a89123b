"""Making the edits of fixes in the bytes of one file, and touching no other byte.

Spans count code points of the text behind a byte-order mark, in lines that LF, CRLF or a lone CR
end. Bytes that are not UTF-8 stay as they are; each of them counts as one code point.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from manni.documents.lines import Lines
from manni.model.findings import Edit, Fix, Span

_BOM = b"\xef\xbb\xbf"

_Change = tuple[int, int, str]
"""The text that takes the place of what stands between two offsets."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What fixes made of a file.

    Attributes:
        data: the bytes of the file.
        fixes: the fixes that were made, in the order given.
    """

    data: bytes
    fixes: tuple[Fix, ...]


def apply(data: bytes, fixes: Iterable[Fix]) -> Applied:
    """Make the edits of all fixes that do not meet those of an earlier one.

    A fix is made with all its edits or with none. Left out is also one whose spans are not in the
    text, or whose own edits overlap. Fixes meet where their edits overlap or touch.

    Args:
        data: the bytes of the file.
        fixes: the most important first; their spans all refer to `data`.
    """
    bom = data[: len(_BOM)] if data.startswith(_BOM) else b""
    text = data[len(bom) :].decode("utf-8", "surrogateescape")
    lines = Lines(text)
    taken: list[_Change] = []
    made: list[Fix] = []
    for fix in fixes:
        changes = _changes(lines, fix)
        if changes and not any(_meets(taken, change) for change in changes):
            for change in changes:
                taken.insert(bisect_left(taken, change), change)
            made.append(fix)
    if not made:
        return Applied(data, ())
    return Applied(bom + edited(text, taken).encode("utf-8", "surrogateescape"), tuple(made))


def edited(text: str, changes: Iterable[_Change]) -> str:
    """A text with other text between some offsets; the changes are in order and do not overlap."""
    parts: list[str] = []
    at = 0
    for start, end, replacement in changes:
        parts += (text[at:start], replacement)
        at = end
    return "".join((*parts, text[at:]))


def _changes(lines: Lines, fix: Fix) -> list[_Change]:
    """The changes of a fix in the order of the text; none when they cannot be made."""
    changes = sorted(filter(None, (_change(lines, edit) for edit in fix.edits)))
    apart = all(one[1] <= two[0] and one[:2] != two[:2] for one, two in pairwise(changes))
    return changes if apart and len(changes) == len(fix.edits) else []


def _change(lines: Lines, edit: Edit) -> _Change | None:
    try:
        edit.text.encode()
    except UnicodeEncodeError:  # a lone surrogate, which no UTF-8 file can hold
        return None
    span = edit.span
    start = _offset(lines, span.line, span.column)
    end = _offset(lines, span.end_line, span.end_column)
    return None if start is None or end is None or end < start else (start, end, edit.text)


def _offset(lines: Lines, line: int, column: int) -> int | None:
    if not (1 <= line <= len(lines) and column >= 1):
        return None
    offset = lines.start(line - 1) + column - 1
    return offset if offset <= lines.end(line - 1) else None


def _meets(taken: list[_Change], change: _Change) -> bool:
    """Whether a change overlaps or touches one of those taken, which are in order and apart."""
    start, end, _ = change
    at = bisect_left(taken, change)
    before = at > 0 and taken[at - 1][1] >= start
    return before or (at < len(taken) and taken[at][0] <= end)


def span_between(lines: Lines, start: int, end: int) -> Span:
    """The span between two offsets, over line ends too, which `Lines.span` stops at."""
    first, last = lines.span(start, start), lines.span(end, end)
    return Span(first.line, first.column, last.line, last.column)
