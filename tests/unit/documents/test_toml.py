"""TOML front matter: values that are JSON, and faults in plain words."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manni.documents.front_matter import DocumentFault, parse_document
from manni.documents.load import load
from manni.documents.toml import source_map
from manni.model.findings import Finding


def fault_of(block: str) -> Finding:
    document = parse_document(f"+++\n{block}\n+++\n".encode())
    with pytest.raises(DocumentFault) as raised:
        load(document)
    return raised.value.finding


def test_values_become_those_of_json() -> None:
    block = """+++
text = "é"
float = 1.5
when = 1979-05-27T07:32:00Z
offset = 1979-05-27T07:32:00.5-07:00
local = 1979-05-27 07:32:00
day = 1979-05-27
time = 07:32:00
inf = -inf
nan = nan
huge = 1e999
list = [1, [1979-05-27]]
[table]
when = 1979-05-27
+++
"""
    assert load(parse_document(block.encode())).value == {
        "text": "é",
        "float": 1.5,
        "when": "1979-05-27T07:32:00Z",
        "offset": "1979-05-27T07:32:00.500000-07:00",
        "local": "1979-05-27T07:32:00",
        "day": "1979-05-27",
        "time": "07:32:00",
        "inf": "-inf",
        "nan": "nan",
        "huge": "1e999",
        "list": [1, ["1979-05-27"]],
        "table": {"when": "1979-05-27"},
    }


@pytest.mark.parametrize(
    ("block", "line", "column", "words"),
    [
        ("a = 1\na = 2", 3, 1, ['"a"', "lines 2 and 3"]),
        ("[a]\nb = 1\n[a]", 4, 1, ['"a"', "lines 2 and 4"]),
        ("[[a]]\n[a]", 3, 1, ['"a"', "lines 2 and 3"]),
        ("a = {b = 1, b = 2}", 2, 13, ['"b"', "twice on line 2"]),
        ("a.b = 1\n[a]\nb = 2", 4, 1, ['"b"', "lines 2 and 4"]),
        ("a.b = 1\n[a]\nc = 2", 3, 1, ["set already"]),
        ("title: x", 2, 6, ['":"', '"="']),
        ("title", 2, 6, ['"="']),
        ("a = yes", 2, 5, ["double quotes"]),
        ("a =", 2, 4, ["value"]),
        ("a = 1 b = 2", 2, 7, ["own line"]),
        ("= 1", 2, 1, ["key"]),
        ('a = "x', 2, 5, ["no closing quote"]),
        ('a = "x\nb = 1', 2, 5, ["no closing quote"]),
        ('b = 1\na = """x\n\ny', 3, 5, ["no closing quote"]),
        ("a = '''x", 2, 5, ["no closing quote"]),
        ('a = "\\q"', 2, 8, ["backslash"]),
        ('a = "\\ud800"', 2, 12, ["code point"]),
        ("a = [1 2]", 2, 8, ["commas"]),
        ("a = [1,", 2, 8, ["value"]),
        ("a = {b = 1\n}", 2, 11, ["inline table"]),
        ("[a", 2, 3, ["']'"]),
        ("# \x00", 2, 3, ["U+0000"]),
        ("a = " + "[" * 5000, 2, 105, ["100 levels"]),
        ("a = " + "[" * 101 + "]" * 101, 2, 105, ["100 levels"]),
        ("a." * 200 + "b = 1", 2, 1, ["100 levels"]),
        ("[" + "a." * 99 + "a]\nb = {c = 1}", 2, 1, ["100 levels"]),
        ("b = 1\na = " + "9" * 5000, 3, 5, ["digits", "quotes"]),
    ],
)
def test_a_fault_is_named_where_it_is(block: str, line: int, column: int, words: list[str]) -> None:
    finding = fault_of(block)
    assert finding.rule_id == "manni/parse-error"
    assert finding.span is not None
    assert (finding.span.line, finding.span.column) == (line, column)
    for word in words:
        assert word in finding.message
    if "\n" in block:
        crlf = fault_of(block.replace("\n", "\r\n"))
        assert (crlf.message, crlf.span) == (finding.message, finding.span)


def test_the_deepest_allowed_nesting() -> None:
    assert load(parse_document(f"+++\na = {'[' * 99}{']' * 99}\n+++\n".encode())).value


PIECES = st.sampled_from(
    ["a", "b", '"c d"', "'e.f'", ".", " = ", "1", '"x # y"', "'''z\n'''", "[", "]", "[[", "]]"]
) | st.sampled_from(
    ["{", "}", ", ", "\n", "\n", "# c [\n", "1979-05-27 07:32:00", "true", '"""q""""', "\r\n"]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=20))
def test_the_scanner_knows_every_key_of_a_valid_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    marks = source_map(text)
    assert marks.children is not None
    assert set(marks.children) == set(value)
    for name, child in marks.children.items():
        assert 0 <= child.start < child.end <= len(text), name
