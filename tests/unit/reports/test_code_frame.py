"""Quoted lines: which, how wide, where the carets stand, and what a fix makes of them."""

from __future__ import annotations

import pytest

from manni.model.findings import Edit, Fix, SourceExcerpt, Span
from manni.reports.code_frame import code_frame, fix_label, fix_lines


def carets(line: str, column: int, end_column: int) -> list[str]:
    (frame,) = code_frame(Span(1, column, 1, end_column), (line,))
    return [frame.text, frame.carets]


@pytest.mark.parametrize(
    ("line", "column", "end_column", "expected"),
    [
        ("name: x", 7, 8, ["name: x", "      ^"]),
        ("日本: xy", 5, 7, ["日本: xy", "      ^^"]),
        ("a: 日本", 4, 6, ["a: 日本", "   ^^^^"]),
        ("e\u0301e\u0301: x", 7, 8, ["e\u0301e\u0301: x", "    ^"]),
        ("e\u0301: x", 1, 3, ["e\u0301: x", "^"]),
        ("\u0939\u093f\u0941: x", 6, 7, ["\u0939\u093f\u0941: x", "    ^"]),
        ("\u1112\u1161\u11ab: x", 6, 7, ["\u1112\u1161\u11ab: x", "    ^"]),
        ("😀: x", 4, 5, ["😀: x", "    ^"]),
        ("a:\tx", 4, 5, ["a:  x", "    ^"]),
        ("日\tab\tx", 6, 7, ["日  ab  x", "        ^"]),
        ("\tx", 1, 2, ["    x", "^^^^"]),
        ("a\x1b\u202e: x", 6, 7, ["a\\x1b\\u202e: x", "             ^"]),
        ("name: x", 8, 8, ["name: x", "       ^"]),
        ("name: x", 50, 60, ["name: x", "       ^"]),
        ("", 1, 1, ["", "^"]),
    ],
)
def test_carets_stand_under_the_span(
    line: str, column: int, end_column: int, expected: list[str]
) -> None:
    assert carets(line, column, end_column) == expected


def test_two_lines_around_are_shown_and_nothing_behind_the_front_matter() -> None:
    lines = ("---", "a: 1", "b: 2", "c: 3", "d: 4", "---")
    frame = code_frame(Span(4, 1, 4, 5), lines)
    assert [(each.number, each.text, each.is_marked) for each in frame] == [
        (2, "a: 1", False),
        (3, "b: 2", False),
        (4, "c: 3", True),
        (5, "d: 4", False),
        (6, "---", False),
    ]
    assert code_frame(Span(7, 1, 7, 2), lines) == ()
    assert code_frame(None, lines) == ()
    assert code_frame(Span(1, 1, 1, 1), ()) == ()


def test_a_span_of_several_lines() -> None:
    lines = ("a: >-", "  one", "  two", "b: 1")
    frame = code_frame(Span(1, 4, 4, 1), lines)
    assert [each.carets if each.is_marked else "" for each in frame] == [
        "   ^^",
        "  ^^^",
        "  ^^^",
        "",
    ]
    long = code_frame(Span(1, 1, 100, 1), ("x",) * 100)
    assert [each.is_marked for each in long] == [True] * 6


def test_a_long_line_is_cut_around_the_span() -> None:
    line = "a" * 500 + "X" + "b" * 500
    text, below = carets(line, 501, 502)
    assert len(text) < 160
    assert text[0] == text[-1] == "…"
    assert text[below.index("^")] == "X"
    text, below = carets("é" * 1000, 1, 1001)
    assert len(text) < 160
    assert len(below) < 160


def fix(*edits: tuple[int, int, int, int, str], safe: bool = True) -> Fix:
    return Fix("Quote the value", tuple(Edit(Span(*at), text) for *at, text in edits), safe)


def test_a_fix_is_shown_as_the_lines_that_it_changes() -> None:
    source = SourceExcerpt("---\r\na: 1\r\nb: 2\r\nc: 3\r\n---")
    found = fix_lines(fix((2, 4, 2, 5, '"1"'), (4, 1, 5, 1, "")), source)
    assert found == (("-", "a: 1"), ("+", 'a: "1"'), ("-", "c: 3"))
    assert fix_lines(fix((9, 1, 9, 1, "x")), source) == ()
    assert fix_lines(fix((1, 1, 1, 1, "x")), SourceExcerpt()) == ()


def test_a_fix_of_very_many_lines_is_cut() -> None:
    source = SourceExcerpt("\n".join(f"a{number}: 1" for number in range(300)))
    found = fix_lines(fix(*((n, 1, n, 2, "b") for n in range(1, 300))), source)
    assert len(found) == 13
    assert found[-1] == (" ", "…")
    many = SourceExcerpt("\n".join(["a"] * 10_000))
    assert fix_lines(fix(*((n, 1, n, 2, "b") for n in range(1, 10_000))), many) == ()
    assert fix_lines(fix((9_000, 1, 9_000, 2, "b")), many) == (("-", "a"), ("+", "b"))


def test_a_guess_is_called_one() -> None:
    assert fix_label(fix((1, 1, 1, 1, "x"))) == "fix: Quote the value"
    assert fix_label(fix((1, 1, 1, 1, "x"), safe=False)) == "fix, a guess: Quote the value"
