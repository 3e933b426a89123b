"""Whatever befalls real-shaped front matter, every file is reported, and every report is whole."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch
from xml.etree import ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st

from manni.cli.main import main

SHAPES = (
    (
        "---\nname: tidy\ndescription: >-\n  Makes pages\n  ready.\nmetadata:\n  evals:\n"
        "  - id: a\n    weight: 1.5\n  - {id: b, use: &x [1, two]}\n  - *x\n---\n# Body\n\n---\n"
    ),
    '---\r\nname: "tidy"\r\ntools: [Read, "Bash(ls:*)"]\r\nargument-hint: [file]\r\n---\r\n',
    "+++\nname = 'tidy'\n[metadata]\nwhen = 2024-01-01\n[[metadata.evals]]\nid = \"a\"\n+++\n",
    ';;;\n{"name": 1, "metadata": {"evals": [{"id": "\\ud83d\\ude00"}, null, 1e3]}}\n;;;\n',
)
BYTES = [bytes([code]) for code in (0, 7, 9, 10, 11, 12, 13, 27, 0x80, 0x85, 0xC3, 0xED, 0xFF)]
TEXTS = [
    *("\x85", "\xa0", "\u200b", "\u2028", "\u202e", "\ufeff", "\ufffe", "\U0010ffff", "\ud7ff"),
    *("---\n", "\n----\n", "+++\n", ";;;\n", "...\n", "\u2014\n", "<!-- c -->\n", "%YAML 1.2\n"),
    *(
        "&a ",
        "*a ",
        "!!int ",
        "!!python/object:os.system ",
        "<<: *a\n",
        "? ",
        ": ",
        " #",
        "{{ x }}",
    ),
    *("- " * 120, "[" * 120, "{a: " * 120, "]]>", "&amp;", "::error::", "\\u0000", "1" * 5000),
    *(".inf", ".nan", "1e400", "0x" + "f" * 300, '"\\ud800"', "$schema: x\n", "a: 1\na: 2\n"),
]
PIECES = st.sampled_from([*BYTES, *(text.encode() for text in TEXTS)])
EDITS = st.lists(st.tuples(st.integers(0, 300), st.integers(0, 6), PIECES), max_size=5)
DOCUMENTS = st.lists(st.tuples(st.sampled_from(SHAPES), EDITS), min_size=1, max_size=4)
ASKED = ["meta", "validate", "-s", "anthropic:claude-skill:2.1", "-s", "manni:artifact-evals:1.0.0"]


def mutated(shape: str, edits: list[tuple[int, int, bytes]]) -> bytes:
    data = shape.encode()
    for at, removed, piece in edits:
        data = data[:at] + piece + data[at + removed :]
    return data


def regions(log: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    (run,) = log["runs"]
    for result in run["results"]:
        for location in result["locations"]:
            place = location["physicalLocation"]
            if "region" in place:
                yield place["artifactLocation"]["uri"], place["region"]


def check_inside(text: str, line: int, column: int, end_line: int, end_column: int) -> None:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert (1, 1) <= (line, column) <= (end_line, end_column)
    assert end_line <= len(lines)
    assert end_column <= len(lines[end_line - 1]) + 2


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS)
def test_every_file_is_reported(documents: list[tuple[str, list[tuple[int, int, bytes]]]]) -> None:
    with TemporaryDirectory() as folder:
        top, texts = Path(folder), {}
        for number, (shape, edits) in enumerate(documents):
            data = mutated(shape, edits)
            (top / f"{number}.md").write_bytes(data)
            texts[f"{number}.md"] = data.decode("utf-8", "replace")
        reports = [p for f in ("json", "sarif", "junit") for p in ("-f", f, "-o", f"{top}/{f}")]
        out = io.TextIOWrapper(io.BytesIO())
        with patch.object(sys, "stdout", out), patch.object(sys, "stderr", io.StringIO()) as err:
            code = main([*ASKED, *reports, *(str(top / name) for name in texts)])
        assert code in {0, 1}, err.getvalue()
        results = json.loads((top / "json").read_text("utf-8"))["results"]
        assert [Path(result["file"]).name for result in results] == list(texts)
        for result in results:
            for each in result["errors"]:
                if "line" in each:
                    span = (each["line"], each["col"], each["endLine"], each["endCol"])
                    check_inside(texts[Path(result["file"]).name], *span)
        log = json.loads((top / "sarif").read_text("utf-8"))
        for uri, region in regions(log):
            names = ("startLine", "startColumn", "endLine", "endColumn")
            check_inside(texts[Path(uri).name], *(region[name] for name in names))
        suite = ET.fromstring((top / "junit").read_bytes())  # noqa: S314 - it is our own
        assert len(suite.findall(".//testcase")) == len(texts)
