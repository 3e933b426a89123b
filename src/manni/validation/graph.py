"""The graph of linked schemas: what leads where, and that it ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from manni.base.errors import SchemaError
from manni.schemas.dialects import REFERENCES

Linked = Any
"""A linked schema: a boolean, or a mapping of keywords in the order of their evaluation."""

LOCATION = "x-manni-location"
"""The annotation that says where a top-level property is best stored."""

SEVERITY = "x-manni-severity"
"""The annotation that lowers the severity of what its schema finds."""

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


def in_order(root: Linked, reference: str) -> list[dict[str, Linked]]:
    """Every linked schema that is an object, each once, behind those that it applies in place.

    Raises:
        SchemaError: a subschema leads back to itself without moving to a member of the value.
    """
    done: dict[int, dict[str, Linked]] = {}
    open_nodes: set[int] = set()
    for start in _all_nodes(root):
        stack = [(start, subschemas_in_place(start))]
        while stack:
            node, rest = stack[-1]
            open_nodes.add(id(node))
            following = next((s for s in rest if isinstance(s, dict) and id(s) not in done), None)
            if following is None or id(node) in done:
                done.setdefault(id(node), node)
                open_nodes.discard(id(node))
                stack.pop()
            elif id(following) in open_nodes:
                raise SchemaError(
                    "a $ref in it leads back to itself without end; "
                    "let one of the references on the way describe a member of the value",
                    where=reference,
                )
            else:
                stack.append((following, subschemas_in_place(following)))
    return list(done.values())


def _all_nodes(root: Linked) -> Iterator[dict[str, Linked]]:
    met: set[int] = set()
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, dict) and id(node) not in met:
            met.add(id(node))
            yield node
            pending += subschemas_in_place(node)
            pending += subschemas_of_members(node)
