"""Offsets in a text turned into lines and columns.

Lines and columns are 1-based and counted in code points. LF, CRLF and a lone CR each end a line;
no other character does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from operator import add

from manni.model.findings import Span

_LINE_BREAK = re.compile(r"\r\n?|\n")


class Lines:
    """The lines of a text, to turn offsets into positions.

    Its tables are built when the first position is asked for.

    Args:
        text: the text; offsets are 0-based and count code points.
        first_line: the 1-based number of its first line.
    """

    __slots__ = ("_first", "_tables", "text")

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.text = text
        self._first = first_line
        self._tables: tuple[list[int], list[int]] | None = None

    def _bounds(self) -> tuple[list[int], list[int]]:
        """Where each line starts, and where its line break does."""
        if self._tables is None:
            self._tables = _bounds(self.text)
        return self._tables

    def __len__(self) -> int:
        """The number of lines; a text that ends with a line break has an empty last one."""
        return len(self._bounds()[0])

    def row(self, offset: int) -> int:
        """The 0-based index of the line that holds an offset."""
        return bisect_right(self._bounds()[0], offset) - 1

    def start(self, row: int) -> int:
        """The offset at which a line starts, by its 0-based index."""
        return self._bounds()[0][row]

    def end(self, row: int) -> int:
        """The offset of the line break that ends a line, or of the end of the text."""
        return self._bounds()[1][row]

    def line(self, row: int) -> str:
        """A line without its line break, by its 0-based index."""
        return self.text[self.start(row) : self.end(row)]

    def number(self, offset: int) -> int:
        """The 1-based number of the line that holds an offset."""
        return self._first + self.row(offset)

    def span(self, start: int, end: int) -> Span:
        """The span between two offsets, cut at the end of the line it starts on."""
        starts, ends = self._bounds()
        row = bisect_right(starts, start) - 1
        base, limit = starts[row], ends[row]
        # An offset between CR and LF belongs to the end of its line.
        start = min(start, limit)
        end = max(start, min(end, limit))
        line = self._first + row
        return Span(line, start - base + 1, line, end - base + 1)


def _bounds(text: str) -> tuple[list[int], list[int]]:
    if "\r" in text:
        breaks = [match.span() for match in _LINE_BREAK.finditer(text)]
        return [0, *(end for _, end in breaks)], [*(start for start, _ in breaks), len(text)]
    lengths = list(map(len, text.split("\n")))
    # Each line starts one character, its break, after the end of the one before.
    starts = list(accumulate((length + 1 for length in lengths[:-1]), initial=0))
    return starts, list(map(add, starts, lengths))
