"""Slips inside of one YAML value: its first character, its quotes, brackets and escapes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from manni.base.text import visible
from manni.documents.faults import show
from manni.documents.yaml.reader import last_scalar
from manni.documents.yaml.shapes import Entry, closed_bracket, closed_quote, entry_at, indent, quote

if TYPE_CHECKING:
    from manni.documents.lines import Lines

_SURROGATE = re.compile(r"\\(?:u|U0000)([dD][89a-fA-F][0-9a-fA-F]{2})")
_MEANINGS = {
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


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text between two offsets."""

    start: int
    end: int
    replacement: str
    description: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
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


def quoting(entry: Entry, text: str | None = None) -> Edit | None:
    """The edit that quotes a value, unless a comment makes its end uncertain."""
    text = entry.value if text is None else text
    if not text or " #" in text or "\t#" in text:
        return None
    return Edit(entry.value_start, entry.value_end, quote(text), "Quote the value")


def of_value(entry: Entry) -> str:
    """`the value of "key"`, or `the value` where there is no key."""
    return f"the value of {show(entry.key)}" if entry.key else "the value"


def indicator(lines: Lines, start: int) -> Diagnosis:
    """A value that starts with a character that has a meaning of its own."""
    entry = entry_at(lines, lines.row(start))
    char = lines.text[start : start + 1]
    meaning = _MEANINGS.get(char)
    why = f"YAML takes it for {meaning}" if meaning else "YAML reserves that character"
    if start == entry.start and entry.colon >= 0:
        message = f'a key cannot start with "{visible(char)}" ({why}); put the key in quotes'
        return Diagnosis(message, start, start + 1)
    message = f'a value cannot start with "{visible(char)}" ({why}); put the whole value in quotes'
    edit = quoting(entry) if entry.value_start == start else None
    return Diagnosis(message, start, entry.value_end, edit)


def after_value(lines: Lines, entry: Entry, offset: int) -> Diagnosis:
    """Text after a value that its quote, bracket or alias has already ended."""
    row = lines.row(offset)
    scalar = last_scalar(lines.text)
    if scalar and lines.row(scalar[0]) < row and scalar[1] <= offset:
        closing = lines.text[scalar[1] - 1 : scalar[1]]
        if lines.row(scalar[1] - 1) == row and closing in "\"'":
            return runaway_quote(lines, *scalar)
    opening = entry.value[:1]
    edit = quoting(entry)
    closed = closed_quote(entry.value, 0)
    if closed:
        # `'it's'` is quoted as a whole, `"a" or "b"` is text that starts with a quote.
        inner = entry.value[1:-1]
        whole = entry.value.endswith(opening) and entry.value[closed : closed + 1].strip()
        if whole and "\\" not in inner:
            edit = quoting(entry, inner)
        message = (
            f"the quote that opens {of_value(entry)} closes before this; {_QUOTE_ADVICE[opening]}"
        )
        return Diagnosis(message, offset, entry.value_end, edit)
    if opening in ("[", "{") and closed_bracket(entry.value, 0):
        message = (
            f'the "{opening}" that opens {of_value(entry)} is {_MEANINGS[opening]} to YAML, and it '
            "ends before this; put the whole value in quotes"
        )
        return Diagnosis(message, offset, entry.value_end, edit)
    if opening in _MEANINGS:
        return indicator(lines, entry.value_start)
    message = f"YAML reads {of_value(entry)} as ended before this; put the whole value in quotes"
    return Diagnosis(message, offset, entry.value_end, edit)


_QUOTE_ADVICE = {
    '"': 'write quotes inside of it as \\", or put the whole value in single quotes',
    "'": "write an apostrophe inside of it as '', or put the whole value in double quotes",
}


def runaway_quote(lines: Lines, start: int, end: int) -> Diagnosis:
    """A quote that is meant to end on its own line, and swallows what follows."""
    line = lines.number(end - 1)
    message = f"the quote that opens here closes only on line {line}; close it where the value ends"
    return Diagnosis(message, start, lines.end(lines.row(start)))


def unclosed_flow(lines: Lines, offset: int, start: int) -> Diagnosis:
    """A flow list or mapping that libyaml could not follow to its end."""
    opening = lines.text[start : start + 1]
    if opening not in ("[", "{"):
        return indicator(lines, start)
    if closed_bracket(lines.text, start):
        message = (
            f'this does not fit inside of the "{opening}" on line {lines.number(start)}; separate '
            "items with commas, and put those with special characters in quotes"
        )
        return Diagnosis(message, offset, offset + 1, first=start)
    closing = {"[": "]", "{": "}"}[opening]
    message = (
        f'the "{opening}" that opens here never closes; add "{closing}" at its end, or put the '
        "value in quotes if it is text"
    )
    return Diagnosis(message, start, lines.end(lines.row(start)))


def unclosed_quote(lines: Lines, _offset: int, start: int) -> Diagnosis:
    """A quote without its second one; where the line is the whole value, it is added there."""
    entry = entry_at(lines, lines.row(start))
    opening = lines.text[start : start + 1]
    message = f"the quote ({opening}) that opens here never closes; close it where the value ends"
    edit: Edit | None = None
    if entry.value_start == start and opening not in entry.value[1:] and "\\" not in entry.value:
        edit = Edit(entry.value_end, entry.value_end, opening, "Close the quote")
        if "#" in entry.value or (lines.row(start) != len(lines) - 1 and _continues(lines, start)):
            edit = None
    return Diagnosis(message, start, entry.value_end, edit)


def _continues(lines: Lines, start: int) -> bool:
    """Whether the line below is deeper than this one, and so perhaps part of its value."""
    row = lines.row(start)
    return row + 1 < len(lines) and indent(lines, row + 1) > indent(lines, row)


def escape(lines: Lines, offset: int, start: int) -> Diagnosis:
    """A backslash in double quotes that starts no escape of YAML."""
    slash = lines.text.rfind("\\", start, offset + 1)
    if slash < 0:
        slash = offset
    half = _SURROGATE.match(lines.text, slash)
    if half is not None:
        message = (
            f"{half[0]} is half of a character (U+{half[1].upper()}), which no text can hold; "
            "write the character itself"
        )
        return Diagnosis(message, slash, half.end())
    shown = show(lines.text[slash : slash + 2])
    message = (
        f"{shown} is no escape of YAML; write the backslash twice, or put the value in "
        "single quotes, where it has no meaning"
    )
    known = lines.text[slash + 1 : slash + 2] in ("x", "u", "U")
    edit = None if known else Edit(slash, slash + 1, "\\\\", "Write the backslash twice")
    return Diagnosis(message, slash, offset + 1, edit)
