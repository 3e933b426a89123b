"""The graph of linked schemas: what leads where, and that it ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from manni.base.errors import SchemaError

Linked = Any
"""A linked schema: a boolean, or a mapping of keywords in the order of their evaluation."""

MAX_CHAIN = 200
"""How many subschemas may apply to one value inside each other, such as a `$ref` to a `$ref`."""


def subschemas_in_place(node: Linked) -> Iterator[Linked]:
    """The subschemas that a linked schema applies to the instance itself, come what may or not."""
    if not isinstance(node, dict):
        return
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef", "not", "if", "then", "else"):
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
    if not isinstance(node, dict):
        return
    for keyword in (
        "propertyNames",
        "additionalProperties",
        "unevaluatedProperties",
        "contains",
        "additionalItems",
        "unevaluatedItems",
    ):
        if keyword in node:
            yield node[keyword]
    yield from node.get("properties", {}).values()
    yield from (schema for _, schema in node.get("patternProperties", ()))
    items = node.get("items", ())
    yield from items if isinstance(items, list) else (items,)
    yield from node.get("prefixItems", ())


def refuse_endless(root: Linked, reference: str) -> None:
    """Refuse a schema that could apply to one value without end, or nearly so.

    Raises:
        SchemaError: a subschema leads back to itself without moving to a member of the value, or
            more than `MAX_CHAIN` subschemas apply to one value inside each other.
    """
    depths: dict[int, int] = {}
    open_nodes: set[int] = set()
    for start in all_nodes(root):
        stack = [(start, subschemas_in_place(start))]
        while stack:
            node, rest = stack[-1]
            if id(node) in depths:
                stack.pop()
                continue
            open_nodes.add(id(node))
            following = next((sub for sub in rest if isinstance(sub, dict)), None)
            if following is None:
                inner = [depths[id(sub)] for sub in subschemas_in_place(node) if id(sub) in depths]
                depths[id(node)] = 1 + max(inner, default=0)
                open_nodes.discard(id(node))
                stack.pop()
                if depths[id(node)] > MAX_CHAIN:
                    raise SchemaError(
                        f"more than {MAX_CHAIN} of its subschemas apply to one value inside each "
                        "other; make it flatter",
                        where=reference,
                    )
            elif id(following) in open_nodes:
                raise SchemaError(
                    "a $ref in it leads back to itself without end; "
                    "let one of the references on the way describe a member of the value",
                    where=reference,
                )
            else:
                stack.append((following, subschemas_in_place(following)))


def all_nodes(root: Linked) -> Iterator[dict[str, Linked]]:
    """Every linked schema that is an object, each once."""
    met: set[int] = set()
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, dict) and id(node) not in met:
            met.add(id(node))
            yield node
            pending += subschemas_in_place(node)
            pending += subschemas_of_members(node)
