"""Prose that runs on below its key without an indent, as a block of lines that YAML reads.

Agent definitions show examples in tags behind their description, each tag at the start of a line.
Where the tags close, it is plain to see how far the text goes.
"""

from __future__ import annotations

import re
from dataclasses import replace

from manni.documents.document import Document, Format
from manni.documents.faults import DocumentFault
from manni.documents.lines import Lines
from manni.documents.load import load
from manni.fixes.edits import edited
from manni.model.findings import Edit, Fix

_INDENT = "  "
_START = re.compile(r"([A-Za-z_][\w-]*):[ ]+(?=[^\s\"'\[\]{}|>&*!%@`#?,-])")
_TAG = re.compile(r"<([A-Za-z][\w-]*)>")
_BREAK = re.compile(r"\r\n?|\n")

_Change = tuple[int, int, str]


def prose_fix(document: Document) -> Fix | None:
    """The safe fix that indents prose with tags, behind `|-`; None where the rest stays unread.

    Args:
        document: an artifact whose front matter cannot be read.
    """
    if document.format is not Format.YAML:
        return None
    lines = Lines(document.block, document.first_line)
    changes: list[_Change] = []
    texts: dict[str, str] = {}
    row = 0
    while row < len(lines):
        start = _START.match(lines.line(row))
        last = _last_row(lines, row) if start else row
        if last < row:
            return None
        if start and last > row:
            begin = lines.start(row) + start.end()
            changes += _changes(lines, row, begin, last)
            texts[start[1]] = _BREAK.sub("\n", document.block[begin : lines.end(last)])
        row = last + 1
    if not texts or not _reads_as(document, edited(document.block, changes), texts):
        return None
    edits = (Edit(lines.span(start, end), text) for start, end, text in changes)
    return Fix("Make the text a block of lines", tuple(edits))


def _last_row(lines: Lines, row: int) -> int:
    """The row of the last tag that closes below a key; the key's own where none opens there.

    -1 where one never closes.
    """
    last = row
    below = _next_text(lines, row)
    while tag := _TAG.match(lines.line(below)) if below < len(lines) else None:
        closing = f"</{tag[1]}>"
        while below < len(lines) and not lines.line(below).rstrip().endswith(closing):
            below += 1
        if below == len(lines):
            return -1
        last = below
        below = _next_text(lines, below)
    return last


def _next_text(lines: Lines, row: int) -> int:
    row += 1
    while row < len(lines) and not lines.line(row).strip():
        row += 1
    return row


def _changes(lines: Lines, row: int, begin: int, last: int) -> list[_Change]:
    line_end = lines.text[lines.end(row) : lines.start(row + 1)]
    indents = [
        (lines.start(below), lines.start(below), _INDENT)
        for below in range(row + 1, last + 1)
        if lines.line(below).strip()
    ]
    return [(begin, begin, f"|-{line_end}{_INDENT}"), *indents]


def _reads_as(document: Document, block: str, texts: dict[str, str]) -> bool:
    try:
        value = load(replace(document, block=block)).value
    except DocumentFault:
        return False
    return all(value.get(key) == text for key, text in texts.items())
