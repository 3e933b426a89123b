"""The slips behind YAML's syntax errors, one function for each way to go wrong.

Each takes the text, the offset at which libyaml noticed, and the offset at which the construct
that it was reading starts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from manni.block_faults import DEEP, show
from manni.text import visible
from manni.yaml_reader import last_scalar
from manni.yaml_shapes import (
    Entry,
    closed_bracket,
    closed_quote,
    entry_at,
    indent,
    quote,
    rows_above,
    tight_key,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from manni.positions import Lines

_PAIR = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_WORD = re.compile(r"[A-Za-z_][\w-]*")
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


def explain(
    lines: Lines, problem: str | None, context: str | None, offset: int, start: int
) -> Diagnosis | None:
    """The slip behind an error of libyaml, or None when its own words must do."""
    slip = _BY_PROBLEM.get(problem or "") or _BY_CONTEXT.get(context or "")
    return slip(lines, offset, start) if slip else None


def _quoting(entry: Entry, text: str | None = None) -> Edit | None:
    """The edit that quotes a value, unless a comment makes its end uncertain."""
    text = entry.value if text is None else text
    if not text or " #" in text or "\t#" in text:
        return None
    return Edit(entry.value_start, entry.value_end, quote(text), "Quote the value")


def of_value(entry: Entry) -> str:
    """`the value of "key"`, or `the value` where there is no key."""
    return f"the value of {show(entry.key)}" if entry.key else "the value"


def tight(lines: Lines, after_colon: int) -> Diagnosis:
    """A `key:value` without the space that makes the colon one."""
    start = entry_at(lines, lines.row(after_colon)).start
    key = show(lines.text[start : after_colon - 1])
    edit = Edit(after_colon - 1, after_colon, ": ", "Put a space after the colon")
    message = f"the colon after {key} needs a space behind it to make it a key"
    return Diagnosis(message, start, after_colon, edit)


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
    edit = _quoting(entry) if entry.value_start == start else None
    return Diagnosis(message, start, entry.value_end, edit)


def _at_start(lines: Lines, _offset: int, start: int) -> Diagnosis:
    return indicator(lines, start)


def _at_offset(lines: Lines, offset: int, _start: int) -> Diagnosis | None:
    return indicator(lines, offset) if lines.text[offset : offset + 1].strip() else None


def _second_colon(lines: Lines, offset: int, _start: int) -> Diagnosis:
    """`: ` where no key can be: in a plain value, or on a line below one."""
    row = lines.row(offset)
    entry = entry_at(lines, row)
    if entry.value[:1] in _CLOSERS and offset > entry.colon:
        return _after_value(lines, entry, offset)
    if entry.colon < 0 or offset > entry.colon:
        message = (
            f'an unquoted ": " in {of_value(entry)}, which YAML reads as a second key; '
            "put the whole value in quotes"
        )
        return Diagnosis(message, offset, offset + 1, _quoting(entry))
    return _colon_below(lines, offset, entry)


def _colon_below(lines: Lines, offset: int, entry: Entry) -> Diagnosis:
    """The first colon of a line that continues a plain value above it."""
    row = lines.row(offset)
    above = rows_above(lines, row)
    for candidate in above:
        after = tight_key(lines, candidate)
        if after and entry_at(lines, candidate).colon < 0:
            return tight(lines, after)
    owner = _owner(lines, row, above)
    if owner is None:
        message = 'a line above is neither "key: value" nor part of a value; give it a key'
        return Diagnosis(message, entry.start, offset)
    start, number = owner.start, lines.number(owner.start)
    message = (
        f'an unquoted ": " in {of_value(owner)}, which starts on line {number} and goes on here; '
        "put the whole value in quotes"
    )
    if _WORD.fullmatch(entry.key):
        message += f", or indent {show(entry.key)} like the keys around it if it is a key"
    return Diagnosis(message, offset, offset + 1, first=start)


def _owner(lines: Lines, row: int, above: list[int]) -> Entry | None:
    """The entry above whose value reaches down to a row."""
    width = indent(lines, row)
    for candidate in above:
        entry = entry_at(lines, candidate)
        has_key = entry.colon >= 0 or entry.start > lines.start(candidate) + indent(
            lines, candidate
        )
        if has_key and indent(lines, candidate) < width:
            return entry
    return None


_CLOSERS = ('"', "'", "[", "{")


def _no_key(lines: Lines, offset: int, start: int) -> Diagnosis:
    """A key was expected: after a value that already ended, or at an odd indentation."""
    row = lines.row(offset)
    entry = entry_at(lines, row)
    if offset > entry.value_start and entry.value:
        return _after_value(lines, entry, offset)
    width = offset - lines.start(row)
    if lines.text[offset : offset + 1] == "-":
        message = (
            "this list item stands where a key should; give the items of one list the same "
            "indentation, below the key they belong to"
        )
        return Diagnosis(message, offset, entry.value_end)
    if lines.text[start : start + 1] == "-":
        message = 'this key stands where the list above goes on; start the line with "- "'
        if width == 0:
            message = "keys cannot follow a list without a key; give the list one"
        return Diagnosis(message, offset, entry.value_end)
    if entry.colon < 0:
        return _not_a_key(lines, row)
    if not entry.key:
        message = "this colon has no key in front of it; add one, or remove the line"
        return Diagnosis(message, offset, offset + 1)
    message = (
        f"{show(entry.key)} is indented by {width} spaces, which no key around it is; "
        "give keys of one mapping the same indentation"
    )
    return Diagnosis(message, offset, entry.colon)


def _after_value(lines: Lines, entry: Entry, offset: int) -> Diagnosis:
    """Text after a value that its quote, bracket or alias has already ended."""
    row = lines.row(offset)
    scalar = last_scalar(lines.text)
    if scalar and lines.row(scalar[0]) < row and scalar[1] <= offset:
        closing = lines.text[scalar[1] - 1 : scalar[1]]
        if lines.row(scalar[1] - 1) == row and closing in "\"'":
            return _runaway_quote(lines, *scalar)
    opening = entry.value[:1]
    edit = _quoting(entry)
    if opening in ('"', "'") and closed_quote(entry.value, 0):
        inner = entry.value[1:-1]
        if entry.value.endswith(opening) and "\\" not in inner:
            edit = _quoting(entry, inner)
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


def _runaway_quote(lines: Lines, start: int, end: int) -> Diagnosis:
    """A quote that is meant to end on its own line, and swallows what follows."""
    line = lines.number(end - 1)
    message = f"the quote that opens here closes only on line {line}; close it where the value ends"
    return Diagnosis(message, start, lines.end(lines.row(start)))


def _not_a_key(lines: Lines, row: int) -> Diagnosis:
    """A line without a colon where keys stand."""
    after = tight_key(lines, row)
    if after:
        return tight(lines, after)
    entry = entry_at(lines, row)
    message = (
        'this line is no "key: value"; if it continues the value above, indent it deeper than '
        "that value's key"
    )
    return Diagnosis(message, entry.start, entry.value_end)


def _no_colon(lines: Lines, _offset: int, start: int) -> Diagnosis:
    return _not_a_key(lines, lines.row(start))


def _no_document(lines: Lines, offset: int, start: int) -> Diagnosis | None:
    """More text after the root ended."""
    if lines.text.startswith("%"):
        message = "a directive cannot stand in front matter; remove this line"
        return Diagnosis(message, 0, lines.end(0))
    if offset >= len(lines.text):
        return None
    row = lines.row(offset)
    if lines.text[_text_start(lines, row)] in ("[", "{"):
        message = "there is text after the value that the front matter is; remove it"
        return Diagnosis(message, offset, lines.end(row))
    if offset > _text_start(lines, row):
        return _after_value(lines, entry_at(lines, row), offset)
    above = rows_above(lines, row)
    if above and indent(lines, above[-1]) > indent(lines, row):
        message = (
            "this line is indented less than the first key; give keys of one mapping the same "
            "indentation"
        )
        return Diagnosis(message, offset, lines.end(row))
    return _no_key(lines, offset, start)


def _unclosed_flow(lines: Lines, offset: int, start: int) -> Diagnosis:
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


def _unclosed_quote(lines: Lines, _offset: int, start: int) -> Diagnosis:
    entry = entry_at(lines, lines.row(start))
    opening = lines.text[start : start + 1]
    message = f"the quote ({opening}) that opens here never closes; close it where the value ends"
    edit: Edit | None = None
    if entry.value_start == start and opening not in entry.value[1:] and "\\" not in entry.value:
        edit = Edit(entry.value_end, entry.value_end, opening, "Close the quote")
        if "#" in entry.value or (lines.row(start) != len(lines) - 1 and _continues(lines, start)):
            edit = None
    return Diagnosis(message, start, entry.value_end, edit)


def _text_start(lines: Lines, row: int) -> int:
    """The offset of the first character of a line that is no space."""
    return lines.start(row) + indent(lines, row)


def _continues(lines: Lines, start: int) -> bool:
    """Whether the line below is deeper than this one, and so perhaps part of its value."""
    row = lines.row(start)
    return row + 1 < len(lines) and indent(lines, row + 1) > indent(lines, row)


def _list_on_line(lines: Lines, offset: int, _start: int) -> Diagnosis:
    entry = entry_at(lines, lines.row(offset))
    message = (
        f'{of_value(entry)} starts with "- ", and a list item needs a line of its own; move it '
        "below the key, or put the whole value in quotes if it is text"
    )
    return Diagnosis(message, offset, entry.value_end)


def _escape(lines: Lines, offset: int, start: int) -> Diagnosis:
    """A backslash in double quotes that starts no escape of YAML."""
    slash = lines.text.rfind("\\", start, offset + 1)
    if slash < 0:
        slash = offset
    pair = _PAIR.match(lines.text, slash)
    if pair is not None:
        code = 0x10000 + ((int(pair[1], 16) - 0xD800) << 10) + int(pair[2], 16) - 0xDC00
        spelled = f"\\U{code:08X}"
        message = (
            f"{pair[0]} spells one character as two halves, which YAML does not join; "
            f"write the character itself, or {spelled}"
        )
        joined = Edit(slash, pair.end(), spelled, "Spell the character as one escape")
        return Diagnosis(message, slash, pair.end(), joined)
    shown = show(lines.text[slash : slash + 2])
    message = (
        f"{shown} is no escape of YAML; write the backslash twice, or put the value in "
        "single quotes, where it has no meaning"
    )
    known = lines.text[slash + 1 : slash + 2] in ("x", "u", "U")
    edit = None if known else Edit(slash, slash + 1, "\\\\", "Write the backslash twice")
    return Diagnosis(message, slash, offset + 1, edit)


def _tab(lines: Lines, offset: int, _start: int) -> Diagnosis:
    tab = lines.text.find("\t", offset)
    tab = offset if tab < 0 else tab
    return Diagnosis("a tab stands here where YAML allows spaces only; use spaces", tab, tab + 1)


def _deep(_lines: Lines, offset: int, _start: int) -> Diagnosis:
    return Diagnosis(DEEP, offset, offset + 1)


_BY_PROBLEM: dict[str, Callable[[Lines, int, int], Diagnosis | None]] = {
    "mapping values are not allowed in this context": _second_colon,
    "found character that cannot start any token": _at_offset,
    "found a tab character that violates indentation": _tab,
    "found a tab character where an indentation space is expected": _tab,
    "did not find expected ',' or ']'": _unclosed_flow,
    "did not find expected ',' or '}'": _unclosed_flow,
    "found unexpected end of stream": _unclosed_quote,
    "found unexpected document indicator": _unclosed_quote,
    "did not find expected key": _no_key,
    "did not find expected '-' indicator": _no_key,
    "did not find expected <document start>": _no_document,
    "could not find expected ':'": _no_colon,
    "block sequence entries are not allowed in this context": _list_on_line,
    "mapping keys are not allowed in this context": _at_offset,
    "did not find expected node content": _at_offset,
    "found unknown escape character": _escape,
    "found invalid Unicode character escape code": _escape,
    "did not find expected hexdecimal number": _escape,
    "exceeded maximum nesting depth": _deep,
}
_BY_CONTEXT: dict[str, Callable[[Lines, int, int], Diagnosis | None]] = {
    "while scanning an alias": _at_start,
    "while scanning an anchor": _at_start,
    "while scanning a tag": _at_start,
    "while parsing a tag": _at_start,
    "while parsing a node": _at_start,
    "while scanning a block scalar": _at_start,
    "while scanning a directive": _at_start,
}
