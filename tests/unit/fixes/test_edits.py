"""Edits change what their spans hold and no other byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manni.documents.lines import Lines
from manni.fixes.edits import apply, edited, span_between
from manni.model.findings import Edit, Fix, Span


def fix(*edits: tuple[int, int, int, int, str]) -> Fix:
    return Fix("Mend it", tuple(Edit(Span(*edit[:4]), edit[4]) for edit in edits))


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        (b"\xef\xbb\xbfab\r\ncd", (2, 1, 2, 3, "x"), b"\xef\xbb\xbfab\r\nx"),
        (b"ab\rcd\r\n\tx", (3, 2, 3, 3, "y"), b"ab\rcd\r\n\ty"),
        ("a\u4e2d\U0001f600b\n".encode(), (1, 4, 1, 5, "!"), "a\u4e2d\U0001f600!\n".encode()),
        (b"ab\n\xff\xfe\x80", (1, 2, 1, 3, "c"), b"ac\n\xff\xfe\x80"),
        (b"a\x00b\n", (1, 3, 1, 3, "c"), b"a\x00cb\n"),
        (b"\n\n---\n", (1, 1, 3, 1, ""), b"---\n"),
        (b"a: b\r\n  c\n", (1, 4, 2, 4, "x"), b"a: x\n"),
        (b"", (1, 1, 1, 1, "a"), b"a"),
    ],
)
def test_only_the_span_changes(
    before: bytes, edit: tuple[int, int, int, int, str], after: bytes
) -> None:
    applied = apply(before, [fix(edit)])
    assert applied.data == after
    assert applied.fixes == (fix(edit),)


@pytest.mark.parametrize(
    "unusable",
    [
        fix((1, 9, 1, 9, "x")),
        fix((9, 1, 9, 1, "x")),
        fix((1, 3, 1, 2, "x")),
        fix((0, 1, 1, 1, "x")),
        fix((1, 0, 1, 1, "x")),
        fix((1, 1, 1, 2, "\ud800")),
        fix((1, 1, 1, 2, "x"), (9, 1, 9, 1, "x")),
        fix((1, 1, 1, 3, "x"), (1, 2, 1, 3, "y")),
        fix((1, 1, 1, 1, "x"), (1, 1, 1, 1, "y")),
        fix(),
    ],
)
def test_a_fix_that_cannot_be_made_is_left_out_whole(unusable: Fix) -> None:
    applied = apply(b"abc\n", [unusable])
    assert applied.data == b"abc\n"
    assert not applied.fixes


@pytest.mark.parametrize(
    "second",
    [
        fix((1, 2, 1, 4, "y")),
        fix((1, 3, 1, 4, "y")),
        fix((1, 1, 1, 1, "y")),
        fix((1, 1, 1, 3, "x")),
        fix((1, 5, 1, 6, "y"), (1, 2, 1, 2, "z")),
    ],
)
def test_of_fixes_that_meet_the_first_is_made(second: Fix) -> None:
    first = fix((1, 1, 1, 3, "x"))
    assert apply(b"abcdef\n", [first, second]).fixes == (first,)
    assert apply(b"abcdef\n", [first, second]).data == b"xcdef\n"


def test_fixes_apart_are_made_together_in_any_order() -> None:
    one, two = fix((2, 1, 2, 2, "X"), (1, 1, 1, 1, "<")), fix((1, 3, 1, 4, ""))
    for order in ([one, two], [two, one]):
        applied = apply(b"abc\ndef", order)
        assert (applied.data, applied.fixes) == (b"<ab\nXef", tuple(order))


TEXTS = st.text(st.sampled_from("ab \t\r\n\u4e2d\u0301\U0001f600\u2028\x85\ufeff"), max_size=30)


@given(st.data())
def test_every_byte_outside_the_edits_stays(data: st.DataObject) -> None:
    text = f"a{data.draw(TEXTS)}"
    tail = data.draw(st.binary(max_size=8))
    bom = data.draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    changes = [
        (start, end, data.draw(TEXTS)) for start, end in zip(cuts[::3], cuts[1::3], strict=False)
    ]
    lines = Lines(text)
    # An offset inside of CR LF has no position.
    changes = [
        change
        for change in changes
        if not any(text[at - 1 : at + 1] == "\r\n" for at in change[:2] if at)
    ]
    fixes = [Fix("", (Edit(span_between(lines, start, end), new),)) for start, end, new in changes]
    applied = apply(bom + text.encode() + b"$" + tail, fixes)
    assert applied.data == bom + edited(text, changes).encode() + b"$" + tail
