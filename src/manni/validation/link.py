"""From a schema document to a linked schema: checked, ordered, its references followed.

A linked schema is `True`, `False`, or a dictionary that holds the known keywords alone, in the
order in which they run. Subschemas are linked schemas themselves, a `$ref` holds its target, and
a pattern is compiled. So running it needs no look-ups, and recursive schemas are cyclic graphs.
Where a reference leads is for the registry of `jsonschema-rs` to say.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urldefrag, urljoin

import jsonschema_rs

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.model.findings import Severity
from manni.schemas.dialects import Dialect
from manni.schemas.loader import ID_SCHEME
from manni.schemas.vocabularies import LOCATION, REFERENCES, SEVERITY
from manni.validation.graph import (
    SINGLE,
    Linked,
)
from manni.validation.patterns import Pattern, PatternError, compile_pattern
from manni.validation.values import ordered

MAX_SCHEMAS = 50_000
"""How many subschemas one schema may have, with all that it refers to."""

_ANNOTATIONS = frozenset((LOCATION, SEVERITY))
_DYNAMIC = re.compile(r'"\$(?:dynamic|recursive)Ref"|"\$ref": "https://json-schema\.org/draft/20')
_META_SCHEMA = re.compile(r'"\$ref": "https?://json-schema\.org/')
_NUMBER = "x-manni-number"
_REASONS = {
    "Pointer": "there is nothing at that place",
    "Anchor": "there is no anchor of that name",
    "Invalid": "it is no URI reference",
}


class _Documents:
    """The documents that references may lead to, as the engine's registry has them.

    The registry hands out copies without the order of their members. So it gets numbered schemas,
    which lead back to their originals.

    Args:
        schema: the document that the rest is reached from.
        base_uri: of it.
        draft: the number of its draft, for documents that state none.
        retrieve: from a URI to the document there; raises SchemaError.
    """

    def __init__(
        self, schema: Any, base_uri: str, draft: int, retrieve: Callable[[str], Any]
    ) -> None:
        self._retrieve = retrieve
        self._originals: list[Any] = []
        self._names_meta_schema = False
        self._refusals: dict[str, str] = {}
        self.is_dynamic = False
        resources = [(base_uri, self._numbered(schema))]
        self._registry = jsonschema_rs.Registry(resources, draft, self._retrieved)
        if self._names_meta_schema:
            from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

            resources += [(uri, REGISTRY.contents(uri)) for uri in REGISTRY]
            self._registry = jsonschema_rs.Registry(resources, draft, self._retrieved)
        self.root = self._registry.resolver(base_uri)

    def _retrieved(self, uri: str) -> Any:
        # The engine asks for all that is named, whether or not anything leads there.
        try:
            return self._numbered(self._retrieve(uri))
        except SchemaError as error:
            self._refusals[uri] = str(error)
            return {}

    def _numbered(self, document: Any) -> Any:
        text = json.dumps(document)
        self.is_dynamic = self.is_dynamic or _DYNAMIC.search(text) is not None
        self._names_meta_schema = self._names_meta_schema or bool(_META_SCHEMA.search(text))
        return self._copy(document)

    def _copy(self, value: Any) -> Any:
        if isinstance(value, dict):
            self._originals.append(value)
            number = len(self._originals) - 1
            copy = {_encodable(key): self._copy(item) for key, item in value.items()}
            return {**copy, _NUMBER: number}
        if isinstance(value, list):
            return list(map(self._copy, value))
        if isinstance(value, str):
            return _encodable(value)
        return value if isinstance(value, bool) else None

    def refusal(self, base: str, ref: str = "") -> str | None:
        """Why there is no document where a reference leads, if that is so."""
        with suppress(ValueError):
            base = urldefrag(urljoin(base, ref)).url
        return self._refusals.get(base)

    def original(self, contents: Any) -> Any:
        """The schema whose copy the registry has handed out."""
        if isinstance(contents, dict) and _NUMBER in contents:
            return self._originals[contents[_NUMBER]]
        return contents


def _encodable(text: str) -> str:
    """The text without lone surrogates, which the engine does not take."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


class _Task(NamedTuple):
    schema: dict[str, Any]
    resolver: jsonschema_rs.Resolver | None
    place: str
    node: dict[str, Linked]


class Linker:
    """Links one schema and all that it refers to.

    Args:
        reference: how the user wrote the schema; errors name it.
        dialect: of the schema, which also rules what it refers to.
        base_uri: of the document.
        retrieve: from a URI to the document there; raises SchemaError.
    """

    def __init__(
        self, reference: str, dialect: Dialect, base_uri: str, retrieve: Callable[[str], Any]
    ) -> None:
        self._reference = reference
        self._dialect = dialect
        self._base_uri = base_uri
        self._retrieve = retrieve
        self._nodes: dict[tuple[int, tuple[str, ...]], dict[str, Linked]] = {}
        self._targets: dict[tuple[str, str, str, tuple[str, ...]], Linked] = {}
        self._queue: deque[_Task] = deque()
        self._kept: list[Any] = []

    def link(self, schema: Any) -> Linked:
        """The linked schema.

        Raises:
            SchemaError: a pattern does not compile, a reference leads nowhere, a severity is
                none, or the schema is too large.
        """
        self._root = schema
        linked = self._enter(schema, None, "#")
        while self._queue:
            self._fill(self._queue.popleft())
        return linked

    @cached_property
    def _documents(self) -> _Documents:
        return _Documents(self._root, self._base_uri, self._dialect.draft, self._retrieve)

    def _scope(self, resolver: jsonschema_rs.Resolver | None) -> tuple[str, ...]:
        """The resources on the way to a place, where it matters."""
        if resolver is None or not self._documents.is_dynamic:
            return ()
        return tuple(dict.fromkeys((resolver.base_uri, *resolver.dynamic_scope)))

    def _enter(self, schema: Any, resolver: jsonschema_rs.Resolver | None, place: str) -> Linked:
        """The linked schema of a subschema, which may have an identifier."""
        if isinstance(schema, dict) and schema is not self._root:
            named = self._dialect.identifier(schema)
            if named:
                try:
                    resolver = (resolver or self._documents.root).lookup(named).resolver
                except (ValueError, jsonschema_rs.ReferencingError):
                    raise self._error(place, "its identifier is no URI reference") from None
        return self._node(schema, resolver, place)

    def _node(self, schema: Any, resolver: jsonschema_rs.Resolver | None, place: str) -> Linked:
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, dict):
            raise self._error(place, "a schema is an object or a boolean, and this is neither")
        if self._dialect.keywords.isdisjoint(schema) and _ANNOTATIONS.isdisjoint(schema):
            return True
        key = (id(schema), self._scope(resolver))
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = {}
            if len(self._nodes) > MAX_SCHEMAS:
                raise self._error("#", f"it has more than {MAX_SCHEMAS:,} subschemas")
            self._kept.append(schema)  # its id must stay its own
            self._queue.append(_Task(schema, resolver, place, node))
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
                return [
                    (self._pattern(source, f"{place}/{_escaped(source)}"), schema)
                    for source, schema in self._named(value, task, place).items()
                ]
            case "properties" | "dependentSchemas" | "dependencies" | "dependentRequired":
                return self._named(value, task, place)
            case "allOf" | "anyOf" | "oneOf" | "prefixItems" | "items" if isinstance(value, list):
                return [
                    self._enter(schema, task.resolver, f"{place}/{index}")
                    for index, schema in enumerate(value)
                ]
            case _ if keyword in SINGLE or keyword == "items":
                return self._enter(value, task.resolver, place)
        return value

    def _named(self, value: dict[str, Any], task: _Task, place: str) -> dict[str, Linked]:
        return {
            name: schema
            if isinstance(schema, list)
            else self._enter(schema, task.resolver, f"{place}/{_escaped(name)}")
            for name, schema in ordered(value).items()
        }

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
        resolver = task.resolver or self._documents.root
        key = (keyword, resolver.base_uri, ref, self._scope(resolver))
        if key not in self._targets:
            contents, reached = self._lookup(keyword, ref, resolver, place)
            self._targets[key] = self._node(contents, reached, ref if "#" in ref else f"{ref}#")
        return self._targets[key]

    def _lookup(
        self, keyword: str, ref: str, resolver: jsonschema_rs.Resolver, place: str
    ) -> tuple[Any, jsonschema_rs.Resolver]:
        spelled = f'"{shorten(visible(ref.removeprefix(ID_SCHEME)), 200)}"'
        try:
            found = resolver.lookup(ref)
            if keyword == "$recursiveRef":
                found = _outermost(found, resolver)
        except (ValueError, jsonschema_rs.ReferencingError) as error:
            reason = self._documents.refusal(resolver.base_uri, ref)
            if reason is None:
                text = str(error)
                reason = _REASONS.get(text.partition(" ")[0], visible(text))
            raise self._error(place, f"{spelled} leads to no schema: {reason}") from None
        reached = found.resolver
        refusal = self._documents.refusal(reached.base_uri)
        if refusal is not None and found.contents == {}:
            raise self._error(place, f"{spelled} leads to no schema: {refusal}")
        contents = self._documents.original(found.contents)
        if not isinstance(contents, (dict, bool)):
            raise self._error(place, f"{spelled} leads to a value that is no schema")
        return contents, reached

    def _error(self, place: str, message: str) -> SchemaError:
        separator = "" if place.startswith("#") else " "
        return SchemaError(message, where=f"{self._reference}{separator}{visible(place)}")


def _outermost(
    found: jsonschema_rs.Resolved, resolver: jsonschema_rs.Resolver
) -> jsonschema_rs.Resolved:
    """What `$recursiveRef` leads to (JSON Schema Core 2019-09, section 8.2.4.2)."""
    if _is_recursive(found):
        for uri in resolver.dynamic_scope:
            outer = resolver.lookup(uri)
            if not _is_recursive(outer):
                break
            found = outer
    return found


def _is_recursive(found: jsonschema_rs.Resolved) -> bool:
    contents = found.contents
    return isinstance(contents, dict) and contents.get("$recursiveAnchor") is True


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
