"""Offsets to lines and columns, whatever ends the lines."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manni.documents.lines import Lines
from manni.model.findings import Span

TEXTS = st.text(st.sampled_from("ab\n\n\r\u2028\x0b\x85😀"), max_size=30)


def pieces(text: str) -> list[str]:
    """The lines of a text, each with the break that ends it."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z|(?<=[\r\n])\Z|\A\Z", text)


@given(TEXTS)
def test_lines_end_with_each_kind_of_break(text: str) -> None:
    lines = Lines(text, first_line=7)
    expected = pieces(text)
    assert "".join(expected) == text
    assert len(lines) == len(expected)
    offset = 0
    for row, piece in enumerate(expected):
        bare = piece.rstrip("\r\n")
        assert (lines.start(row), lines.end(row)) == (offset, offset + len(bare))
        assert lines.line(row) == bare
        for at in range(offset, offset + len(piece)):
            assert lines.row(at) == row
            assert lines.number(at) == 7 + row
        offset += len(piece)
    assert lines.row(len(text)) == lines.row(len(text) + 5) == len(expected) - 1


@given(TEXTS, st.integers(0, 32), st.integers(0, 32))
def test_a_span_stays_on_the_line_it_starts_on(text: str, start: int, end: int) -> None:
    lines = Lines(text)
    row = lines.row(start)
    base, limit = lines.start(row), lines.end(row)
    start = min(start, limit)
    span = lines.span(start, end)
    assert (span.line, span.end_line) == (row + 1, row + 1)
    assert span.column == start - base + 1
    assert span.end_column == max(start, min(end, limit)) - base + 1


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_span_is_cut_at_the_break(end: str) -> None:
    text = f"ab{end}cde{end}"
    start = text.index("c")
    assert Lines(text).span(start + 1, len(text)) == Span(2, 2, 2, 4)
    assert Lines(text).span(1, 2) == Span(1, 2, 1, 3)
