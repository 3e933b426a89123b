"""Values of `sarif_om` as JSON: one walk over the fields that attrs recorded.

A field is written when it is set and not what the standard says an absent one means. `level` is
always written: absent, it means the level of the rule, and not the default of the class.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

_ALWAYS = "level"
_SCALARS = frozenset({str, int, float, bool, type(None)})
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def plain(value: Any) -> Any:
    """The value as dicts, lists and scalars, ready for `json`.

    Args:
        value: an instance of a class of `sarif_om`, a dict, a list or a scalar.

    Raises:
        TypeError: it is none of these, or holds something that is none of these.
    """
    cls: type = type(value)
    if cls in _SCALARS:
        return value
    if cls is list:
        return [plain(item) for item in value]
    if cls is dict:
        return {key: plain(item) for key, item in value.items() if item is not None}
    names = _names(cls)
    found = {}
    for field, item in vars(value).items():
        if item is None:
            continue
        name, default = names[field]
        kind = type(item)
        if field == _ALWAYS or kind is not type(default) or item != default:
            found[name] = item if kind in _SCALARS else plain(item)
    return found


@cache
def _names(cls: type) -> dict[str, tuple[str, Any]]:
    """By attribute: the standard's name of a field, and the value that goes without saying."""
    fields = getattr(cls, "__attrs_attrs__", None)
    if fields is None:
        raise TypeError(f"{cls.__name__} is no part of a SARIF log")
    return {
        field.name: (field.metadata["schema_property_name"], _default(field.default))
        for field in fields
    }


def _default(default: Any) -> Any:
    factory = getattr(default, "factory", None)
    return factory() if factory is not None else default


def encode(value: Any) -> str:
    """The value as compact JSON text that UTF-8 can encode."""
    text = _ENCODER.encode(plain(value))
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def splice(head: str, key: str, items: Sequence[str]) -> str:
    """A JSON object with one more member: a list of items that are JSON text already.

    Args:
        head: the JSON text of an object with at least one member.
        key: the name of the new member.
        items: the JSON texts of the list's items.
    """
    separator = ",\n"
    return f'{head[:-1]},"{key}":[\n{separator.join(items)}\n]}}'
