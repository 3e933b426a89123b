"""From a schema document to a linked schema: checked, ordered, its references followed.

A linked schema is `True`, `False`, or a dictionary that holds the known keywords alone, in the
order in which they run. Subschemas are linked schemas themselves, a `$ref` holds its target, and
a pattern is compiled. So running it needs no look-ups, and recursive schemas are cyclic graphs.
"""

from __future__ import annotations

import json
from collections import deque
from typing import Any, NamedTuple

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.model.findings import Severity
from manni.validation.dialects import LOCATION, REFERENCES, SEVERITY, SINGLE, Dialect, Linked
from manni.validation.patterns import Pattern, PatternError, compile_pattern
from manni.validation.resolve import Scope, UnresolvableError
from manni.validation.values import ordered

MAX_SCHEMAS = 50_000
"""How many subschemas one schema may have, with all that it refers to."""


_ANNOTATIONS = frozenset((LOCATION, SEVERITY))


class _Task(NamedTuple):
    schema: dict[str, Any]
    scope: Scope
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

    def link(self, schema: Any, scope: Scope) -> Linked:
        """The linked schema.

        Raises:
            SchemaError: a pattern does not compile, a reference leads nowhere, a severity is
                none, or the schema is too large.
        """
        root = self._enter(schema, scope, "#")
        while self._queue:
            self._fill(self._queue.popleft())
        return root

    def _enter(self, schema: Any, scope: Scope, place: str) -> Linked:
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, dict):
            raise self._error(place, "a schema is an object or a boolean, and this is neither")
        if self._rules.isdisjoint(schema) and _ANNOTATIONS.isdisjoint(schema):
            return True
        scope = scope.within(schema)
        key = (id(schema), scope.dynamic)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = {}
            if len(self._nodes) > MAX_SCHEMAS:
                raise self._error("#", f"it has more than {MAX_SCHEMAS:,} subschemas")
            self._kept.append(schema)  # its id must stay its own
            self._queue.append(_Task(schema, scope, place, node))
        return node

    def _fill(self, task: _Task) -> None:
        schema, node = task.schema, task.node
        for keyword in self._dialect.order(schema):
            place = f"{task.place}/{_escaped(keyword)}"
            node[keyword] = self._linked(keyword, schema[keyword], task, place)
        if LOCATION in schema:
            node[LOCATION] = schema[LOCATION]
        if SEVERITY in schema:
            node[SEVERITY] = self._severity(schema[SEVERITY], f"{task.place}/{SEVERITY}")

    def _severity(self, stated: Any, place: str) -> Severity:
        for severity in Severity:
            if stated == severity.value:
                return severity
        spelled = shorten(visible(json.dumps(stated, ensure_ascii=False)), 80)
        allowed = "it can be error, warning or notice"
        raise self._error(place, f"{SEVERITY} is {spelled}; {allowed}")

    def _linked(self, keyword: str, value: Any, task: _Task, place: str) -> Any:
        match keyword:
            case _ if keyword in REFERENCES:
                return self._target(keyword, value, task, place)
            case "pattern":
                return self._pattern(value, place)
            case "patternProperties":
                return self._matched(value, task, place)
            case "properties" | "dependentSchemas" | "dependencies" | "dependentRequired":
                return self._named(value, task, place)
            case "allOf" | "anyOf" | "oneOf" | "prefixItems" | "items":
                return self._several(value, task, place)
            case _ if keyword in SINGLE:
                return self._one(value, task, place)
        return value

    def _one(self, value: Any, task: _Task, place: str) -> Linked:
        return self._enter(value, task.scope, place)

    def _several(self, value: Any, task: _Task, place: str) -> Any:
        if not isinstance(value, list):
            return self._one(value, task, place)
        return [
            self._enter(schema, task.scope, f"{place}/{index}")
            for index, schema in enumerate(value)
        ]

    def _named(self, value: dict[str, Any], task: _Task, place: str) -> dict[str, Linked]:
        return {
            name: schema
            if isinstance(schema, list)
            else self._enter(schema, task.scope, f"{place}/{_escaped(name)}")
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

    def _target(self, keyword: str, ref: str, task: _Task, place: str) -> Linked:
        spelled = f'"{shorten(visible(ref), 200)}"'
        try:
            contents, scope = task.scope.lookup(keyword, ref)
        except UnresolvableError as error:
            raise self._error(place, f"{spelled} leads to no schema: {error}") from None
        if not isinstance(contents, (dict, bool)):
            raise self._error(place, f"{spelled} leads to a value that is no schema")
        return self._enter(contents, scope, ref if "#" in ref else f"{ref}#")

    def _error(self, place: str, message: str) -> SchemaError:
        separator = "" if place.startswith("#") else " "
        return SchemaError(message, where=f"{self._reference}{separator}{visible(place)}")


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
