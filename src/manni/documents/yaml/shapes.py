"""What a line of YAML looks like to its author, for the words of a diagnosis.

Nothing here decides what YAML means: a text that cannot be parsed is read by eye, line by line.
Offsets are 0-based in the whole text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from manni.documents.lines import Lines

_PREFIX = re.compile(r"[ \t]*(?:-[ \t]+)*+")
_COLON = re.compile(r":(?=[ \t]|\Z)")
_QUOTED = {'"': re.compile(r'"(?:[^"\\]|\\.)*+"'), "'": re.compile(r"'(?:[^']|'')*+'")}
_TIGHT_KEY = re.compile(r"[A-Za-z_][\w.-]*:(?=[^\s/])")
_OPENING = re.compile(r"(?:\A|[:-])[ \t\r\n]*+[\[{]")
_FLOW_TOKEN = re.compile(r"""[\[\]{}]|(?<=[\[\]{},:\s])["']""")


CLOSING = {"[": "]", "{": "}"}
MEANINGS = {
    "*": "an alias",
    "&": "an anchor",
    "!": "a tag",
    "|": "a block of lines",
    ">": "a block of lines",
    "[": "a list",
    "{": "a mapping",
    "%": "a directive",
    "?": "a key",
    "-": "a list item",
    "#": "a comment",
    '"': "a quoted value",
    "'": "a quoted value",
}
"""What YAML takes a value for that starts with a character."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line as `key: value`, or as a value alone.

    Attributes:
        start: where its text starts, after spaces and the dashes of list items.
        colon: the offset of the colon, or -1 when there is no key.
        value_start: where the value starts; the end of the line when there is none.
        value_end: where the value ends, trailing spaces left out.
        key: the key as written, without its quotes; `""` when there is none.
        value: the value as written.
    """

    start: int
    colon: int
    value_start: int
    value_end: int
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text between two 0-based offsets."""

    start: int
    end: int
    replacement: str
    description: str


@dataclass(frozen=True, slots=True)
class Cure:
    """What is wrong, between which offsets, and how to mend it.

    Attributes:
        edit: an edit that may mend it.
        first: the offset of an earlier place that explains it.
    """

    message: str
    start: int
    end: int
    edit: Edit | None = None
    first: int | None = None


def entry_at(lines: Lines, row: int) -> Entry:
    """The line at a 0-based row, taken apart."""
    line = lines.line(row)
    base = lines.start(row)
    prefix = _PREFIX.match(line)
    start = prefix.end() if prefix else 0
    quoted = closed_quote(line, start)
    colon = _COLON.search(line, quoted if quoted > 0 else start)
    if colon is None or (quoted > 0 and line[quoted : colon.start()].strip(" \t")):
        value = line[start:].rstrip(" \t")
        return Entry(base + start, -1, base + start, base + start + len(value), "", value)
    rest = line[colon.end() :]
    value = rest.strip(" \t")
    value_start = base + colon.end() + len(rest) - len(rest.lstrip(" \t"))
    key = line[start : colon.start()].rstrip(" \t")
    key = key[1:-1] if quoted > 0 else key
    return Entry(
        base + start, base + colon.start(), value_start, value_start + len(value), key, value
    )


def closed_quote(text: str, start: int) -> int:
    """The offset after the quoted text that starts here; 0 when none starts or it never ends."""
    pattern = _QUOTED.get(text[start : start + 1])
    match = pattern.match(text, start) if pattern else None
    return match.end() if match else 0


def closed_bracket(text: str, start: int) -> int:
    """The offset after the flow list or mapping that starts here; 0 when it never closes."""
    depth = 0
    position = start
    while match := _FLOW_TOKEN.search(text, position):
        token = match.group()
        position = match.end()
        if token in _QUOTED:
            position = closed_quote(text, match.start()) or position
            continue
        depth += 1 if token in CLOSING else -1
        if depth == 0:
            return position
    return 0


def open_bracket(text: str) -> int:
    """The offset of the first bracket that opens a value and never closes; -1 if there is none."""
    position = 0
    while match := _OPENING.search(text, position):
        position = closed_bracket(text, match.end() - 1)
        if not position:
            return match.end() - 1
    return -1


def tight_key(lines: Lines, row: int) -> int:
    """The offset after the colon of a `key:value` without a space; 0 when the line is none."""
    start = entry_at(lines, row).start
    match = _TIGHT_KEY.match(lines.text, start)
    return match.end() if match else 0


def indent(lines: Lines, row: int) -> int:
    """How many spaces and tabs a line starts with."""
    line = lines.line(row)
    return len(line) - len(line.lstrip(" \t"))


def tab_in_indent(lines: Lines, row: int) -> int:
    """The offset of a tab in front of the text of a line; -1 when there is none."""
    width = indent(lines, row)
    tab = lines.line(row).find("\t", 0, width)
    return -1 if tab < 0 or is_blank(lines, row) else lines.start(row) + tab


def is_blank(lines: Lines, row: int) -> bool:
    """Whether a line holds nothing but spaces and tabs."""
    return not lines.line(row).strip(" \t")


def rows_above(lines: Lines, row: int) -> list[int]:
    """The rows with text above one, nearest first, comments left out; at most a hundred."""
    return [
        above
        for above in range(row - 1, max(-1, row - 101), -1)
        if lines.line(above).lstrip(" \t")[:1] not in ("", "#")
    ]


def owner_of(lines: Lines, row: int, above: list[int]) -> Entry | None:
    """The entry above whose value reaches down to a row."""
    width = indent(lines, row)
    for candidate in above:
        entry = entry_at(lines, candidate)
        item = entry.start > lines.start(candidate) + indent(lines, candidate)
        if (entry.colon >= 0 or item) and indent(lines, candidate) < width:
            return entry
    return None


def continued(lines: Lines, row: int) -> int:
    """The offset at which the lines end that continue the value of a row, deeper than it."""
    width = indent(lines, row)
    last = row
    while last + 1 < len(lines) and indent(lines, last + 1) > width:
        last += 1
        if is_blank(lines, last):
            break
    return lines.start(last) + len(lines.line(last).rstrip(" \t"))


def quote(text: str) -> str:
    """A one-line text as a quoted YAML scalar with the same value."""
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'


def quoting(entry: Entry, text: str | None = None) -> Edit | None:
    """The edit that quotes a value, unless a comment makes its end uncertain."""
    text = entry.value if text is None else text
    if not text or " #" in text or "\t#" in text:
        return None
    return Edit(entry.value_start, entry.value_end, quote(text), "Quote the value")


def requoting(entry: Entry) -> Edit | None:
    """`'it's'` is quoted as a whole, `"a" or "b"` is text that starts with a quote."""
    closed = closed_quote(entry.value, 0)
    inner = entry.value[1:-1]
    whole = entry.value.endswith(entry.value[0]) and entry.value[closed : closed + 1].strip()
    return quoting(entry, inner if whole and "\\" not in inner else None)
