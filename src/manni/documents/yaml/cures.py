"""The slips behind YAML's syntax errors, one function for each way to go wrong.

Each takes the text, the offset at which libyaml noticed, and the offset at which the construct
that it was reading starts; it gives the words, the place, and the edit that may mend it. An edit
keeps the spelling of the source.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from manni.base.text import visible
from manni.documents.faults import DEEP, show
from manni.documents.yaml.shapes import (
    CLOSING,
    MEANINGS,
    Cure,
    Edit,
    Entry,
    closed_bracket,
    closed_quote,
    continued,
    entry_at,
    indent,
    open_bracket,
    owner_of,
    quote,
    quoting,
    requoting,
    rows_above,
    tight_key,
)
from manni.documents.yaml.text import last_scalar

if TYPE_CHECKING:
    from manni.documents.lines import Lines

_WORD = re.compile(r"[A-Za-z_][\w-]*")
_SURROGATE = re.compile(r"\\(?:u|U0000)([dD][89a-fA-F][0-9a-fA-F]{2})")
_QUOTE_ADVICE = {
    '"': 'write quotes inside of it as \\", or put the whole value in single quotes',
    "'": "write an apostrophe inside of it as '', or put the whole value in double quotes",
}


Slip: TypeAlias = "Callable[[Lines, int, int], Cure | None]"


def cure_for(
    lines: Lines, problem: str | None, context: str | None, offset: int, start: int
) -> Cure | None:
    """The slip behind an error of libyaml, or None when its own words must do."""
    slip = _BY_PROBLEM.get(problem or "")
    if slip is None:
        return indicator(lines, start) if context in _CONTEXTS else None
    return slip(lines, offset, start)


# Slips inside of one value: its first character, its quotes, brackets and escapes.


def _of(entry: Entry) -> str:
    return f"the value of {show(entry.key)}" if entry.key else "the value"


def indicator(lines: Lines, start: int) -> Cure:
    """A value that starts with a character that has a meaning of its own."""
    entry = entry_at(lines, lines.row(start))
    if entry.value.startswith("{{"):
        return _placeholder(entry)
    char = lines.text[start : start + 1]
    meaning = MEANINGS.get(char)
    why = f"YAML takes it for {meaning}" if meaning else "YAML reserves that character"
    if start == entry.start and entry.colon >= 0:
        message = f'a key cannot start with "{visible(char)}" ({why}); put the key in quotes'
        return Cure(message, start, start + 1)
    message = f'a value cannot start with "{visible(char)}" ({why}); put the whole value in quotes'
    edit = quoting(entry) if entry.value_start == start else None
    return Cure(message, start, entry.value_end, edit)


def _placeholder(entry: Entry) -> Cure:
    """`{{ name }}` that a template engine was to fill in."""
    message = f"{_of(entry)} looks like a template placeholder; quote it or fill it in"
    return Cure(message, entry.value_start, entry.value_end, quoting(entry))


def _after_value(lines: Lines, entry: Entry, offset: int) -> Cure:
    """Text after a value that its quote, bracket or alias has already ended."""
    row = lines.row(offset)
    scalar = last_scalar(lines.text)
    if scalar and lines.row(scalar[0]) < row and scalar[1] <= offset:
        closing = lines.text[scalar[1] - 1 : scalar[1]]
        if lines.row(scalar[1] - 1) == row and closing in "\"'":
            message = (
                f"the quote that opens here closes only on line {lines.number(scalar[1] - 1)}; "
                "close it where the value ends"
            )
            return Cure(message, scalar[0], lines.end(lines.row(scalar[0])))
    opening = entry.value[:1]
    if entry.value.startswith("{{"):
        return _placeholder(entry)
    if closed_quote(entry.value, 0):
        message = f"the quote that opens {_of(entry)} closes before this; {_QUOTE_ADVICE[opening]}"
        return Cure(message, offset, entry.value_end, requoting(entry))
    if opening in CLOSING and closed_bracket(entry.value, 0):
        message = (
            f'the "{opening}" that opens {_of(entry)} is {MEANINGS[opening]} to YAML, and it '
            "ends before this; put the whole value in quotes"
        )
    elif opening in MEANINGS:
        return indicator(lines, entry.value_start)
    else:
        message = f"YAML reads {_of(entry)} as ended before this; put the whole value in quotes"
    return Cure(message, offset, entry.value_end, quoting(entry))


def _unclosed_quote(lines: Lines, _offset: int, start: int) -> Cure:
    """A quote without its second one; where the line is the whole value, it is added there."""
    row = lines.row(start)
    entry = entry_at(lines, row)
    opening = lines.text[start : start + 1]
    message = f"the quote ({opening}) that opens here never closes; close it where the value ends"
    plain = entry.value_start == start and opening not in entry.value[1:]
    continues = row + 1 < len(lines) and indent(lines, row + 1) > indent(lines, row)
    edit = None
    if plain and not continues and not {"\\", "#"} & {*entry.value}:
        edit = Edit(entry.value_end, entry.value_end, opening, "Close the quote")
    return Cure(message, start, entry.value_end, edit)


def _unclosed_flow(lines: Lines, offset: int, start: int) -> Cure:
    """A flow list or mapping that libyaml could not follow to its end."""
    opening = lines.text[start : start + 1]
    entry = entry_at(lines, lines.row(start))
    if opening not in CLOSING or entry.value.startswith("{{"):
        return indicator(lines, start)
    if closed_bracket(lines.text, start):
        message = (
            f'this does not fit inside of the "{opening}" on line {lines.number(start)}; separate '
            "items with commas, and put those with special characters in quotes"
        )
        return Cure(message, offset, offset + 1, first=start)
    message = (
        f'the "{opening}" that opens here never closes; add "{CLOSING[opening]}" at its end, or '
        "put the value in quotes if it is text"
    )
    return Cure(message, start, lines.end(lines.row(start)))


def _no_node(lines: Lines, offset: int, start: int) -> Cure | None:
    """A value is missing: often because the text ends inside of a bracket."""
    bracket = open_bracket(lines.text)
    if lines.text[offset:].strip() == "" and bracket >= 0:
        return _unclosed_flow(lines, offset, bracket)
    return _at_offset(lines, offset, start)


def _escape(lines: Lines, offset: int, start: int) -> Cure:
    """A backslash in double quotes that starts no escape of YAML."""
    slash = lines.text.rfind("\\", start, offset + 1)
    slash = offset if slash < 0 else slash
    half = _SURROGATE.match(lines.text, slash)
    if half is not None:
        message = (
            f"{half[0]} is half of a character (U+{half[1].upper()}), which no text can hold; "
            "write the character itself"
        )
        return Cure(message, slash, half.end())
    message = (
        f"{show(lines.text[slash : slash + 2])} is no escape of YAML; write the backslash twice, "
        "or put the value in single quotes, where it has no meaning"
    )
    known = lines.text[slash + 1 : slash + 2] in ("x", "u", "U")
    edit = None if known else Edit(slash, slash + 1, "\\\\", "Write the backslash twice")
    return Cure(message, slash, offset + 1, edit)


def _at_offset(lines: Lines, offset: int, _start: int) -> Cure | None:
    char = lines.text[offset : offset + 1]
    if char == "\t":
        return _tab(lines, offset, offset)
    return indicator(lines, offset) if char.strip() else None


def _tab(lines: Lines, offset: int, _start: int) -> Cure:
    tab = lines.text.find("\t", offset)
    tab = offset if tab < 0 else tab
    return Cure("a tab stands here where YAML allows spaces only; use spaces", tab, tab + 1)


# Slips between keys: colons, indentation, lists.


def tight(lines: Lines, after_colon: int) -> Cure:
    """A `key:value` without the space that makes the colon one."""
    start = entry_at(lines, lines.row(after_colon)).start
    key = show(lines.text[start : after_colon - 1])
    edit = Edit(after_colon - 1, after_colon, ": ", "Put a space after the colon")
    message = f"the colon after {key} needs a space behind it to make it a key"
    return Cure(message, start, after_colon, edit)


def _second_colon(lines: Lines, offset: int, _start: int) -> Cure:
    """`: ` where no key can be: in a plain value, or on a line below one."""
    entry = entry_at(lines, lines.row(offset))
    if entry.value[:1] in ('"', "'", "[", "{") and offset > entry.colon:
        return _after_value(lines, entry, offset)
    if 0 <= entry.colon >= offset:
        return _colon_below(lines, offset, entry)
    message = (
        f'an unquoted ": " in {_of(entry)}, which YAML reads as a second key; '
        "put the whole value in quotes"
    )
    return Cure(message, offset, offset + 1, quoting(entry))


def _colon_below(lines: Lines, offset: int, entry: Entry) -> Cure:
    """The first colon of a line that continues a plain value above it."""
    row = lines.row(offset)
    above = rows_above(lines, row)
    for candidate in above:
        after = tight_key(lines, candidate)
        if after and entry_at(lines, candidate).colon < 0:
            return tight(lines, after)
    owner = owner_of(lines, row, above)
    if owner is None:
        loose = entry_at(lines, above[0]) if above else entry
        message = f'{show(loose.value)} is no "key: value"; put a colon and a space after the key'
        return Cure(message, loose.start, loose.value_end)
    message = (
        f'an unquoted ": " in {_of(owner)}, which starts on line {lines.number(owner.start)} and '
        'goes on here; put the whole value in quotes or use ">-"'
    )
    edit = None
    if _WORD.fullmatch(entry.key):
        message += f", or indent {show(entry.key)} like the keys around it if it is a key"
    else:
        end = continued(lines, lines.row(owner.start))
        text = lines.text[owner.value_start : end]
        item = entry.start > lines.start(row) + indent(lines, row)
        if owner.value and not item and "#" not in text:
            edit = Edit(owner.value_start, end, quote(text), "Quote the value")
    return Cure(message, offset, offset + 1, edit, first=owner.start)


def _no_key(lines: Lines, offset: int, start: int) -> Cure:
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
        return Cure(message, offset, entry.value_end)
    if lines.text[start : start + 1] == "-":
        message = 'this key stands where the list above goes on; start the line with "- "'
        if width == 0:
            message = "keys cannot follow a list without a key; give the list one"
        return Cure(message, offset, entry.value_end)
    if entry.colon < 0:
        return _not_a_key(lines, offset, offset)
    if not entry.key:
        message = "this colon has no key in front of it; add one, or remove the line"
        return Cure(message, offset, offset + 1)
    message = (
        f"{show(entry.key)} is indented by {width} spaces, which no key around it is; "
        "give keys of one mapping the same indentation"
    )
    return Cure(message, offset, entry.colon)


def _not_a_key(lines: Lines, _offset: int, start: int) -> Cure:
    """A line without a colon where keys stand."""
    after = tight_key(lines, lines.row(start))
    if after:
        return tight(lines, after)
    entry = entry_at(lines, lines.row(start))
    message = (
        'this line is no "key: value"; if it continues the value above, indent it deeper than '
        "that value's key"
    )
    return Cure(message, entry.start, entry.value_end)


def _no_document(lines: Lines, offset: int, start: int) -> Cure | None:
    """More text after the root ended."""
    if lines.text.startswith("%"):
        return Cure("a directive cannot stand in front matter; remove this line", 0, lines.end(0))
    if offset >= len(lines.text):
        return None
    row = lines.row(offset)
    first = lines.start(row) + indent(lines, row)
    if lines.text[first] in CLOSING:
        message = "there is text after the value that the front matter is; remove it"
        return Cure(message, offset, lines.end(row))
    if offset > first:
        return _after_value(lines, entry_at(lines, row), offset)
    above = rows_above(lines, row)
    if above and indent(lines, above[-1]) > indent(lines, row):
        message = (
            "this line is indented less than the first key; give keys of one mapping the same "
            "indentation"
        )
        return Cure(message, offset, lines.end(row))
    return _no_key(lines, offset, start)


def _list_on_line(lines: Lines, offset: int, _start: int) -> Cure:
    entry = entry_at(lines, lines.row(offset))
    message = (
        f'{_of(entry)} starts with "- ", and a list item needs a line of its own; move it '
        "below the key, or put the whole value in quotes if it is text"
    )
    return Cure(message, offset, entry.value_end)


_BY_PROBLEM: dict[str, Slip] = {
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
    "could not find expected ':'": _not_a_key,
    "block sequence entries are not allowed in this context": _list_on_line,
    "mapping keys are not allowed in this context": _at_offset,
    "did not find expected node content": _no_node,
    "found unknown escape character": _escape,
    "found invalid Unicode character escape code": _escape,
    "did not find expected hexdecimal number": _escape,
    "exceeded maximum nesting depth": lambda _, offset, __: Cure(DEEP, offset, offset + 1),
}
_CONTEXTS = {
    "while scanning an alias",
    "while scanning an anchor",
    "while scanning a tag",
    "while parsing a tag",
    "while parsing a node",
    "while scanning a block scalar",
    "while scanning a directive",
}
