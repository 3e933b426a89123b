"""Source lines around a span, and what a fix makes of them: what `full` and `html` quote.

What is quoted is on one line, harmless, and as wide as it says. Only front matter is ever quoted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from unicodedata import category, east_asian_width

from manni.base.text import shorten, visible
from manni.model.findings import Fix, SourceExcerpt, Span

_CONTEXT = 2
_MARKED_LINES = 6
_BEFORE, _AFTER = 60, 80
_LINE_LIMIT = 200
_CHANGED_LINES = 12
_COMPARED_LINES = 400
_TAB = 4
_ELLIPSIS = "…"
# Vowels and finals of Hangul, which join the syllable before them.
_JOINING_JAMO = range(0x1160, 0x1200)
_NO_WIDTH = frozenset({"Mn", "Me", "Cf"})

Lines = tuple[str, ...]
"""Lines that may be quoted, line 1 first, without line ends."""


@dataclass(frozen=True, slots=True)
class FrameLine:
    """One quoted line.

    Attributes:
        number: of the line, 1-based.
        before: what stands before the span; all of the line where the span is elsewhere.
        marked: what the span holds of the line.
        after: what stands behind it.
        is_marked: whether the span touches the line, though it may hold nothing of it.
    """

    number: int
    before: str
    marked: str = ""
    after: str = ""
    is_marked: bool = False

    @property
    def text(self) -> str:
        """The whole line."""
        return self.before + self.marked + self.after

    @property
    def carets(self) -> str:
        """The line to print beneath it: a caret for each column of the span, one at least."""
        return " " * width(self.before) + "^" * max(1, width(self.marked))


def width(text: str) -> int:
    """How many columns of a terminal a text takes, which must not hold control characters."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(char: str) -> int:
    if category(char) in _NO_WIDTH or ord(char) in _JOINING_JAMO:
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def code_frame(span: Span | None, lines: Lines) -> tuple[FrameLine, ...]:
    """The lines that a span touches, with up to two around them.

    Args:
        span: None where there is none.
        lines: of the file.

    Returns:
        Nothing when the span does not start in these lines.
    """
    if span is None or not 1 <= span.line <= len(lines):
        return ()
    last = max(span.line, span.end_line - (span.end_column == 1))
    end = min(last, len(lines), span.line + _MARKED_LINES - 1)
    end_column = span.end_column if end == span.end_line else len(lines[end - 1]) + 1
    marked = Span(span.line, span.column, end, end_column)
    # A span that goes on is followed by nothing.
    until = min(len(lines), end + _CONTEXT) if end == last else end
    shown = range(max(1, span.line - _CONTEXT), until + 1)
    return tuple(_framed(number, lines[number - 1], marked) for number in shown)


def _framed(number: int, line: str, span: Span) -> FrameLine:
    if not span.line <= number <= span.end_line:
        return FrameLine(number, _shown(shorten(line, _LINE_LIMIT)))
    start = min(span.column - 1, len(line)) if number == span.line else _indentation(line)
    end = min(span.end_column - 1, len(line)) if number == span.end_line else len(line)
    end = max(start, end)
    # A long line is cut around the start of the span.
    first, last = max(0, start - _BEFORE), min(len(line), start + _AFTER)
    before = (_ELLIPSIS if first else "") + line[first:start]
    marked, after = line[start : min(end, last)], line[end:last]
    rest = _ELLIPSIS if last < len(line) else ""
    before = _shown(before)
    marked = _shown(marked, width(before))
    after = _shown(after + rest, width(before) + width(marked))
    return FrameLine(number, before, marked, after, is_marked=True)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _shown(text: str, column: int = 0) -> str:
    """The text made harmless, its tabs as spaces up to the next stop."""
    pieces = [visible(piece) for piece in text.split("\t")]
    shown = pieces[0]
    for piece in pieces[1:]:
        shown += " " * (_TAB - (column + width(shown)) % _TAB) + piece
    return shown


def fix_lines(fix: Fix, source: SourceExcerpt) -> tuple[tuple[str, str], ...]:
    """What a fix takes away and puts there, as lines with their sign, `-` or `+`.

    Returns:
        Nothing when the fix is not in what may be quoted. Too many lines end in an ellipsis.
    """
    from manni.fixes.edits import apply

    if source.text is None:
        return ()
    old = source.text.encode("utf-8", "replace")
    new = apply(old, [fix]).data
    changed = list(_changed(*(SourceExcerpt(data.decode()).lines for data in (old, new))))
    shown = [(sign, _shown(shorten(line, _LINE_LIMIT))) for sign, line in changed]
    if len(shown) > _CHANGED_LINES:
        shown[_CHANGED_LINES:] = [(" ", _ELLIPSIS)]
    return tuple(shown)


def _changed(old: Lines, new: Lines) -> Iterator[tuple[str, str]]:
    start = _alike(old, new)
    old, new = old[start:], new[start:]
    end = _alike(old[::-1], new[::-1])
    old, new = old[: len(old) - end], new[: len(new) - end]
    if max(len(old), len(new)) > _COMPARED_LINES:
        return
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield from (("-", line) for line in old[i1:i2])
            yield from (("+", line) for line in new[j1:j2])


def _alike(one: Lines, two: Lines) -> int:
    """How many lines are equal from the start."""
    most = min(len(one), len(two))
    return next((at for at in range(most) if one[at] != two[at]), most)


def fix_label(fix: Fix) -> str:
    """What a fix does, and whether it is a guess: `fix: quote the value`."""
    said = visible(fix.description).rstrip(".")
    return f"fix: {said}" if fix.safe else f"fix, a guess: {said}"
