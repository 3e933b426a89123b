"""The graph of linked schemas: what leads where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from manni.schemas.vocabularies import REFERENCES

Linked = Any
"""A linked schema: a boolean, or a mapping of keywords in the order of their evaluation."""

_ONE_OF_MEMBER = (
    "propertyNames",
    "additionalProperties",
    "unevaluatedProperties",
    "contains",
    "additionalItems",
    "unevaluatedItems",
)
SINGLE = frozenset(("not", "if", "then", "else", *_ONE_OF_MEMBER))
"""The keywords that hold one schema."""


def subschemas_in_place(node: Linked) -> Iterator[Linked]:
    """The subschemas that a linked schema applies to the instance itself, come what may or not."""
    if not isinstance(node, dict):
        return
    for keyword in (*REFERENCES, "not", "if", "then", "else"):
        if keyword in node:
            yield node[keyword]
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield from node.get(keyword, ())
    for keyword in ("dependentSchemas", "dependencies"):
        for dependent in node.get(keyword, {}).values():
            if not isinstance(dependent, list):
                yield dependent


def subschemas_of_members(node: Linked) -> Iterator[Linked]:
    """The subschemas that a linked schema applies to members of the instance, or their names."""
    if isinstance(node, dict):
        yield from node.get("properties", {}).values()
        yield from of_any_member(node)


def of_any_member(node: dict[str, Linked]) -> Iterator[Linked]:
    """The subschemas that may apply to one and the same member, but for those of `properties`."""
    for keyword in _ONE_OF_MEMBER:
        if keyword in node:
            yield node[keyword]
    yield from (schema for _, schema in node.get("patternProperties", ()))
    items = node.get("items", ())
    yield from items if isinstance(items, list) else (items,)
    yield from node.get("prefixItems", ())
