"""Whatever befalls real-shaped front matter, it is metadata or one finding inside of the file."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from manni.base.json_types import escape_token
from manni.base.text import visible
from manni.documents.front_matter import DocumentFault, parse_document
from manni.documents.load import load
from manni.model.findings import Finding, Span

YAML = """---
name: tidy
description: >-
  Makes pages
  ready.
metadata:
  evals:
  - id: a
    weight: 1.5
  - {id: b, use: &x [1, two]}
  - *x
---
# Body

---
"""
HINTS = '---\r\nname: "tidy"\r\ntools: [Read, "Bash(ls:*)"]\r\nargument-hint: [file]\r\n---\r\n'
TOML = "+++\nname = 'tidy'\n[metadata]\nwhen = 2024-01-01\n[[metadata.evals]]\nid = \"a\"\n+++\n"
JSON = ';;;\n{"name": "tidy", "metadata": {"evals": [{"id": "\\ud83d\\ude00"}, null, 1e3]}}\n;;;\n'
SHAPES = (YAML, HINTS, TOML, JSON)
CHARACTERS = "\x00\x0b\x0c\r\n\t\x85\xa0\u200b\u2028\ufeff\ud7ff\U0010ffff:-?[]{},#&*!|>'\"%@`\\="
FENCES = ["---\n", "\n----\n", "+++\n", ";;;\n", "...\n", "\u2014\n", "<!-- c -->\n", "%YAML 1.2\n"]
TOKENS = ["&a ", "*a ", "!!int ", "!x ", "{{ x }}", ": ", " #", "name a\n", "- " * 120, "[" * 120]
PIECES = st.sampled_from([*CHARACTERS, *FENCES, *TOKENS])
EDITS = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 6), PIECES), max_size=5)


def mutated(shape: str, edits: list[tuple[int, int, str]]) -> str:
    for at, removed, piece in edits:
        shape = shape[:at] + piece + shape[at + removed :]
    return shape


def check_span(text: str, span: Span) -> None:
    """The span names characters that the text has."""
    lines = re.split(r"\r\n?|\n", text.removeprefix("\ufeff"))
    assert 1 <= span.line <= span.end_line <= len(lines)
    assert 1 <= span.column <= len(lines[span.line - 1]) + 2
    assert 1 <= span.end_column <= len(lines[span.end_line - 1]) + 2
    assert (span.line, span.column) <= (span.end_line, span.end_column)


def check_finding(text: str, finding: Finding) -> None:
    assert visible(finding.message) == finding.message
    if finding.span is not None:
        check_span(text, finding.span)
    for related in finding.related:
        check_span(text, related.span)
    for edit in finding.fix.edits if finding.fix else ():
        check_span(text, edit.span)


def fault_of(data: bytes) -> Finding | None:
    """The finding of an artifact that cannot be read."""
    try:
        load(parse_document(data))
    except DocumentFault as fault:
        return fault.finding
    return None


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(SHAPES), EDITS)
def test_mutated_front_matter_is_metadata_or_a_finding(
    shape: str, edits: list[tuple[int, int, str]]
) -> None:
    text = mutated(shape, edits)
    finding = fault_of(text.encode())
    if finding is not None:
        assert finding.rule_id == "manni/parse-error"
        check_finding(text, finding)
        return
    document = parse_document(text.encode())
    for found in document.findings:
        check_finding(text, found)
    metadata = load(document)
    for name in metadata.value:
        check_span(text, metadata.place(f"/{escape_token(name)}/0").span)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(SHAPES), st.lists(st.tuples(st.integers(0, 300), st.binary(max_size=3))))
def test_mutated_bytes_are_metadata_or_a_finding(
    shape: str, edits: list[tuple[int, bytes]]
) -> None:
    data = shape.encode()
    for at, piece in edits:
        data = data[:at] + piece + data[at + 1 :]
    finding = fault_of(data)
    assert finding is None or finding.rule_id == "manni/parse-error"
