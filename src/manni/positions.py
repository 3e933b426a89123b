"""Offsets in a text turned into lines and columns.

Lines and columns are 1-based and counted in code points. LF, CRLF and a lone CR each end a line;
no other character does.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from manni.findings import Span

_LINE_BREAK = re.compile(r"\r\n?|\n")


class Lines:
    """The lines of a text, to turn offsets into positions.

    Args:
        text: the text; offsets are 0-based and count code points.
        first_line: the 1-based number of its first line.
    """

    __slots__ = ("_ends", "_first", "_starts", "text")

    def __init__(self, text: str, first_line: int = 1) -> None:
        breaks = [match.span() for match in _LINE_BREAK.finditer(text)]
        self.text = text
        self._first = first_line
        self._starts = [0, *(end for _, end in breaks)]
        self._ends = [*(start for start, _ in breaks), len(text)]

    def __len__(self) -> int:
        """The number of lines; a text that ends with a line break has an empty last one."""
        return len(self._starts)

    def row(self, offset: int) -> int:
        """The 0-based index of the line that holds an offset."""
        return bisect_right(self._starts, offset) - 1

    def start(self, row: int) -> int:
        """The offset at which a line starts, by its 0-based index."""
        return self._starts[row]

    def end(self, row: int) -> int:
        """The offset of the line break that ends a line, or of the end of the text."""
        return self._ends[row]

    def line(self, row: int) -> str:
        """A line without its line break, by its 0-based index."""
        return self.text[self._starts[row] : self._ends[row]]

    def number(self, offset: int) -> int:
        """The 1-based number of the line that holds an offset."""
        return self._first + self.row(offset)

    def span(self, start: int, end: int) -> Span:
        """The span between two offsets, cut at the end of the line it starts on."""
        row = self.row(start)
        base = self._starts[row]
        # An offset between CR and LF belongs to the end of its line.
        start = min(start, self._ends[row])
        end = max(start, min(end, self._ends[row]))
        line = self._first + row
        return Span(line, start - base + 1, line, end - base + 1)
