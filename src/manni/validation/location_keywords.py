"""Location marks: where a schema prefers each top-level key to be stored.

`x-manni-location: page | external` counts on the schema of a top-level property, wherever the
evaluation of an artifact reaches it. Nested marks have no meaning.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.schemas.vocabularies import LOCATION, REFERENCES
from manni.validation.graph import Linked, subschemas_in_place

Taken = Callable[[Any, Linked], Iterable[Linked]]
"""The subschemas that do apply to an instance besides a linked schema, which comes second."""

LOCATIONS = ("page", "external")


def _always(_: Any, node: Linked) -> Iterable[Linked]:
    """The subschemas that apply to every instance besides a linked schema."""
    yield from (node[keyword] for keyword in REFERENCES if keyword in node)
    yield from node.get("allOf", ())


def _perhaps(_: Any, node: Linked) -> Iterable[Linked]:
    """The subschemas that may apply to an instance besides a linked schema."""
    return subschemas_in_place(node)


def _reached(
    taken: Taken, node: Linked, instance: Any = None, met: set[int] | None = None
) -> Iterator[dict[str, Linked]]:
    """The schemas that apply to an instance, the outermost last; each once."""
    met = set() if met is None else met
    if isinstance(node, dict) and id(node) not in met:
        met.add(id(node))
        for part in taken(instance, node):
            yield from _reached(taken, part, instance, met)
        yield node


def _of_property(node: dict[str, Linked], name: str) -> Iterator[Linked]:
    """The schemas that one schema states for a property."""
    described = node.get("properties", {})
    if name in described:
        yield described[name]
    expressions = node.get("patternProperties", ())
    matching = [schema for expression, schema in expressions if expression.matches(name)]
    yield from matching
    if name not in described and not matching:
        yield node.get("additionalProperties", True)


class LocationKeywords:
    """The marks of one schema.

    Args:
        root: the linked schema.
        taken: tells which branches of a linked schema are taken.
        reference: how the user wrote the schema; errors name it.

    Raises:
        SchemaError: a mark has another value, `$schema` is marked external, or a key is marked
            both ways wherever it is met.
    """

    def __init__(self, root: Linked, taken: Taken, reference: str) -> None:
        self._root = root
        self._taken = taken
        self._reference = reference
        marked = [
            (name, part[LOCATION])
            for node in _reached(_perhaps, root)
            for name, schema in _stated(node)
            for part in _reached(_perhaps, schema)
            if LOCATION in part
        ]
        for name, mark in marked:
            self._check(name, mark)
        always = self._fixed_marks()
        self._fixed: dict[str, str] | None = None
        if {(name, mark) for name, mark in marked} <= set(always.items()):
            self._fixed = always

    @property
    def are_none(self) -> bool:
        """Whether no key ever has a mark."""
        return self._fixed == {}

    def of(self, value: Mapping[str, Any]) -> Mapping[str, str]:
        """`page` or `external` for each key of the metadata that has a mark.

        Args:
            value: the metadata of one artifact.
        """
        if self._fixed is not None:
            return {name: mark for name, mark in self._fixed.items() if name in value}
        found: dict[str, str] = {}
        for node in _reached(self._taken, self._root, value):
            for name, member in value.items():
                for schema in _of_property(node, name):
                    for part in _reached(self._taken, schema, member):
                        if LOCATION in part:
                            found[name] = part[LOCATION]
        return MappingProxyType(found)

    def _check(self, name: str | None, mark: Any) -> None:
        if mark not in LOCATIONS:
            spelled = shorten(visible(json.dumps(mark, ensure_ascii=False)), 80)
            raise self._error(f"{LOCATION} is {spelled}; it can be page or external")
        if name == "$schema" and mark == "external":
            raise self._error("$schema cannot be marked external: it is read from the page itself")

    def _fixed_marks(self) -> dict[str, str]:
        found: dict[str, str] = {}
        nodes = list(_reached(_always, self._root))
        names = dict.fromkeys(name for node in nodes for name in node.get("properties", ()))
        for name in names:
            marks = [
                part[LOCATION]
                for node in nodes
                for schema in _of_property(node, name)
                for part in _reached(_always, schema)
                if LOCATION in part
            ]
            if len(set(marks)) > 1:
                raise self._error(
                    f'"{shorten(visible(name), 80)}" is marked both page and external'
                )
            found.update((name, mark) for mark in marks)
        return found

    def _error(self, message: str) -> SchemaError:
        return SchemaError(message, where=self._reference)


def _stated(node: dict[str, Linked]) -> Iterator[tuple[str | None, Linked]]:
    """The schemas that a schema states for properties, with their names where these are fixed."""
    yield from node.get("properties", {}).items()
    for _, schema in node.get("patternProperties", ()):
        yield None, schema
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword in node:
            yield None, node[keyword]
