"""The values that metadata is made of: those of JSON, whatever language wrote them.

A number that JSON readers cannot hold - not finite, or an integer of hundreds of digits - stays
the text that was written, so that nothing later meets a value that it cannot print or compare.
"""

from __future__ import annotations

import json
import math
from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
"""A JSON value (RFC 8259) as Python spells it."""

MAX_DEPTH = 100
"""How deeply lists and mappings may nest, the root counted."""

_MAX_DIGITS = 255


def integer(text: str, digits: str, base: int = 10) -> int | str:
    """The integer that `digits` (with a sign) spell in a base, or `text` when it is too large."""
    if len(digits) > _MAX_DIGITS and len(digits.lstrip("+-0_")) > _MAX_DIGITS:
        return text
    if len(digits) > _MAX_DIGITS:
        sign = "-" if digits.startswith("-") else ""
        digits = sign + (digits.lstrip("+-0_") or "0")
    return int(digits, base)


def decimal(text: str) -> float | str:
    """The number that a decimal spelling stands for, or `text` when it is not finite."""
    number = float(text)
    return number if math.isfinite(number) else text


def spell(value: Json) -> str:
    """How a mapping key that is no string is spelled as one.

    Null is the empty string, as other YAML readers of front matter spell it; a number is spelled
    as ECMAScript's `String(number)` spells it, all else as compact JSON.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return _spell_float(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _spell_float(value: float) -> str:
    if value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    if 1e-6 <= abs(value) < 1e21:
        from decimal import Decimal

        return format(Decimal(repr(value)), "f")
    mantissa, exponent = repr(value).split("e")
    return f"{mantissa}e{int(exponent):+d}"


def depth_exceeds(value: Json, limit: int) -> bool:
    """Whether lists and mappings nest deeper than `limit` levels."""
    level: list[Json] = [value]
    for _ in range(limit):
        level = [child for parent in level for child in children(parent)]
        if not level:
            return False
    return any(isinstance(item, (dict, list)) for item in level)


def children(value: Json) -> list[Json]:
    """The values directly inside a list or mapping; none for any other value."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def pointer_tokens(pointer: str) -> list[str]:
    """The reference tokens of a JSON Pointer (RFC 6901), unescaped; none for the root."""
    if "~" not in pointer:
        return pointer.split("/")[1:]
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def escape_token(token: str) -> str:
    """A reference token as a JSON Pointer holds it (RFC 6901, section 3)."""
    return token.replace("~", "~0").replace("/", "~1")
