"""JSON front matter (RFC 8259).

The standard library decides and gives the values. JSON is YAML 1.2, so positions come from the
events of the YAML reader on the same text.
"""

from __future__ import annotations

import json
import re
from typing import Any

from yaml import YAMLError

from manni.base.json_types import MAX_DEPTH, Json, decimal, depth_exceeds, integer
from manni.base.text import shorten, visible
from manni.documents.faults import DEEP, BlockFault, DuplicateKey, show
from manni.documents.source_map import SourceMap, of_node
from manni.documents.yaml.reader import parse_json

_STRING = r'"(?:[^"\\]|\\.)*+"?'
_TOKEN = re.compile(rf"{_STRING}|[\[\]{{}}]|-?Infinity|NaN", re.DOTALL)
_MAY_HOLD_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class _DuplicateError(ValueError):
    """A key that is set twice; the standard library does not say where."""


def read(text: str) -> dict[str, Json]:
    """The value of a JSON text.

    Raises:
        BlockFault: it is no JSON, or no object; a key is set twice; values nest deeper than
            `MAX_DEPTH`; or a string holds half of a surrogate pair, which is no character.
    """
    try:
        value: Json = _decode(text)
    except json.JSONDecodeError as error:
        raise _explain(text, error) from error
    except _DuplicateError as error:
        raise _duplicate(text, str(error)) from error
    except RecursionError as error:
        raise _too_deep(text) from error
    if depth_exceeds(value, MAX_DEPTH):
        raise _too_deep(text)
    if _MAY_HOLD_SURROGATE.search(text):
        _refuse_surrogates(text)
    if not isinstance(value, dict):
        message = 'JSON front matter is an object, {"key": value}; put the value in one'
        start = len(text) - len(text.lstrip())
        raise BlockFault(message, start, len(text.rstrip()))
    return value


def source_map(text: str) -> SourceMap | None:
    """The positions of a JSON text that `read` accepts.

    None where a key is longer than the 1,024 characters that libyaml looks ahead.
    """
    try:
        return of_node(*parse_json(text))
    except (YAMLError, BlockFault):
        return None


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _DuplicateError(key)
            seen.add(key)
    return members


def _refuse(name: str) -> Json:
    raise json.JSONDecodeError(name, name, 0)


_decode = json.JSONDecoder(
    object_pairs_hook=_members,
    parse_int=lambda text: integer(text, text),
    parse_float=decimal,
    parse_constant=_refuse,
).decode


def _duplicate(text: str, key: str) -> BlockFault:
    """The fault of a key that is set twice, where the YAML reader finds it."""
    try:
        parse_json(text)
    except DuplicateKey as fault:
        return fault
    except (YAMLError, BlockFault):
        pass
    return BlockFault(f"the key {show(key)} is set twice; keep one of them", 0, 1)


def _too_deep(text: str) -> BlockFault:
    depth = 0
    for match in _TOKEN.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
        if depth > MAX_DEPTH:
            return BlockFault(DEEP, match.start(), match.end())
    return BlockFault(DEEP, 0, 1)


def _refuse_surrogates(text: str) -> None:
    for match in re.finditer(_STRING, text, re.DOTALL):
        if _SURROGATE.search(json.loads(match[0])):
            message = "this string holds half of a surrogate pair (\\ud800 to \\udfff), which is "
            raise BlockFault(f"{message}no character; remove or complete it", *match.span())


def _explain(text: str, error: json.JSONDecodeError) -> BlockFault:
    """What `json` found, at its place and in plainer words."""
    # Trailing white space is no place for the eye to look.
    at = min(error.pos, len(text.rstrip()))
    problem = error.msg
    if problem in ("NaN", "Infinity", "-Infinity"):
        at = next(match.start() for match in _TOKEN.finditer(text) if match[0] == problem)
    unclosed = problem.startswith("Invalid control") and text[at : at + 1] in ("\r", "\n")
    if unclosed or problem.startswith("Unterminated"):
        strings = (found.start() for found in re.finditer(_STRING, text, re.DOTALL))
        start = max(start for start in strings if start <= at)
        return BlockFault("the string that starts here has no closing quote", start, start + 1)
    opening = _open_bracket(text) if at >= len(text.rstrip()) else None
    if opening is not None and problem != "Expecting value":
        closing = {"{": "}", "[": "]"}[text[opening]]
        message = f'the "{text[opening]}" that opens here never closes; add "{closing}" at its end'
        return BlockFault(message, opening, opening + 1)
    word = _WORD.match(text, at)
    if word is None or problem not in _NO_VALUE:
        return BlockFault(_words(text, problem, at), at, at + 1)
    start = at
    while start and _WORD.fullmatch(text[start - 1]):
        start -= 1
    if problem.startswith("Expecting ','") and start == at:
        return BlockFault(_words(text, problem, at), at, at + 1)
    shown = visible(shorten(word.string[start : word.end()], 40))
    message = f"{shown} is no JSON value; put text in double quotes"
    return BlockFault(message, start, word.end())


_WORD = re.compile(r"[\w.+-]+")
_NO_VALUE = ("Expecting value", "Expecting ',' delimiter", "NaN", "Infinity", "-Infinity")


def _open_bracket(text: str) -> int | None:
    """The offset of the innermost bracket that never closes."""
    opened: list[int] = []
    for match in _TOKEN.finditer(text):
        if match[0] in ("[", "{"):
            opened.append(match.start())
        elif match[0] in ("]", "}") and opened:
            opened.pop()
    return opened[-1] if opened else None


def _words(text: str, problem: str, at: int) -> str:
    char = text[at : at + 1]
    if text.startswith(("//", "/*", "#"), at):
        return "JSON has no comments; remove this one"
    if char == "'":
        return "JSON strings stand in double quotes; replace the single quotes"
    if problem.startswith("Invalid control"):
        return f"U+{ord(char):04X} cannot stand in a JSON string; write \\u{ord(char):04x}"
    if problem.startswith("Expecting ','"):
        closing = {"{": "}", "[": "]"}[text[_open_bracket(text[:at]) or 0]]
        return f'a "," or "{closing}" should stand here, after the value'
    if problem.startswith("Expecting property name"):
        comma = "; remove the comma before" if char == "}" else ""
        return f"a key in double quotes should stand here{comma}"
    for start, words in _WORDS.items():
        if problem.startswith(start):
            return words
    if not char.strip():
        return "the text ends where a value should stand; add it"
    if char in ",]}":
        return f'a value should stand before this "{char}"; add it, or remove the comma before'
    return f"{visible(char)} is no JSON value; put text in double quotes"


_WORDS = {
    "Invalid \\": "this is no escape of JSON; write a backslash twice to keep it",
    "Extra data": "there is more text after the value; remove it",
    "Expecting ':'": 'a ":" should stand here, between key and value',
}
