"""JSON front matter (RFC 8259), with the positions of its values.

The standard library reads it quickly and tells no positions. Where they are wanted, or where it
finds a fault, a scanner of our own walks the text; it accepts exactly the same texts.
"""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]  # its stub leaves it out
from typing import Any

from manni.base.json_types import MAX_DEPTH, Json, decimal, depth_exceeds, integer
from manni.base.text import shorten, visible
from manni.documents.faults import DEEP, BlockFault, DuplicateKey
from manni.documents.source_map import Mark

_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD = re.compile(r"[\w.+-]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAY_HOLD_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_CONSTANTS: dict[str, Json] = {"null": None, "true": True, "false": False}


def read(text: str) -> Json:
    """The value of a JSON text.

    Raises:
        ValueError: it is no JSON, or it is nothing that `read_marked` accepts.
        RecursionError: it nests very deeply.
    """
    if _MAY_HOLD_SURROGATE.search(text):
        return read_marked(text)[0]
    value: Json = _decode(text)
    if depth_exceeds(value, MAX_DEPTH):
        raise ValueError
    return value


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError
    return members


def _refuse(_name: str) -> Json:
    raise ValueError


_decode = json.JSONDecoder(
    object_pairs_hook=_members,
    parse_int=lambda text: integer(text, text),
    parse_float=decimal,
    parse_constant=_refuse,
).decode


def read_marked(text: str) -> tuple[Json, Mark]:
    """The value of a JSON text and the mark of its root.

    Raises:
        BlockFault: it is no JSON; a key is set twice; values nest deeper than `MAX_DEPTH`; or a
            string holds half of a surrogate pair, which is no character.
    """
    scanner = _Scanner(text)
    value, mark = scanner.value(scanner.skip(0), 0)
    end = scanner.skip(mark.end)
    if end < len(text):
        raise scanner.unexpected(end, "there is more text after the value; remove it")
    return value, mark


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text

    def skip(self, offset: int) -> int:
        """The offset of the next character that is no white space."""
        match = _SPACE.match(self._text, offset)
        return match.end() if match else offset

    def unexpected(self, offset: int, message: str) -> BlockFault:
        # Trailing white space is no place for the eye to look.
        offset = min(offset, len(self._text.rstrip()))
        return BlockFault(message, offset, offset + 1)

    def _unclosed(self, offset: int) -> BlockFault:
        opening = self._text[offset]
        closing = {"{": "}", "[": "]"}[opening]
        message = f'the "{opening}" that opens here never closes; add "{closing}" at its end'
        return self.unexpected(offset, message)

    def value(self, offset: int, depth: int) -> tuple[Json, Mark]:
        """The value that starts at an offset, and its mark."""
        char = self._text[offset : offset + 1]
        if char in ("{", "["):
            if depth >= MAX_DEPTH:
                raise self.unexpected(offset, DEEP)
            return (self._object if char == "{" else self._array)(offset, depth + 1)
        if char == '"':
            string, end = self._string(offset)
            return string, Mark(offset, end)
        return self._scalar(offset)

    def _scalar(self, offset: int) -> tuple[Json, Mark]:
        word = _WORD.match(self._text, offset)
        if word is not None and word[0] in _CONSTANTS:
            return _CONSTANTS[word[0]], Mark(offset, word.end())
        number = _NUMBER.match(self._text, offset)
        if number is None or (word is not None and word.end() > number.end()):
            if offset >= len(self._text):
                raise self.unexpected(offset, "the text ends where a value should stand; add it")
            end = word.end() if word else offset + 1
            raise BlockFault(self._no_value(offset, end), offset, end)
        value: Json
        if number[2] is None and number[3] is None:
            value = integer(number[0], number[0])
        else:
            value = decimal(number[0])
        return value, Mark(offset, number.end())

    def _no_value(self, offset: int, end: int) -> str:
        char = self._text[offset]
        if char in ",]}":
            return f'a value should stand before this "{char}"; add it, or remove the comma before'
        if char == "'":
            return "JSON strings stand in double quotes; replace the single quotes"
        if self._text.startswith(("//", "/*", "#"), offset):
            return "JSON has no comments; remove this one"
        shown = visible(shorten(self._text[offset:end], 40))
        return f"{shown} is no JSON value; put text in double quotes"

    def _string(self, offset: int) -> tuple[str, int]:
        try:
            string, end = scanstring(self._text, offset + 1, True)  # noqa: FBT003 - positional only
        except json.JSONDecodeError as error:
            raise self._bad_string(offset, error) from error
        if _SURROGATE.search(string):
            message = "this string holds half of a surrogate pair (\\ud800 to \\udfff), which is "
            raise BlockFault(f"{message}no character; remove or complete it", offset, end)
        return string, end

    def _bad_string(self, offset: int, error: json.JSONDecodeError) -> BlockFault:
        where = min(error.pos, len(self._text))
        if error.msg.startswith("Unterminated"):
            return self.unexpected(offset, "the string that starts here has no closing quote")
        if error.msg.startswith("Invalid control"):
            code = ord(self._text[where])
            if self._text[where] in "\r\n":
                return self.unexpected(
                    offset, "the string that starts here has no closing quote on its line"
                )
            message = f"U+{code:04X} cannot stand in a JSON string; write \\u{code:04x}"
            return self.unexpected(where, message)
        message = "this is no escape of JSON; write a backslash twice to keep it"
        return self.unexpected(where, message)

    def _array(self, offset: int, depth: int) -> tuple[Json, Mark]:
        items: list[Json] = []
        marks: dict[str, Mark] = {}
        at = self.skip(offset + 1)
        if self._text[at : at + 1] == "]":
            return items, Mark(offset, at + 1, marks)
        while True:
            item, mark = self.value(at, depth)
            marks[str(len(items))] = mark
            items.append(item)
            at = self.skip(mark.end)
            if self._text[at : at + 1] == "]":
                return items, Mark(offset, at + 1, marks)
            at = self._comma(at, offset, "]")

    def _object(self, offset: int, depth: int) -> tuple[Json, Mark]:
        members: dict[str, Json] = {}
        marks: dict[str, Mark] = {}
        at = self.skip(offset + 1)
        if self._text[at : at + 1] == "}":
            return members, Mark(offset, at + 1, marks)
        while True:
            start = at
            if start >= len(self._text):
                raise self._unclosed(offset)
            key, end = self._key(start)
            if key in members:
                raise DuplicateKey(key, marks[key].start, start, end)
            at = self._colon(end)
            value, mark = self.value(at, depth)
            members[key] = value
            marks[key] = Mark(start, mark.end, mark.children)
            at = self.skip(mark.end)
            if self._text[at : at + 1] == "}":
                return members, Mark(offset, at + 1, marks)
            at = self._comma(at, offset, "}")

    def _key(self, offset: int) -> tuple[str, int]:
        """A key and where it ends."""
        char = self._text[offset : offset + 1]
        if char == '"':
            return self._string(offset)
        message = "a key in double quotes should stand here"
        if char == "}":
            message += "; remove the comma before"
        raise self.unexpected(offset, message)

    def _colon(self, offset: int) -> int:
        """Where the value of a key starts that ends at an offset."""
        colon = self.skip(offset)
        if self._text[colon : colon + 1] != ":":
            raise self.unexpected(colon, 'a ":" should stand here, between key and value')
        return self.skip(colon + 1)

    def _comma(self, at: int, opened: int, closing: str) -> int:
        if at >= len(self._text):
            raise self._unclosed(opened)
        if self._text[at] != ",":
            message = f'a "," or "{closing}" should stand here, after the value'
            raise self.unexpected(at, message)
        return self.skip(at + 1)
