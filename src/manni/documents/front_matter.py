"""From the bytes of an artifact to its front matter: the text between the two fences.

An artifact opens with a fence that is the whole first line: `---` for YAML (closed by `---` or
`...`), `+++` for TOML (closed by `+++`), `;;;` for JSON (closed by `;;;`). A leading byte-order
mark is skipped. LF, CRLF and a lone CR each end a line, as in YAML 1.2 (section 5.4) and in the
line hashes of code scanning, so that every position means the same everywhere.

A fence that hosts ignore in silence costs the artifact all its metadata, so those that look like
a slip are findings of their own.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from manni.base.boundary import LEAVES, leaves_boundary
from manni.documents.lines import Lines
from manni.model.findings import (
    PARSE_SCHEMA,
    TOOL_SCHEMA,
    Edit,
    Finding,
    Fix,
    Place,
    Severity,
    Span,
)

if TYPE_CHECKING:
    from pathlib import Path

MAX_FRONT_MATTER = 1 << 20
"""Size limit of the text between the fences, in bytes."""

MAX_FILE = 64 << 20
"""Size limit of a file, in bytes."""


class Format(StrEnum):
    """The language of a front matter."""

    YAML = "yaml"
    TOML = "toml"
    JSON = "json"


class DocumentFault(Exception):  # noqa: N818 - it is a fault of the document
    """A document that cannot be read; `finding` says where and why.

    The finding has the schema `(parse)` and the keyword `parse`.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding

    def __reduce__(self) -> tuple[type[DocumentFault], tuple[Finding]]:
        """Faults cross process borders with their finding."""
        return (DocumentFault, (self.finding,))


@dataclass(frozen=True, slots=True)
class Document:
    """An artifact cut at its fences.

    All else follows from `head`, so that what is found in one artifact holds for any other with the
    same head.

    Attributes:
        format: the language of the block; None when there is no front matter.
        block: the text between the fences, with its line ends; `""` when there is none.
        first_line: the 1-based line on which `block` starts.
        head: the text that reports may quote, from the start of the file (without a byte-order
            mark) through the closing fence; `""` without front matter. Where a fence is at
            fault it reaches as far as that finding needs.
        findings: what is wrong with the fences.
    """

    format: Format | None = None
    block: str = ""
    first_line: int = 1
    head: str = ""
    findings: tuple[Finding, ...] = ()


def parse_fault(message: str, span: Span | None = None) -> DocumentFault:
    """A fault with one parse finding that points at `span`."""
    place = Place(span) if span else None
    return DocumentFault(Finding(PARSE_SCHEMA, "parse", message, place=place))


def read_file(path: Path | str) -> bytes:
    """The bytes of a regular file, at most `MAX_FILE` of them.

    Never waits: a pipe or a device in the place of a file is refused and not read.

    Raises:
        DocumentFault: it is not a regular file, it is too large, or the system refuses it.
    """
    try:
        if leaves_boundary(path):
            raise parse_fault(LEAVES)
        descriptor = os.open(path, _FOR_READING)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise parse_fault("this is not a regular file, so there is nothing to read")
            return _read_all(descriptor, status.st_size)
        finally:
            os.close(descriptor)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise parse_fault(f"the file cannot be read: {reason}") from error
    except ValueError as error:
        raise parse_fault("the file cannot be read: its name holds a NUL character") from error


_SOME = 1 << 16
_FOR_READING = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


def _read_all(descriptor: int, size: int) -> bytes:
    wanted = min(size, MAX_FILE) + 1
    chunk = os.read(descriptor, wanted)
    if len(chunk) == size < wanted:
        return chunk  # one more was asked for, so the file has no more than the system said
    chunks: list[bytes] = []
    total = 0
    while chunk:
        chunks.append(chunk)
        total += len(chunk)
        if total > MAX_FILE:
            raise parse_fault(_TOO_LARGE)
        chunk = os.read(descriptor, max(wanted, _SOME))
    return b"".join(chunks)


_TOO_LARGE = "the file is larger than 64 MiB, which is more than an artifact may hold"


def parse_document(data: bytes) -> Document:
    """Cut an artifact at its fences.

    Args:
        data: the bytes of the whole artifact.

    Raises:
        DocumentFault: the bytes are not UTF-8, or the front matter is larger than
            `MAX_FRONT_MATTER`.
    """
    if len(data) > MAX_FILE:
        raise parse_fault(_TOO_LARGE)
    text = decode(data)
    fence = text[:3]
    format_ = _FENCES.get(fence)
    if format_ is None:
        return _without_fence(text)
    if text[3:4] not in _LINE_ENDS:
        return _with_other_first_line(text, format_)
    closing = _usual_closing(text, fence)
    if closing < 0:
        match = _CLOSING[format_].search(text, 3)
        if match is None:
            return _never_closed(text, format_)
        closing = match.start()
    start = 5 if text.startswith("\r\n", 3) else 4
    block = text[start : closing + 1]
    if len(block) * 4 > MAX_FRONT_MATTER and len(block.encode()) > MAX_FRONT_MATTER:
        message = "the front matter is larger than 1 MiB; move its bulk to the body or another file"
        raise parse_fault(message, Span(1, 1, 1, 4))
    return Document(format_, block, 2, text[: closing + 4])


def _usual_closing(text: str, fence: str) -> int:
    """The offset of the line break before the closing fence; negative unless that is plain to see.

    The fence that opened also closes, between two LF, and nothing before it might close too.
    """
    closing = text.find(f"\n{fence}\n", 3)
    if closing < 0 or text.find("\n...", 3, closing) >= 0 or text.find("\r", 3, closing) >= 0:
        return -1
    return closing


_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_FENCES = {"---": Format.YAML, "+++": Format.TOML, ";;;": Format.JSON}
_LINE_ENDS = ("", "\n", "\r")
_CLOSERS = {Format.YAML: r"(?:---|\.\.\.)", Format.TOML: r"\+\+\+", Format.JSON: ";;;"}
_CLOSING = {
    format_: re.compile(rf"[\r\n]{closer}(?=[\r\n]|\Z)") for format_, closer in _CLOSERS.items()
}


def decode(data: bytes) -> str:
    """The text of UTF-8 bytes, without a leading byte-order mark.

    Raises:
        DocumentFault: the bytes are not UTF-8; it points at the first wrong one.
    """
    try:
        return data.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        if data.startswith(_UTF16):
            message = "the file is UTF-16, and only UTF-8 is read; save it as UTF-8"
            raise parse_fault(message, Span(1, 1, 1, 2)) from error
        bad = data.removeprefix(_BOM)
        before = bad[: error.start].decode()
        where = Lines(before).span(len(before), len(before))
        message = f"byte 0x{bad[error.start]:02x} here is not UTF-8; save the file as UTF-8"
        span = replace(where, end_column=where.column + 1)
        raise parse_fault(message, span) from error


# Fences that are none. What follows one decides whether it was meant as front matter: a line
# that looks like the first key. A page may well start with a thematic break.

_FIRST_KEY = {
    Format.YAML: r"""(?:"[^"\r\n]+"|'[^'\r\n]+'|[A-Za-z_$][\w.$-]*)[ \t]*:(?=[ \t\r\n]|\Z)""",
    Format.TOML: r"""(?:\[|["'\w.-]+[ \t]*=)""",
    Format.JSON: r"\{",
}
_SKIPPED = r"(?:[ \t]*(?:\#[^\r\n]*)?(?:\r\n?|\n))*+[ \t]*"
_LOOKS_MEANT = {
    format_: re.compile(rf"(?:\r\n?|\n){_SKIPPED}{key}") for format_, key in _FIRST_KEY.items()
}
_INDENTED_FENCE = re.compile(r"[ \t\r\n\ufeff]+(---|\+\+\+|;;;)[ \t]*(?=([\r\n])|\Z)")
_NEXT_LINE = re.compile(r"\r\n?|\n")
_TRAILING = re.compile(r"[ \t]+(?=[\r\n]|\Z)")
_SPACED_CLOSING = {
    format_: re.compile(rf"[\r\n]({closer})([ \t]+)(?=[\r\n]|\Z)")
    for format_, closer in _CLOSERS.items()
}
_LOOSE_CLOSING = {
    format_: re.compile(rf"[\r\n][ \t]*{closer}[ \t]*(?=[\r\n]|\Z)")
    for format_, closer in _CLOSERS.items()
}


def _without_fence(text: str) -> Document:
    """No fence at the start: a fence may still follow blank lines or spaces."""
    match = _INDENTED_FENCE.match(text) if text[:1] in _BLANKS else None
    if match is None:
        return _NO_FRONT_MATTER
    format_ = _FENCES[match[1]]
    closing = _LOOSE_CLOSING[format_].search(text, match.end())
    first = _NEXT_LINE.match(text, match.end())
    meant = _LOOKS_MEANT[format_].match(text, match.end())
    if closing is None or first is None or meant is None or _is_blank_line(text, first.end()):
        return _NO_FRONT_MATTER
    lines = Lines(text[: closing.end()])
    span = lines.span(match.start(1), match.end(1))
    indented = span.column > 1
    what = "spaces before it" if indented and span.line == 1 else "blank lines before it"
    message = (
        "this front matter is not at the start of the file, so hosts read none of it; "
        f'remove the {what}, so that "{match[1]}" is the whole first line'
    )
    fix = None
    if _CLOSING[format_].match(text, closing.start()) and match.end() == match.end(1):
        before = Span(1, 1, span.line, span.column)
        fix = Fix(f"Remove the {what}", (Edit(before, ""),))
    return Document(
        head=lines.text,
        findings=(
            _fence_finding("misplaced-front-matter", message, span, Severity.WARNING, fix=fix),
        ),
    )


def _is_blank_line(text: str, offset: int) -> bool:
    return text[offset : offset + 1] in _LINE_ENDS


def _with_other_first_line(text: str, format_: Format) -> Document:
    """A first line that starts like a fence: spaces after it are a slip, all else is text."""
    spaces = _TRAILING.match(text, 3)
    if spaces is None or not _LOOKS_MEANT[format_].match(text, spaces.end()):
        return _NO_FRONT_MATTER
    return _malformed(Lines(text[: spaces.end()]), spaces.start(), text[:3])


def _never_closed(text: str, format_: Format) -> Document:
    """No closing fence: unless one only has spaces after it, the opening one is at fault."""
    spaced = _SPACED_CLOSING[format_].search(text, 3)
    if spaced is not None:
        return _malformed(Lines(text[: spaced.end()]), spaced.start(2), spaced[1])
    message = (
        f'the front matter that "{text[:3]}" opens here never closes, so hosts read no metadata; '
        f'put "{text[:3]}" on a line of its own after the last key'
    )
    finding = _fence_finding("unclosed-front-matter", message, Span(1, 1, 1, 4), Severity.ERROR)
    return Document(head=text[:3], findings=(finding,))


def _malformed(lines: Lines, spaces: int, fence: str) -> Document:
    span = lines.span(spaces, len(lines.text))
    message = f'the spaces after "{fence}" make it no fence, so hosts read no metadata; remove them'
    fix = Fix("Remove the spaces after the fence", (Edit(span, ""),))
    finding = _fence_finding("malformed-fence", message, span, Severity.ERROR, fix=fix)
    return Document(head=lines.text, findings=(finding,))


def _fence_finding(
    keyword: str, message: str, span: Span, severity: Severity, *, fix: Fix | None = None
) -> Finding:
    return Finding(TOOL_SCHEMA, keyword, message, severity=severity, place=Place(span), fix=fix)


_BLANKS = (" ", "\t", "\r", "\n", "\ufeff")
_NO_FRONT_MATTER = Document()
