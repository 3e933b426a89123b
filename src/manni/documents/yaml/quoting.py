"""Texts as YAML scalars: quoted so that as little as possible needs an escape."""

from __future__ import annotations

import re

from manni.documents.yaml.core import resolve_plain

# What libyaml reads only as an escape, or reads otherwise than YAML 1.2 does.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]"
)
_BREAK = re.compile(r"\r\n?|\n")
_ESCAPED = re.compile(rf'["\\\t\r\n]|{_UNPRINTABLE.pattern}')
_SHORT = {'"': '\\"', "\\": "\\\\", "\t": "\\t", "\r": "\\r", "\n": "\\n"}
_WORDS = re.compile(r"[A-Za-z_][\w./-]*(?: [\w./-]+)*", re.ASCII)
# Words that YAML 1.1, which many hosts still read, takes for no string.
_OLD_CONSTANTS = frozenset({"y", "n", "yes", "no", "on", "off"})


def quote(source: str) -> str:
    """A plain scalar, as it is written, in quotes that keep its value.

    Double quotes where nothing inside has a meaning there, else single ones, in which only a
    quote is doubled. A text of several lines stays one: quoted lines fold like plain ones.
    """
    if '"' in source or "\\" in source:
        return "'" + source.replace("'", "''") + "'"
    return f'"{source}"'


def spell(value: str, *, like: str = "") -> str:
    """A text as a scalar on one line that reads as this text, also inside of brackets.

    Args:
        value: the text.
        like: what is written now; what is quoted stays quoted.
    """
    if _UNPRINTABLE.search(value) or _BREAK.search(value):
        return '"' + _ESCAPED.sub(_escape, value) + '"'
    if like[:1] == "'" or (like[:1] == '"' and ('"' in value or "\\" in value)):
        return "'" + value.replace("'", "''") + "'"
    return value if like[:1] != '"' and is_plain(value) else quote(value)


def is_plain(text: str) -> bool:
    """Whether a text needs no quotes anywhere; False where that is not plain to see."""
    constant = text.lower() in _OLD_CONSTANTS or not isinstance(resolve_plain(text), str)
    return not constant and _WORDS.fullmatch(text) is not None


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    code = ord(char)
    wide = f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return _SHORT.get(char) or wide
