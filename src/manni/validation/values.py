"""JSON values as JSON Schema compares, counts and spells them.

Values come from YAML, TOML or JSON as Python objects: `dict`, `list`, `str`, `int`, `float`,
`bool` and `None`. Python differs from JSON in places that matter here: `True == 1`, integers have
no bound, and `1.0` and `1` are two types. Numbers are treated as IEEE 754 doubles, and spelled as
ECMAScript's `Number::toString` does, since that is what every other JSON tool shows.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from manni.base.text import shorten

_EXACT = 2**53
_MAX_INDEX = 2**32 - 1
_MAX_SPELLED = 200


def double(number: float) -> float:
    """The number as a double; an integer that a double holds exactly stays an integer."""
    if isinstance(number, int) and not -_EXACT <= number <= _EXACT:
        try:
            return float(number)
        except OverflowError:
            return math.inf if number > 0 else -math.inf
    return number


def is_number(value: Any) -> bool:
    """Whether the value is a number; booleans are not, infinities and NaN are."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_integer(value: Any) -> bool:
    """Whether the value is a number without a fraction, such as `1.0`."""
    if isinstance(value, float):
        return value.is_integer() or math.isinf(value)
    return isinstance(value, int) and not isinstance(value, bool)


def type_name(value: Any) -> str:
    """The JSON Schema type that describes the value best."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        return "array"
    return "integer" if is_integer(value) else "number"


def key(value: Any) -> Hashable:
    """A hashable stand-in: two values are equal in JSON exactly when their keys are.

    Objects are equal whatever the order of their members. NaN equals itself.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return (type(value), value)
    if isinstance(value, list):
        return (list, *map(key, value))
    if isinstance(value, dict):
        return (dict, frozenset((name, key(member)) for name, member in value.items()))
    number = double(value)
    return (float, "NaN") if number != number else (float, number)  # noqa: PLR0124


def spell_number(number: float) -> str:
    """The number as ECMAScript prints it: `1.0` is `1`, `1e21` is `1e+21`, `1e-7` is `1e-7`."""
    number = double(number)
    if isinstance(number, int):
        return str(number)
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "-Infinity" if number < 0 else "Infinity"
    if number != 0 and not 1e-6 <= abs(number) < 1e21:
        return re.sub("e([+-])0", r"e\1", repr(number))
    from decimal import Decimal

    return format(Decimal(repr(number)).normalize() + 0, "f")


def spell(value: Any) -> str:
    """The value for a person: a string bare, anything else as JSON, cut when it is long."""
    if isinstance(value, str):
        return shorten(value, _MAX_SPELLED)
    if is_number(value):
        return spell_number(value)
    if isinstance(value, (list, dict)) and not _is_small(value):
        return "\u2026"
    return shorten(json.dumps(value, ensure_ascii=False), _MAX_SPELLED)


def _is_small(value: Any) -> bool:
    """Whether a list or mapping is short and holds scalars alone, so that JSON can spell it."""
    members = value.values() if isinstance(value, dict) else value
    return len(value) <= 20 and not any(
        isinstance(member, (list, dict)) or (is_number(member) and abs(double(member)) > _EXACT)
        for member in members
    )


def _is_index(name: str) -> bool:
    return (
        name.isascii()
        and name.isdecimal()
        and len(name) <= 10
        and (name == "0" or name[0] != "0")
        and int(name) < _MAX_INDEX
    )


def in_order(names: Iterable[str]) -> list[str]:
    """Names in the order in which ECMAScript enumerates an object's members.

    Canonical array indices come first, ascending; all others keep their order.
    """
    listed = list(names)
    if not any(name[:1].isdecimal() for name in listed):
        return listed
    indices = sorted((name for name in listed if _is_index(name)), key=int)
    return indices + [name for name in listed if not _is_index(name)]


def ordered(members: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping with its members in the order of `in_order`."""
    return {name: members[name] for name in in_order(members)}


TYPES: dict[str, Callable[[Any], bool]] = {
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": is_integer,
    "null": lambda value: value is None,
    "number": is_number,
    "object": lambda value: isinstance(value, dict),
    "string": lambda value: isinstance(value, str),
}


def types_of(schema: Any) -> tuple[str, ...]:
    """The types that a schema accepts; empty when it does not say."""
    if not isinstance(schema, dict) or "type" not in schema:
        return ()
    stated = schema["type"]
    return tuple(stated) if isinstance(stated, list) else (stated,)


def scalar_types(schema: dict[str, Any]) -> tuple[str, ...]:
    """The types that the `items` of a schema states, where these are scalar types alone."""
    types = types_of(schema.get("items"))
    return () if {"array", "object"} & set(types) else types


def repeated(items: list[Any], types: tuple[str, ...]) -> tuple[int, int] | None:
    """The indices of the first equal pair met when scanning from the end, or None.

    Args:
        items: the list.
        types: scalar types, when items of these types alone are compared. The higher index then
            comes first in the pair.
    """
    return _last_scalar_pair(items, types) if types else _last_pair(items)


def _last_scalar_pair(items: list[Any], types: tuple[str, ...]) -> tuple[int, int] | None:
    met: dict[Any, int] = {}
    for index in range(len(items) - 1, -1, -1):
        item = items[index]
        if any(TYPES[name](item) for name in types):
            later = met.setdefault(key(item), index)
            if later != index:
                return later, index
    return None


def _last_pair(items: list[Any]) -> tuple[int, int] | None:
    met: dict[Any, int] = {}
    pair = None
    for index, item in enumerate(items):
        item_key = key(item)
        if item_key in met:
            pair = (met[item_key], index)
        met[item_key] = index
    return pair
