"""Fences, limits and encodings: from the bytes of an artifact to its front matter."""

from __future__ import annotations

import os
import pickle
import re
import time
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manni.documents.files import _read_all
from manni.documents.front_matter import (
    MAX_FILE,
    MAX_FRONT_MATTER,
    Document,
    DocumentFault,
    Format,
    parse_document,
    read_file,
)
from manni.model.findings import Edit, Finding, Severity, Span


def only_finding(text: str) -> Finding:
    document = parse_document(text.encode())
    (finding,) = document.findings
    assert document.format is None
    assert document.block == ""
    return finding


def fault_of(data: bytes) -> Finding:
    with pytest.raises(DocumentFault) as raised:
        parse_document(data)
    return raised.value.finding


@pytest.mark.parametrize(
    ("text", "format_", "block", "head"),
    [
        ("---\na: 1\n---\nbody\n", Format.YAML, "a: 1\n", "---\na: 1\n---"),
        ("---\na: 1\n...\nbody\n", Format.YAML, "a: 1\n", "---\na: 1\n..."),
        ("---\na: 1\n---", Format.YAML, "a: 1\n", "---\na: 1\n---"),
        ("---\n---\n", Format.YAML, "", "---\n---"),
        ("---\n\n---\n", Format.YAML, "\n", "---\n\n---"),
        ("---\r\n---\r\n", Format.YAML, "", "---\r\n---"),
        ("---\r\na: 1\r\n---\r\nbody", Format.YAML, "a: 1\r\n", "---\r\na: 1\r\n---"),
        ("---\r\na: 1\n---\nbody", Format.YAML, "a: 1\n", "---\r\na: 1\n---"),
        ("---\na: 1\rb: 2\n---\nbody", Format.YAML, "a: 1\rb: 2\n", "---\na: 1\rb: 2\n---"),
        ("+++\na = 1\n+++\n", Format.TOML, "a = 1\n", "+++\na = 1\n+++"),
        (';;;\n{"a": 1}\n;;;\n', Format.JSON, '{"a": 1}\n', ';;;\n{"a": 1}\n;;;'),
        ("---\na: |\n  ---\n---\n", Format.YAML, "a: |\n  ---\n", "---\na: |\n  ---\n---"),
        ("+++\n---\n...\n+++\n", Format.TOML, "---\n...\n", "+++\n---\n...\n+++"),
        ("---\na: 1\n----\n---\n", Format.YAML, "a: 1\n----\n", "---\na: 1\n----\n---"),
    ],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_front_matter_is_what_stands_between_the_fences(
    text: str, format_: Format, block: str, head: str, mark: bytes
) -> None:
    assert parse_document(mark + text.encode()) == Document(format_, block, 2, head)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Title\n",
        "# Title\n\n---\n\nname: x\n\n---\n",
        "----\nJust a line.\n----\n",
        "\u2014\nNot this: but text\n\u2014\n",
        "# Title\n\u200b---\nname: x\n---\n",
        "<!-- never closed\n---\nname: x\n---\n",
        "<!-- c -->\n\n---\n\nSome text.\n\n---\n",
        "--- name\n---\n",
        "---x\nname: x\n---\n",
        "--- \n\nA thematic break, and text.\n",
        "\n\n---\n\nA thematic break: and text.\n\n---\n",
        "\n---\nname: x\n",
        "\n\n# Title\n---\nname: x\n---\n",
        "\n---\n",
        "   ",
    ],
)
def test_other_files_have_none_and_nothing_wrong(text: str) -> None:
    assert parse_document(text.encode()) == Document()


@pytest.mark.parametrize("fence", ["---", "+++", ";;;"])
def test_an_opening_fence_that_never_closes(fence: str) -> None:
    finding = only_finding(f"{fence}\nname: x\n\n# Title\n")
    assert finding.rule_id == "manni/unclosed-front-matter"
    assert finding.severity is Severity.ERROR
    assert finding.span == Span(1, 1, 1, 4)
    assert fence in finding.message


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("\n---\nname: x\n---\n", Span(2, 1, 2, 4)),
        ("\r\n\r\n---\r\nname: x\r\n---\r\n", Span(3, 1, 3, 4)),
        (" ---\nname: x\n---\n", Span(1, 2, 1, 5)),
        ("  ---\n  name: x\n  ---\n", Span(1, 3, 1, 6)),
        ("\n\t \n---\n# comment\n'a b': x\n---", Span(3, 1, 3, 4)),
        ("\n+++\nname = 'x'\n+++\n", Span(2, 1, 2, 4)),
        ('\n;;;\n{"a": 1}\n;;;\n', Span(2, 1, 2, 4)),
        ("\n---\n\nname: x\n---\n", Span(2, 1, 2, 4)),
        ("\n---\nname: x: y\n---\n", Span(2, 1, 2, 4)),
        ("\ufeff\ufeff---\nname: x\n---\n", Span(1, 2, 1, 5)),
    ],
)
def test_front_matter_below_blank_lines_or_behind_spaces(text: str, span: Span) -> None:
    finding = only_finding(text)
    assert finding.rule_id == "manni/misplaced-front-matter"
    assert finding.severity is Severity.ERROR
    assert finding.span == span


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        *(
            (f"{char}---\nname: x\n---\n", 1, [f"U+{ord(char):04X}", "line 1"])
            for char in "\xa0\u200b\u200f\u2028\u202e\u2060\u2064\x0b\x0c\x00\x1b\x7f\x85\xad\u3000"
        ),
        ("\ufeff\ufeff---\nname: x\n---\n", 1, ["U+FEFF", "byte-order mark"]),
        ("\n \u200b\n---\nname: x\n---\n", 3, ["U+200B (zero width space)", "line 2"]),
        ("<!-- a\n b -->\n\n---\nname: x\n---\n", 4, ["HTML comment", "line 1"]),
        ("%YAML 1.2\n---\nname: x\n---\n", 2, ["%YAML", "line 1"]),
        ("<!-- a --> \x0c\n%YAML 1.2\n---\nname: x\n---\n", 3, ["comment", "U+000C", "%YAML"]),
        ("----\nname: x\n----\n", 1, ['write "---"', '"----"']),
        ("------\nname: x\n---\n", 1, ['write "---"', '"------"']),
        ("\u2014\u2014\u2014\nname: x\n\u2014\u2014\u2014\n", 1, ["U+2014 (em dash)"]),
        ("\u2014\nname: x\n\u2014\n", 1, ["U+2014"]),
        ("-\u2013\nname: x\n---\n", 1, ["U+2013 (en dash)"]),
        ("---\u0085name: x\u0085---\u0085", 1, ["U+0085", "LF"]),
        ("---\u2028name: x\u2028---\u2028", 1, ["U+2028", "LF"]),
        ("---\u2029name: x\u2029---", 1, ["U+2029", "LF"]),
        ("---\rname: x\r---\rbody", 1, ["U+000D", "line 1"]),
        ("---\nname: x\r---\nbody", 1, ["U+000D", "line 2"]),
        ("\u200b+++\nname = 1\n+++\n", 1, ["U+200B", '"+++"']),
        ('\u200b;;;\n{"a": 1}\n;;;\n', 1, ["U+200B", '";;;"']),
    ],
)
def test_front_matter_that_hides_is_found_and_told_by_what(
    text: str, line: int, words: list[str]
) -> None:
    finding = only_finding(text)
    assert finding.rule_id == "manni/misplaced-front-matter"
    assert finding.severity is Severity.ERROR
    assert finding.span is not None
    assert finding.span.line == line
    assert finding.message.isprintable()
    for word in words:
        assert word in finding.message


def test_the_fix_of_misplaced_front_matter_makes_it_front_matter() -> None:
    text = "\n \n---\nname: x\n---\nbody\n"
    fix = only_finding(text).fix
    assert fix is not None
    assert fix.edits == (Edit(Span(1, 1, 3, 1), ""),)
    assert only_finding("  ---\n  name: x\n  ---\n").fix is None


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("--- \nname: x\n---\n", Span(1, 4, 1, 5)),
        ("---\t \n\n# c\nname: x\n---\n", Span(1, 4, 1, 6)),
        ("--- \r\nname: x\r\n", Span(1, 4, 1, 5)),
        ("+++ \nname = 1\n+++\n", Span(1, 4, 1, 5)),
        ("---\nname: x\n--- \nbody\n", Span(3, 4, 3, 5)),
        ("---\nname: x\n...  \nbody\n", Span(3, 4, 3, 6)),
        (";;;\n{}\n;;;\t", Span(3, 4, 3, 5)),
    ],
)
def test_spaces_after_a_fence(text: str, span: Span) -> None:
    finding = only_finding(text)
    assert finding.rule_id == "manni/malformed-fence"
    assert finding.severity is Severity.ERROR
    assert finding.span == span
    assert finding.fix is not None
    assert finding.fix.edits == (Edit(span, ""),)


def test_a_true_fence_outweighs_one_with_spaces() -> None:
    assert parse_document(b"---\na: 1\n--- \n---\n").block == "a: 1\n--- \n"


@pytest.mark.parametrize(
    ("data", "span"),
    [
        (b"---\nname: \xff\n---\n", Span(2, 7, 2, 8)),
        (b"\xef\xbb\xbf---\r\n\xc3\xa9\xf0\x9f\x98\x80\xff", Span(2, 3, 2, 4)),
        (b"# Title\n\n\n\x80", Span(4, 1, 4, 2)),
        (b"\xed\xa0\x80", Span(1, 1, 1, 2)),
    ],
)
def test_bytes_that_are_not_utf8(data: bytes, span: Span) -> None:
    finding = fault_of(data)
    assert finding.rule_id == "manni/parse-error"
    assert finding.span == span
    assert "UTF-8" in finding.message


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
def test_wide_encodings_are_named_with_a_mark_or_without(encoding: str) -> None:
    message = fault_of("---\nname: 日本\n---\n".encode(encoding)).message
    assert encoding[:6].upper() in message


def test_spaces_that_show_nothing_after_a_fence_are_named() -> None:
    finding = only_finding("---\u00a0\nname: x\n---\n")
    assert finding.rule_id == "manni/malformed-fence"
    assert "U+00A0 (no-break space)" in finding.message


def test_the_front_matter_limit_counts_bytes() -> None:
    fits = "é" * ((MAX_FRONT_MATTER - 4) // 2)
    assert parse_document(f"---\na: {fits}\n---\n".encode()).block
    finding = fault_of(f"---\na: {fits}é\n---\n".encode())
    assert "1 MiB" in finding.message
    assert finding.span == Span(1, 1, 1, 4)


def test_a_body_may_be_larger_than_the_front_matter() -> None:
    assert parse_document(b"---\na: 1\n---\n" + b"x\n" * MAX_FRONT_MATTER).block == "a: 1\n"


def test_a_file_over_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "large.md"
    with path.open("wb") as file:
        file.truncate(MAX_FILE + 1)
    with pytest.raises(DocumentFault, match="64 MiB"):
        read_file(path)


def test_a_regular_file_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"---\r\n\x00")
    assert read_file(path) == b"---\r\n\x00"
    path.write_bytes(b"")
    assert read_file(path) == b""


@pytest.mark.parametrize("said", [0, 1, 4, 5, 6, 100, MAX_FILE, MAX_FILE + 1])
def test_a_file_is_read_whole_whatever_its_size_was_said_to_be(tmp_path: Path, said: int) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"12345")
    with path.open("rb") as file:
        assert _read_all(file.fileno(), said) == b"12345"


def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "directory").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    for name in ("pipe", "directory", "loop", "missing", "nul\0"):
        with pytest.raises(DocumentFault) as raised:
            read_file(tmp_path / name)
        assert raised.value.finding.rule_id == "manni/parse-error"
        assert raised.value.finding.place is None


def test_a_fault_survives_pickling() -> None:
    with pytest.raises(DocumentFault) as raised:
        parse_document(b"\xff")
    copy = pickle.loads(pickle.dumps(raised.value))  # noqa: S301 - made on the line itself
    assert copy.finding == raised.value.finding


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["---", "+++", ";;;", "...", " ", "\n", "\r", "a: b", "\ufeff"])))
def test_any_text_is_cut_without_loss(parts: list[str]) -> None:
    text = "".join(parts)
    document = parse_document(text.encode())
    assert text.removeprefix("\ufeff").startswith(document.head)
    assert document.block in document.head
    assert (document.format is None) or not document.findings


TAILS = [
    "",
    "x",
    "\n",
    "\nx\n",
    "\n---",
    "\nx\n---\nx\n",
    "\n...\n",
    "\n--- \n",
    "\n ---\n",
    "\r---\r",
]


@pytest.mark.parametrize("before", ["", "\n", " ", "\ufeff\n"])
@pytest.mark.parametrize(
    "block", ["---\na: b\n---", "---\na: b\n ---", "--- \na: b\n--- ", "---\na: b", ""]
)
def test_all_follows_from_the_head(before: str, block: str) -> None:
    documents = [parse_document(f"{before}{block}{tail}".encode()) for tail in TAILS]
    for one, other in combinations(documents, 2):
        assert one.head != other.head or one == other


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(["---", "+++", ";;;"]),
    st.lists(
        st.sampled_from(
            ["---", "+++", ";;;", "...", "\n", "\n", "\r", "\r\n", " ", "a", "\n---\n"]
        ),
        max_size=14,
    ),
)
def test_the_first_line_that_is_a_closing_fence_closes(fence: str, parts: list[str]) -> None:
    text = f"{fence}\n{''.join(parts)}"
    closers = {fence, "..."} if fence == "---" else {fence}
    lines = re.split(r"(\r?\n)", text)
    closing = [at for at in range(2, len(lines), 2) if lines[at] in closers]
    document = parse_document(text.encode())
    if closing:
        assert document.format is not None
        assert document.block == "".join(lines[2 : closing[0]])
        assert document.head == "".join(lines[: closing[0] + 1])
    else:
        assert document.format is None


@pytest.mark.parametrize("filler", ["\x85", "\x85 ", "\u2028", "\n", "\u200b", "-"])
def test_a_fence_that_never_closes_is_looked_for_once(filler: str) -> None:
    start = time.monotonic()
    parse_document(("\n---\nname: a\n" + filler * 2_000_000).encode())
    assert time.monotonic() - start < 10
