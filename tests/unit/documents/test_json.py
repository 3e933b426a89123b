"""JSON front matter: values, places, and faults in plain words."""

from __future__ import annotations

import json

import pytest

from manni.documents.front_matter import DocumentFault, parse_document
from manni.documents.json import read
from manni.documents.load import load
from manni.model.findings import Finding


def fault_of(block: str) -> Finding:
    with pytest.raises(DocumentFault) as raised:
        load(parse_document(f";;;\n{block}\n;;;\n".encode()))
    return raised.value.finding


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, -0.5, 1e3, true, false, null, "x\\u00e9\\n"]}', None),
        ('{"a": "\\ud83d\\ude00"}', {"a": "😀"}),
        ('{"\\ud83d\\ude00": {}}', {"😀": {}}),
        ('{"a": 1e999, "b": -1e999}', {"a": "1e999", "b": "-1e999"}),
        (f'{{"a": {"9" * 5000}}}', {"a": "9" * 5000}),
        (' {"": []} \r\n', {"": []}),
        ('{"a": ' + "[" * 99 + "]" * 99 + "}", None),
        ('{"a"\n\t:\r1}', None),
    ],
)
def test_valid_texts(text: str, value: object) -> None:
    expected = json.loads(text) if value is None else value
    assert read(text) == expected


@pytest.mark.parametrize(
    ("block", "line", "column", "words"),
    [
        ("[]", 2, 1, ["object"]),
        ("x", 2, 1, ["x"]),
        ('{"a": 1 // c\n}', 2, 9, ["comments"]),
        ('{"a": 1.}', 2, 7, ["1."]),
        (
            '{"a": "\\ud83d\\ude00", "\\ud83d\\ude00": 1,\n"\\ud83d\\ude00": 2}',
            3,
            1,
            ["lines 2 and 3"],
        ),
        ('{"a": 1', 2, 1, ['"{"', "never closes"]),
        ("{", 2, 1, ['"{"', "never closes"]),
        ('{"a": [1', 2, 7, ['"["', "never closes"]),
        ('{"a": 1,}', 2, 9, ["comma"]),
        ('{"a": [1,]}', 2, 10, ["comma"]),
        ('{"a": ,}', 2, 7, ["value"]),
        ('{"a":', 2, 6, ["ends"]),
        ('{"a" 1}', 2, 6, ['":"']),
        ("{a: 1}", 2, 2, ["key", "double quotes"]),
        ("{'a': 1}", 2, 2, ["double quotes"]),
        ("{\"a\": 'x'}", 2, 7, ["double quotes", "single"]),
        ('{"a": NaN}', 2, 7, ["NaN"]),
        ('{"a": -Infinity}', 2, 7, ["-Infinity"]),
        ('{"a": tru}', 2, 7, ["tru"]),
        ('{"a": 01}', 2, 7, ["01"]),
        ('{"a": .5}', 2, 7, [".5"]),
        ('{"a": +1}', 2, 7, ["+1"]),
        ('{"a": // c\n1}', 2, 7, ["comments"]),
        ('{"a": 1\n"b": 2}', 3, 1, ['","', '"}"']),
        ('{"a": 1}\nx', 3, 1, ["more text"]),
        ('{"a": 1,\n "b": 2,\n "a": 3}', 4, 2, ['"a"', "lines 2 and 4"]),
        ('{"a": {"b": 1, "b": 2}}', 2, 16, ['"b"', "twice on line 2"]),
        ('{"a": "x\n"}', 2, 7, ["closing quote"]),
        ('{"a": "x', 2, 7, ["closing quote"]),
        ('{"a": "x\\"y\n"}', 2, 7, ["closing quote"]),
        ('{"a": "\x01"}', 2, 8, ["U+0001", "\\u0001"]),
        ('{"a": "\\x"}', 2, 8, ["escape", "twice"]),
        ('{"a": "\\ud800"}', 2, 7, ["surrogate"]),
        ('{"\\udfff": 1}', 2, 2, ["surrogate"]),
        ('{"a": ' + "[" * 100 + "]" * 100 + "}", 2, 106, ["100 levels"]),
        ('{"a": ' + "[" * 100_000, 2, 106, ["100 levels"]),
    ],
)
def test_a_fault_is_named_where_it_is(block: str, line: int, column: int, words: list[str]) -> None:
    finding = fault_of(block)
    assert finding.rule_id == "manni/parse-error"
    assert finding.span is not None
    assert (finding.span.line, finding.span.column) == (line, column)
    for word in words:
        assert word in finding.message
