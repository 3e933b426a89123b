"""From a schema document to a linked schema: checked, ordered, its references followed.

A linked schema is `True`, `False`, or a dictionary that holds the known keywords alone, in the
order in which they run. Subschemas are linked schemas themselves, a `$ref` holds its target, and
a pattern is compiled. So running it needs no look-ups, and recursive schemas are cyclic graphs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import lookup_recursive_ref

from manni.errors import SchemaError
from manni.text import shorten, visible
from manni.validation.applicators import Linked
from manni.validation.dialects import MARK, Dialect
from manni.validation.patterns import Pattern, PatternError, compile_pattern
from manni.validation.shapes import fault_of
from manni.validation.values import ordered

if TYPE_CHECKING:
    from referencing._core import Resolver

MAX_SCHEMAS = 50_000
"""How many subschemas one schema may have, with all that it refers to."""

MAX_CHAIN = 200
"""How many subschemas may apply to one value inside each other, such as a `$ref` to a `$ref`."""


_SINGLE = frozenset(
    (
        "not",
        "if",
        "then",
        "else",
        "contains",
        "propertyNames",
        "additionalProperties",
        "additionalItems",
        "unevaluatedProperties",
        "unevaluatedItems",
    )
)


class _Task(NamedTuple):
    schema: dict[str, Any]
    resolver: Resolver[Any]
    place: str
    node: dict[str, Linked]


class Linker:
    """Links one schema and all that it refers to.

    Args:
        reference: how the user wrote the schema; errors name it.
        dialect: of the schema, which also rules what it refers to.
    """

    def __init__(self, reference: str, dialect: Dialect) -> None:
        self._reference = reference
        self._dialect = dialect
        self._rules = dialect.keywords
        self._nodes: dict[tuple[int, tuple[str, ...]], dict[str, Linked]] = {}
        self._queue: deque[_Task] = deque()
        self._kept: list[Any] = []
        self._dynamic: dict[str, bool] = {}

    def link(self, schema: Any, resolver: Resolver[Any]) -> Linked:
        """The linked schema.

        Raises:
            SchemaError: a keyword has a value of the wrong kind, a pattern does not compile, a
                reference leads nowhere or back to itself, or the schema is too large.
        """
        root = self._enter(schema, resolver, "#")
        while self._queue:
            self._fill(self._queue.popleft())
        refuse_endless(root, self._reference)
        return root

    def _enter(self, schema: Any, resolver: Resolver[Any], place: str) -> Linked:
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, dict):
            raise self._error(place, "a schema is an object or a boolean, and this is neither")
        if MARK not in schema and self._rules.isdisjoint(schema):
            return True
        resolver = resolver.in_subresource(self._dialect.specification.create_resource(schema))
        key = (id(schema), self._scope(resolver))
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = {}
            if len(self._nodes) > MAX_SCHEMAS:
                raise self._error("#", f"it has more than {MAX_SCHEMAS:,} subschemas")
            self._kept.append(schema)  # its id must stay its own
            self._queue.append(_Task(schema, resolver, place, node))
        return node

    def _scope(self, resolver: Resolver[Any]) -> tuple[str, ...]:
        """The resources with dynamic anchors that led here, outermost first.

        A schema that is reached through other ones has other targets for `$dynamicRef`, so it is
        linked once for each way.
        """
        met = [
            uri for uri, registry in resolver.dynamic_scope() if self._has_dynamic(uri, registry)
        ]
        return tuple(dict.fromkeys(reversed(met)))

    def _has_dynamic(self, uri: str, registry: Registry[Any]) -> bool:
        known = self._dynamic.get(uri)
        if known is None:
            contents = registry.contents(uri) if uri in registry else True
            known = self._dynamic[uri] = _mentions_dynamic(contents)
        return known

    def _fill(self, task: _Task) -> None:
        schema, node = task.schema, task.node
        for keyword in self._dialect.order(schema):
            place = f"{task.place}/{_escaped(keyword)}"
            wrong = fault_of(keyword, schema[keyword], self._dialect)
            if wrong:
                raise self._error(place, wrong)
            node[keyword] = self._linked(keyword, schema[keyword], task, place)
        if MARK in schema:
            node[MARK] = schema[MARK]

    def _linked(self, keyword: str, value: Any, task: _Task, place: str) -> Any:
        match keyword:
            case "$ref" | "$dynamicRef":
                return self._target(value, task, place)
            case "$recursiveRef":
                return self._recursive_target(value, task, place)
            case "pattern":
                return self._pattern(value, place)
            case "patternProperties":
                return self._matched(value, task, place)
            case "properties" | "dependentSchemas" | "dependencies" | "dependentRequired":
                return self._named(value, task, place)
            case "allOf" | "anyOf" | "oneOf" | "prefixItems" | "items":
                return self._several(value, task, place)
            case _ if keyword in _SINGLE:
                return self._one(value, task, place)
        return value

    def _one(self, value: Any, task: _Task, place: str) -> Linked:
        return self._enter(value, task.resolver, place)

    def _several(self, value: Any, task: _Task, place: str) -> Any:
        if not isinstance(value, list):
            return self._one(value, task, place)
        return [
            self._enter(schema, task.resolver, f"{place}/{index}")
            for index, schema in enumerate(value)
        ]

    def _named(self, value: dict[str, Any], task: _Task, place: str) -> dict[str, Linked]:
        return {
            name: schema
            if isinstance(schema, list)
            else self._enter(schema, task.resolver, f"{place}/{_escaped(name)}")
            for name, schema in ordered(value).items()
        }

    def _matched(self, value: dict[str, Any], task: _Task, place: str) -> Any:
        return [
            (self._pattern(source, f"{place}/{_escaped(source)}"), schema)
            for source, schema in self._named(value, task, place).items()
        ]

    def _pattern(self, source: str, place: str) -> Pattern:
        try:
            return compile_pattern(source)
        except PatternError as error:
            spelled = shorten(visible(source), 80)
            reason = visible(str(error))
            raise self._error(
                place, f'"{spelled}" is no ECMAScript regular expression: {reason}'
            ) from None

    def _target(self, value: str, task: _Task, place: str) -> Linked:
        try:
            resolved = task.resolver.lookup(value)
        except Unresolvable as error:
            known = error.__cause__.__cause__ if error.__cause__ else None
            if isinstance(known, SchemaError):
                raise known from None
            spelled = shorten(visible(value), 200)
            raise self._error(place, f'"{spelled}" leads to no schema that is known here') from None
        return self._arrive(resolved, value, place)

    def _recursive_target(self, value: str, task: _Task, place: str) -> Linked:
        if value != "#":
            raise self._error(place, '$recursiveRef can only be "#"')
        return self._arrive(lookup_recursive_ref(task.resolver), value, place)

    def _arrive(self, resolved: Any, ref: str, place: str) -> Linked:
        where = ref if ref.startswith("#") else f"{ref}" if "#" in ref else f"{ref}#"
        if not isinstance(resolved.contents, (dict, bool)):
            raise self._error(place, f'"{shorten(visible(ref), 200)}" leads to no schema')
        return self._enter(resolved.contents, resolved.resolver, where)

    def _error(self, place: str, message: str) -> SchemaError:
        separator = "" if place.startswith("#") else " "
        return SchemaError(message, where=f"{self._reference}{separator}{visible(place)}")


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _mentions_dynamic(contents: Any) -> bool:
    pending = [contents]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            if "$dynamicAnchor" in value or "$recursiveAnchor" in value:
                return True
            pending += value.values()
        elif isinstance(value, list):
            pending += value
    return False


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
    for start in _all_nodes(root):
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
