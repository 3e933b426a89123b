"""Which value a YAML scalar stands for: the core schema of YAML 1.2.2 (section 10.3).

Dates, `yes`, `on`, `1_000`, `1:30` and `<<` are strings here, as they are in YAML 1.2.
"""

from __future__ import annotations

import re

from manni.base.json_types import Json, decimal, integer

_CONSTANTS: dict[str, Json] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_LONGEST_CONSTANT = max(map(len, _CONSTANTS))
_NUMERIC_START = frozenset("+-.0123456789")
RESOLVED_STARTS = _NUMERIC_START.union(text[:1] for text in _CONSTANTS)
"""How a plain scalar starts that may be no string: with one of these characters, or not at all."""

_DECIMAL_INTEGER = re.compile(r"[-+]?[0-9]+")
_BASED_INTEGER = re.compile(r"0o([0-7]+)|0x([0-9a-fA-F]+)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")

_PREFIX = "tag:yaml.org,2002:"
_CORE_TAGS = {
    f"{_PREFIX}null": type(None),
    f"{_PREFIX}bool": bool,
    f"{_PREFIX}int": int,
    f"{_PREFIX}float": float,
}


def resolve_plain(text: str) -> Json:
    """The value of a plain scalar without a tag.

    A number that is not finite, or too large, stays its text; see `manni.base.json_types`.
    """
    if len(text) <= _LONGEST_CONSTANT and text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] in _NUMERIC_START:
        return _number(text)
    return text


def _number(text: str) -> int | float | str:
    if _DECIMAL_INTEGER.fullmatch(text):
        return integer(text, text)
    if _FLOAT.fullmatch(text):
        return decimal(text)
    based = _BASED_INTEGER.fullmatch(text)
    if based is None:
        return text
    return integer(text, based[1], 8) if based[1] else integer(text, based[2], 16)


def resolve_tagged(tag: str, text: str) -> Json:
    """The value of a scalar that carries a tag, whether it is quoted or not.

    The tags of the core schema convert a text that has their form. Any other tag, and a text of
    another form, leaves the plain text.
    """
    wanted = _CORE_TAGS.get(tag)
    if wanted is None:
        return text
    value = resolve_plain(text)
    if wanted is float and type(value) is int:
        return decimal(text) if _DECIMAL_INTEGER.fullmatch(text) else float(value)
    return value if type(value) is wanted else text
