"""From the bytes of an artifact to its front matter: the text between the two fences.

An artifact opens with a fence that is the whole first line: `---` for YAML (closed by `---` or
`...`), `+++` for TOML (closed by `+++`), `;;;` for JSON (closed by `;;;`). A leading byte-order
mark is skipped. LF and CRLF end the line of a fence.

A fence that hosts ignore in silence costs the artifact all its metadata, so those that look like
a slip, and those that only look like a fence, are findings of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from manni.documents.document import Document, Format
from manni.documents.faults import DocumentFault, parse_fault
from manni.documents.files import MAX_FILE, decode, read_file, require_size
from manni.documents.lines import Lines
from manni.model.findings import TOOL_SCHEMA, Edit, Finding, Fix, Place, Span

__all__ = [
    "MAX_FILE",
    "MAX_FRONT_MATTER",
    "Document",
    "DocumentFault",
    "Format",
    "decode",
    "parse_document",
    "read_file",
]

MAX_FRONT_MATTER = 1 << 20
"""Size limit of the text between the fences, in bytes."""

_FENCES = {"---": Format.YAML, "+++": Format.TOML, ";;;": Format.JSON}
_FENCE = Span(1, 1, 1, 4)
_CLOSERS = {Format.YAML: r"(?:---|\.\.\.)", Format.TOML: r"\+\+\+", Format.JSON: ";;;"}
_CLOSING = {format_: re.compile(rf"\n{closer}(?=\r?\n|\Z)") for format_, closer in _CLOSERS.items()}
_NONE = Document()


def parse_document(data: bytes) -> Document:
    """Cut an artifact at its fences.

    Args:
        data: the bytes of the whole artifact.

    Raises:
        DocumentFault: the bytes are not UTF-8, or the front matter is larger than
            `MAX_FRONT_MATTER`.
    """
    require_size(len(data))
    text = decode(data)
    fence = text[:3]
    format_ = _FENCES.get(fence)
    if format_ is None:
        return _disguised(text) or _NONE
    start = 4 if text.startswith("\n", 3) else 5 if text.startswith("\r\n", 3) else 0
    if not start and len(text) > 3:
        return _spaced_opening(text, format_) or _disguised(text) or _NONE
    closing = _usual_closing(text, fence)
    if closing < 0:
        match = _CLOSING[format_].search(text, 3)
        if match is None:
            return _disguised(text) or _never_closed(text, format_)
        closing = match.start()
    block = text[start : closing + 1]
    if _is_large(block):
        message = "the front matter is larger than 1 MiB; move its bulk to the body or another file"
        raise parse_fault(message, _FENCE)
    return Document(format_, block, 2, text[: closing + 4])


def _usual_closing(text: str, fence: str) -> int:
    """The offset of the line break before the closing fence; negative unless that is plain to see.

    The fence that opened also closes, between two LF, and nothing before it might close too.
    """
    closing = text.find(f"\n{fence}\n", 3)
    if closing < 0 or text.find("\n...", 3, closing) >= 0 or text.find("\r", 3, closing) >= 0:
        return -1
    return closing


def _is_large(block: str) -> bool:
    return len(block) * 4 > MAX_FRONT_MATTER and len(block.encode()) > MAX_FRONT_MATTER


# Fences that are none. What follows one decides whether it was meant as front matter, since a page
# may well start with a thematic break.

_SHOWS_NOTHING = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    r"\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    r"\U000e0000-\U000e0fff"
)
# What ends a line for some reader is none: runs of such ends would be searched again from each.
_BLANK = rf"(?:(?![\x85\u2028\u2029])[ \t{_SHOWS_NOTHING}])"
_LINE_END = r"(?:\r\n?|[\n\x85\u2028\u2029])"
_DASHES = r"(?:-{3,}|-*[\u2010-\u2015\u2212][-\u2010-\u2015\u2212]*)"
_FIRST_KEY = {
    Format.YAML: r"""(?:"[^"\r\n]+"|'[^'\r\n]+'|[A-Za-z_$][\w.$-]*)[ \t]*:(?=[ \t\r\n]|\Z)""",
    Format.TOML: r"""(?:\[|["'\w.-]+[ \t]*=)""",
    Format.JSON: r"\{",
}
_SKIPPED = r"(?:[ \t]*(?:\#[^\r\n]*)?(?:\r\n?|\n))*+[ \t]*"
_LOOKS_MEANT = {
    format_: re.compile(rf"(?:\r\n?|\n){_SKIPPED}{key}") for format_, key in _FIRST_KEY.items()
}
_TRAILING = re.compile(rf"{_BLANK}+(?=[\r\n]|\Z)")
_SPACED_CLOSING = {
    format_: re.compile(rf"[\r\n]({closer})({_BLANK}+)(?=[\r\n]|\Z)")
    for format_, closer in _CLOSERS.items()
}


def _spaced_opening(text: str, format_: Format) -> Document | None:
    """A first line that starts like a fence: what shows nothing after it is a slip."""
    spaces = _TRAILING.match(text, 3)
    if spaces is None or not _LOOKS_MEANT[format_].match(text, spaces.end()):
        return None
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
    return _found("unclosed-front-matter", message, _FENCE, text[:3])


def _malformed(lines: Lines, spaces: int, fence: str) -> Document:
    span = lines.span(spaces, len(lines.text))
    strange = lines.text[spaces:].strip(" \t")
    what = _named(strange[0]) if strange else "spaces"
    message = (
        f'the {what} after "{fence}" make it no fence, so hosts read no metadata; remove them'
        if not strange
        else f'{what} after "{fence}" makes it no fence, so hosts read no metadata; remove it'
    )
    removed = "what stands" if strange else "the spaces"
    fix = Fix(f"Remove {removed} after the fence", (Edit(span, ""),))
    return _found("malformed-fence", message, span, lines.text, fix)


def _found(keyword: str, message: str, span: Span, head: str, fix: Fix | None = None) -> Document:
    finding = Finding(TOOL_SCHEMA, keyword, message, place=Place(span), fix=fix)
    return Document(head=head, findings=(finding,))


# Front matter that looks like one to people and is none to hosts.

_OBSTACLE = re.compile(
    rf"(?P<comment><!--.*?-->)|(?P<directive>(?<![^\r\n])%[A-Z]+ [^\r\n]*)"
    rf"|(?P<unseen>[{_SHOWS_NOTHING}])|[ \t\r\n]+",
    re.DOTALL,
)
_NEAR_THE_TOP = 1 << 16
_DISGUISED = re.compile(
    rf"(?P<fence>{_DASHES}|\+\+\+|;;;){_BLANK}*?(?P<end>{_LINE_END})",
)
_DISGUISED_CLOSING = {
    Format.YAML: rf"(?:{_DASHES}|\.\.\.)",
    Format.TOML: r"\+\+\+",
    Format.JSON: ";;;",
}
_DISGUISED_END = {
    format_: re.compile(rf"(?P<end>{_LINE_END}){_BLANK}*{closer}{_BLANK}*?(?={_LINE_END}|\Z)")
    for format_, closer in _DISGUISED_CLOSING.items()
}
_PLAIN_START = re.compile(r"[\w#*>`\[|&+.=~(\"'!]")


def _disguised(text: str) -> Document | None:
    """Front matter behind something, or with fences that are none; None when there is none."""
    if _PLAIN_START.match(text) and text[:3] != "+++":
        return None
    obstacles = _obstacles(text)
    opening = _DISGUISED.match(text, obstacles[-1].end() if obstacles else 0)
    if opening is None:
        return None
    fence = opening["fence"]
    usual = fence if fence in _FENCES else "---"
    format_ = _FENCES[usual]
    start = opening.start("end")
    closing = _DISGUISED_END[format_].search(text, start, start + MAX_FRONT_MATTER)
    if closing is None or not _is_metadata(text[start : closing.start()], format_):
        return None
    head = text[: closing.end()]
    before = list(_before(text[: opening.start()], obstacles))
    advice = before
    if fence != usual:
        advice = [*advice, f'write "{usual}" in place of {_fence_name(fence)}']
    advice = [*advice, *_line_ends(text, start, closing.start())]
    if not advice:
        return None
    where = "is not at the start of the file" if before else "stands between no fences"
    result = f'so that "{usual}" is the whole first line'
    message = (
        f"this front matter {where}, so hosts read none of it; "
        f"{_list(advice)}{',' if len(advice) < 3 else ''} {result}"
    )
    span = Lines(head).span(opening.start("fence"), opening.end("fence"))
    fix = _removal(head, opening) if len(advice) == len(before) else None
    return _found("misplaced-front-matter", message, span, head, fix)


def _is_metadata(block: str, format_: Format) -> bool:
    """Whether a block, from its first line end on, is a mapping with a key of one word.

    Any other counts when its first line looks like a key, even if it cannot be read.
    """
    from manni.documents.load import load

    block = re.sub(_LINE_END, "\n", block)
    looks_meant = block[1:2] != "\n" and _LOOKS_MEANT[format_].match(block) is not None
    if _is_large(block):
        return looks_meant
    try:
        value = load(Document(format_, block)).value
    except DocumentFault:
        return looks_meant
    return any(key and " " not in key for key in value) or (looks_meant and bool(value))


def _obstacles(text: str) -> list[re.Match[str]]:
    """What stands before the first line that people read."""
    found: list[re.Match[str]] = []
    at = 0
    while at < _NEAR_THE_TOP and (obstacle := _OBSTACLE.match(text, at)):
        found.append(obstacle)
        at = obstacle.end()
    return found


def _before(text: str, obstacles: list[re.Match[str]]) -> Iterator[str]:
    """What to do about each thing before the fence, in order."""
    lines = Lines(text)
    seen = set()
    for obstacle in obstacles:
        line = lines.number(obstacle.start())
        if obstacle.lastgroup == "comment":
            yield f"move the HTML comment on line {line} below it"
        elif obstacle.lastgroup == "directive":
            yield f'remove the directive "{obstacle[0].split(" ")[0]}" on line {line}'
        elif obstacle.lastgroup == "unseen" and obstacle[0] not in seen:
            seen.add(obstacle[0])
            yield f"remove {_named(obstacle[0])} on line {line}"
    if text and not text.strip(" \t\r\n"):
        indented = text[-1] in " \t" and len(lines) == 1
        yield f"remove the {'spaces' if indented else 'blank lines'} before it"


def _line_ends(text: str, *offsets: int) -> Iterator[str]:
    """What to do about the first line end that only some readers know."""
    for offset in offsets:
        if text[offset] != "\n" and not text.startswith("\r\n", offset):
            line = Lines(text[:offset]).number(offset)
            yield f"end line {line} with LF in place of {_named(text[offset])}"
            return


def _removal(text: str, opening: re.Match[str]) -> Fix | None:
    """The edit that removes what shows nothing, where the rest then is front matter."""
    end = opening.start()
    before = text[:end]
    if "<!--" in before or "%" in before:
        return None
    try:
        if parse_document(text[end:].encode()).format is None:
            return None
    except DocumentFault:
        return None
    span = Lines(text[: end + 1]).span(end, end)
    blank = not before.strip(" \t\r\n")
    what = "the spaces" if span.line == 1 else "the blank lines"
    return Fix(
        f"Remove {what if blank else 'what shows nothing'} before it",
        (Edit(Span(1, 1, span.line, span.column), ""),),
    )


def _fence_name(fence: str) -> str:
    strange = fence.strip("-")
    return f'"{fence[:20]}"' + (f", which holds {_named(strange[0])}" if strange else "")


def _list(parts: list[str]) -> str:
    """At most three parts of a sentence."""
    shown = parts if len(parts) <= 3 else [*parts[:2], "remove what else is there"]
    return " and ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)


def _named(char: str) -> str:
    """A character that may show nothing, by its code point and name."""
    from unicodedata import name

    return f"U+{ord(char):04X} ({_NAMES.get(char) or name(char, 'control character').lower()})"


_NAMES = {
    "\x00": "NUL",
    "\x0b": "vertical tab",
    "\x0c": "form feed",
    "\r": "a lone carriage return",
    "\x85": "next line",
    "\ufeff": "byte-order mark",
}
