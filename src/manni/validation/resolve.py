"""Following `$ref`, `$dynamicRef` and `$recursiveRef` (JSON Schema Core 2020-12, section 8.2).

Documents are indexed once each: their resources by URI, and the anchors in these. Loading has made
references absolute, so that most of what is here is looking up names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from manni.base.errors import SchemaError
from manni.validation.dialects import LISTS, NAMED, SINGLE, Dialect


class UnresolvableError(LookupError):
    """A reference that leads nowhere; the message says why."""


@dataclass(slots=True)
class _Resource:
    """A schema with a URI, and the names of places in it."""

    root: Any
    anchors: dict[str, Any] = field(default_factory=dict)
    dynamic: set[str] = field(default_factory=set)
    is_recursive: bool = False

    @property
    def has_dynamic(self) -> bool:
        return bool(self.dynamic) or self.is_recursive


class Documents:
    """The documents that one schema may lead to.

    Args:
        retrieve: from a URI to the document there; raises SchemaError.
        dialect_of: from a document to the dialect that it is read by.
    """

    def __init__(
        self, retrieve: Callable[[str], Any], dialect_of: Callable[[Any], Dialect]
    ) -> None:
        self._retrieve = retrieve
        self._dialect_of = dialect_of
        self._resources: dict[str, _Resource] = {}
        self._uris: dict[int, str] = {}

    def add(self, document: Any, uri: str) -> None:
        """Index a document.

        Args:
            document: a schema.
            uri: where it is from.
        """
        self._resources[uri] = _Resource(document)
        self._uris[id(document)] = uri
        dialect = self._dialect_of(document)
        pending = [(document, uri)]
        while pending:
            schema, base = pending.pop()
            if isinstance(schema, dict):
                base = self._enter(schema, base, dialect)
                pending += [(each, base) for each in _subschemas(schema)]

    def _enter(self, schema: dict[str, Any], base: str, dialect: Dialect) -> str:
        named = schema.get("id" if dialect.is_draft4 else "$id")
        old = dialect.ref_stands_alone
        if isinstance(named, str) and not (old and "$ref" in schema):
            name, fragment = urldefrag(named)
            if name and id(schema) not in self._uris:
                base = joined(base, name)
                self._resources.setdefault(base, _Resource(schema))
            elif name:
                self._resources.setdefault(joined(base, name), self._resources[base])
            self._uris.setdefault(id(schema), base) if name else None
            if old and fragment:
                self._resources[base].anchors.setdefault(fragment, schema)
        resource = self._resources[base]
        for keyword in ("$anchor", "$dynamicAnchor"):
            anchor = schema.get(keyword)
            if not old and isinstance(anchor, str):
                resource.anchors.setdefault(anchor, schema)
                if keyword == "$dynamicAnchor":
                    resource.dynamic.add(anchor)
        if schema is resource.root and schema.get("$recursiveAnchor") is True:
            resource.is_recursive = True
        return base

    def uri_of(self, schema: Any) -> str | None:
        """The URI of a schema that has one of its own."""
        return self._uris.get(id(schema))

    def at(self, uri: str) -> _Resource:
        """The resource of a URI, retrieved if need be.

        Raises:
            UnresolvableError: there is none.
        """
        found = self._resources.get(uri)
        if found is None:
            try:
                document = self._retrieve(uri)
            except SchemaError as error:
                raise UnresolvableError(str(error)) from None
            self.add(document, uri)
            found = self._resources[uri]
        return found


def _subschemas(schema: dict[str, Any]) -> Iterator[Any]:
    for keyword, value in schema.items():
        if keyword in NAMED and isinstance(value, dict):
            yield from value.values()
        elif keyword in LISTS and isinstance(value, list):
            yield from value
        elif keyword in SINGLE or keyword in LISTS:
            yield value


def joined(base: str, reference: str) -> str:
    """The reference as seen from a base URI, which may be a `vendor:name:version` id.

    Raises:
        UnresolvableError: it is no URI reference.
    """
    try:
        return base + reference if reference.startswith("#") else urljoin(base, reference)
    except ValueError:
        raise UnresolvableError("it is no URI reference") from None


@dataclass(frozen=True, slots=True)
class Scope:
    """A place that references are relative to.

    Attributes:
        documents: what they may lead to.
        uri: of the resource around the place.
        dynamic: the resources with dynamic anchors that led here, outermost first.
    """

    documents: Documents
    uri: str
    dynamic: tuple[str, ...] = ()

    def within(self, schema: Any) -> Scope:
        """The scope inside a subschema, which may have an identifier."""
        uri = self.documents.uri_of(schema)
        return self if uri is None else self.into(uri)

    def into(self, uri: str) -> Scope:
        """The scope of another resource, reached from here."""
        if self.documents.at(uri).has_dynamic and uri not in self.dynamic:
            return Scope(self.documents, uri, (*self.dynamic, uri))
        return self if uri == self.uri else replace(self, uri=uri)

    def _walk(self, value: Any, pointer: str, uri: str) -> tuple[Any, Scope]:
        for part in pointer.split("/")[1:]:
            value = _member(value, part.replace("~1", "/").replace("~0", "~"))
            uri = self.documents.uri_of(value) or uri
        return value, self.into(uri)

    def lookup(self, keyword: str, reference: str) -> tuple[Any, Scope]:
        """What a reference leads to, and the scope there.

        Args:
            keyword: that states the reference.
            reference: its value.

        Raises:
            UnresolvableError: it leads nowhere.
        """
        uri, fragment = urldefrag(joined(self.uri, reference))
        fragment = unquote(fragment)
        found = self.documents.at(uri)
        scope = self.into(uri)
        if keyword == "$recursiveRef" and found.is_recursive:
            for outer in self.dynamic:
                resource = self.documents.at(outer)
                if resource.is_recursive:
                    return resource.root, scope.into(outer)
        if not fragment:
            return found.root, scope
        if fragment.startswith("/"):
            return self._walk(found.root, fragment, uri)
        if fragment not in found.anchors:
            raise UnresolvableError("there is no anchor of that name")
        if keyword == "$dynamicRef" and fragment in found.dynamic:
            for outer in self.dynamic:
                resource = self.documents.at(outer)
                if fragment in resource.dynamic:
                    return resource.anchors[fragment], scope.into(outer)
        return found.anchors[fragment], scope


def _member(value: Any, name: str) -> Any:
    if isinstance(value, dict) and name in value:
        return value[name]
    if isinstance(value, list) and name.isascii() and name.isdecimal():
        index = int(name[:10])
        if index < len(value):
            return value[index]
    raise UnresolvableError("there is nothing at that place")
