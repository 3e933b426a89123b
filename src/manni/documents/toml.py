"""TOML front matter (TOML 1.0), read by the standard library.

Dates and times become the strings that RFC 3339 gives them; `inf` and `nan`, which JSON does not
have, stay what was written.
"""

from __future__ import annotations

import re
import tomllib
from datetime import date, datetime, time
from typing import Any

from manni.base.json_types import MAX_DEPTH, Json, decimal, depth_exceeds
from manni.base.text import shorten, visible
from manni.documents.faults import DEEP, BlockFault, DuplicateKey
from manni.documents.lines import Lines
from manni.documents.toml_positions import source_map

__all__ = ["read", "source_map"]

_WHERE = re.compile(r" \(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)\Z")

# The parser's work grows with the square of the parts of one dotted key, and with the square of
# the digits of one integer: neither may come near what it would feel.
_KEY = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*(?:{_KEY}[ \t]*\.[ \t]*){{{MAX_DEPTH}}}", re.MULTILINE)


def read(text: str) -> dict[str, Json]:
    """The value of a TOML text.

    Raises:
        BlockFault: it is not TOML, it nests deeper than `MAX_DEPTH`, or a number has more digits
            than can be read.
    """
    try:
        if _LONG_KEY.search(text):
            raise _fault(text, DEEP, _LONG_KEY)
        value = tomllib.loads(text, parse_float=decimal)
    except tomllib.TOMLDecodeError as error:
        raise _explain(text, str(error)) from error
    except RecursionError as error:
        raise _too_deep(text) from error
    except ValueError as error:
        if isinstance(error, BlockFault):
            raise
        message = "this integer has more digits than can be read; put it in quotes"
        raise _fault(text, message, _DIGITS) from error
    if depth_exceeds(value, MAX_DEPTH):
        raise _too_deep(text)
    return {name: _plain(item) for name, item in value.items()}


_BRACKET = re.compile(r"[\[\]{}]")
_DIGITS = re.compile(r"(?<![0-9_])[0-9_]{4000,}+")


def _fault(text: str, message: str, where: re.Pattern[str]) -> BlockFault:
    match = where.search(text)
    start = match.start() if match else 0
    return BlockFault(message, start, match.end() if match else start)


def _too_deep(text: str) -> BlockFault:
    """Points at the first bracket beyond the limit, as far as a glance can tell."""
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += 1 if match[0] in "[{" else -1
        if depth > MAX_DEPTH:
            return BlockFault(DEEP, match.start(), match.end())
    return BlockFault(DEEP, 0, 0)


def _plain(value: Any) -> Json:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, (date, time)):
        return value.isoformat()
    plain: Json = value
    return plain


def _explain(text: str, error: str) -> BlockFault:
    """What `tomllib` found, at its place and in plainer words."""
    match = _WHERE.search(error)
    problem = error[: match.start()] if match else error
    lines = Lines(text)
    # Trailing white space is no place for the eye to look.
    start = len(text.rstrip())
    if match and match[1]:
        row = min(int(match[1]), len(lines)) - 1
        start = min(lines.start(row) + int(match[2]) - 1, lines.end(row))
    if problem.startswith(_TWICE):
        try:
            source_map(text)
        except DuplicateKey as fault:
            return fault
        except RecursionError:
            return _too_deep(text)
        row = lines.row(start)
        message = "this key or table is set already; keep one of them"
        return BlockFault(message, lines.start(row), lines.end(row))
    if problem.startswith(_OPEN_STRING):
        return _open_string(lines, start)
    return BlockFault(_words(problem, text, start), start, start + 1)


_TWICE = ("Cannot overwrite", "Cannot declare", "Duplicate inline table key", "Cannot mutate")
_OPEN_STRING = ("Unterminated string", "Expected \"'", "Illegal character '\\n'")


def _open_string(lines: Lines, offset: int) -> BlockFault:
    """A string without an end: where it starts is more use than where that was noticed."""
    text = lines.text
    odd = [quotes for quotes in _TRIPLE if text.count(quotes) % 2]
    if odd and offset >= len(text.rstrip()):
        start = max(text.rfind(quotes) for quotes in odd)
    else:
        row = lines.start(lines.row(offset))
        value = _VALUE_START.match(text, row, offset)
        start = value.end() if value else row
    message = "the string that starts here has no closing quote; close it where the value ends"
    return BlockFault(message, start, lines.end(lines.row(start)))


_TRIPLE = ('"""', "'''")
_VALUE_START = re.compile(r"[^=\n]*=[ \t]*")


def _words(problem: str, text: str, start: int) -> str:
    char = text[start : start + 1]
    if problem.startswith("Expected '='"):
        if char == ":":
            return 'TOML writes "key = value"; replace the ":" by "="'
        return 'a "=" should stand here, between key and value'
    if problem.startswith(("Found invalid character", "Illegal character")):
        return f"the character U+{ord(char or chr(0)):04X} cannot stand here; remove it"
    for beginning, words in _WORDS.items():
        if problem.startswith(beginning):
            return words
    return f"this is not valid TOML: {visible(shorten(problem, 120))}"


_WORDS = {
    "Invalid value": "this is no TOML value; put text in double quotes",
    "Expected newline or end of document": (
        "the value ended before this; put text in double quotes, and each key on its own line"
    ),
    "Invalid statement": 'this is no "key = value"; put the key first',
    "Unclosed array": "the list is not closed here; separate items with commas and end it with ]",
    "Unclosed inline table": (
        "the inline table is not closed here; write it on one line and end it with }"
    ),
    "Unescaped": "this is no escape of TOML; write the backslash twice, or use single quotes",
    "Escaped character": "this escape is no character; write a whole code point",
    "Invalid hex value": "this escape is no character; write all of its hexadecimal digits",
}
