"""The slips behind YAML's syntax errors, one function for each way to go wrong.

Each takes the text, the offset at which libyaml noticed, and the offset at which the construct
that it was reading starts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from manni.documents.faults import DEEP, show
from manni.documents.yaml.shapes import Entry, entry_at, indent, open_bracket, rows_above, tight_key
from manni.documents.yaml.value_slips import (
    Diagnosis,
    Edit,
    after_value,
    escape,
    indicator,
    of_value,
    quoting,
    unclosed_flow,
    unclosed_quote,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from manni.documents.lines import Lines

_WORD = re.compile(r"[A-Za-z_][\w-]*")


def explain(
    lines: Lines, problem: str | None, context: str | None, offset: int, start: int
) -> Diagnosis | None:
    """The slip behind an error of libyaml, or None when its own words must do."""
    slip = _BY_PROBLEM.get(problem or "") or _BY_CONTEXT.get(context or "")
    return slip(lines, offset, start) if slip else None


def tight(lines: Lines, after_colon: int) -> Diagnosis:
    """A `key:value` without the space that makes the colon one."""
    start = entry_at(lines, lines.row(after_colon)).start
    key = show(lines.text[start : after_colon - 1])
    edit = Edit(after_colon - 1, after_colon, ": ", "Put a space after the colon")
    message = f"the colon after {key} needs a space behind it to make it a key"
    return Diagnosis(message, start, after_colon, edit)


def _at_start(lines: Lines, _offset: int, start: int) -> Diagnosis:
    return indicator(lines, start)


def _at_offset(lines: Lines, offset: int, _start: int) -> Diagnosis | None:
    char = lines.text[offset : offset + 1]
    if char == "\t":
        return _tab(lines, offset, offset)
    return indicator(lines, offset) if char.strip() else None


def _no_node(lines: Lines, offset: int, start: int) -> Diagnosis | None:
    """A value is missing: often because the text ends inside of a bracket."""
    bracket = open_bracket(lines.text)
    if lines.text[offset:].strip() == "" and bracket >= 0:
        return unclosed_flow(lines, offset, bracket)
    return _at_offset(lines, offset, start)


def _second_colon(lines: Lines, offset: int, _start: int) -> Diagnosis:
    """`: ` where no key can be: in a plain value, or on a line below one."""
    row = lines.row(offset)
    entry = entry_at(lines, row)
    if entry.value[:1] in _CLOSERS and offset > entry.colon:
        return after_value(lines, entry, offset)
    if entry.colon < 0 or offset > entry.colon:
        message = (
            f'an unquoted ": " in {of_value(entry)}, which YAML reads as a second key; '
            "put the whole value in quotes"
        )
        return Diagnosis(message, offset, offset + 1, quoting(entry))
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
        return after_value(lines, entry, offset)
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
        return after_value(lines, entry_at(lines, row), offset)
    above = rows_above(lines, row)
    if above and indent(lines, above[-1]) > indent(lines, row):
        message = (
            "this line is indented less than the first key; give keys of one mapping the same "
            "indentation"
        )
        return Diagnosis(message, offset, lines.end(row))
    return _no_key(lines, offset, start)


def _text_start(lines: Lines, row: int) -> int:
    """The offset of the first character of a line that is no space."""
    return lines.start(row) + indent(lines, row)


def _list_on_line(lines: Lines, offset: int, _start: int) -> Diagnosis:
    entry = entry_at(lines, lines.row(offset))
    message = (
        f'{of_value(entry)} starts with "- ", and a list item needs a line of its own; move it '
        "below the key, or put the whole value in quotes if it is text"
    )
    return Diagnosis(message, offset, entry.value_end)


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
    "did not find expected ',' or ']'": unclosed_flow,
    "did not find expected ',' or '}'": unclosed_flow,
    "found unexpected end of stream": unclosed_quote,
    "found unexpected document indicator": unclosed_quote,
    "did not find expected key": _no_key,
    "did not find expected '-' indicator": _no_key,
    "did not find expected <document start>": _no_document,
    "could not find expected ':'": _no_colon,
    "block sequence entries are not allowed in this context": _list_on_line,
    "mapping keys are not allowed in this context": _at_offset,
    "did not find expected node content": _no_node,
    "found unknown escape character": escape,
    "found invalid Unicode character escape code": escape,
    "did not find expected hexdecimal number": escape,
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
