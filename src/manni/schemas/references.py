"""What `$ref` may mean: schemas that are already here, and nothing on the network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.schemas.loader import dialect_of

if TYPE_CHECKING:
    from referencing import Registry, Resource

Found = tuple[dict[str, Any], str]
"""A linked schema, and what messages call it."""


class References:
    """Resolves the `$ref`s of schemas that were linked by `schema_files.link`.

    A `$ref` may mean a built-in schema, by id or published URL; a registered one, by id; a
    meta-schema; a file. Each is read once. Nothing here imports `referencing` before a schema is
    compiled, since that takes longer than checking many files.

    Args:
        named: from an id or published URL to a schema; None when there is none.
        beside: from the path of a file to the schema in it; raises SchemaError.
    """

    def __init__(
        self, named: Callable[[str], Found | None], beside: Callable[[Path], Found]
    ) -> None:
        self._named = named
        self._beside = beside
        self._resources: dict[str, Resource[Any] | SchemaError] = {}
        self._empty: Registry[Any] | None = None

    def registry(self, uri: str, document: dict[str, Any]) -> Registry[Any]:
        """A registry that holds one schema and retrieves the rest.

        Looking up what does not exist raises `referencing.exceptions.Unresolvable`; `describe`
        says why. Other schemas are valid by their meta-schema before anything is looked up in
        them; that is for the caller to see to for the schema it passes.

        Args:
            uri: the schema's own.
            document: the schema, linked.
        """
        from referencing import Registry

        if self._empty is None:
            self._empty = Registry[Any](retrieve=self._retrieve)  # type: ignore[call-arg]
        registry: Registry[Any] = self._empty.with_resource(uri, _resource(document))
        return registry

    def _retrieve(self, uri: str) -> Resource[Any]:
        if uri not in self._resources:
            try:
                self._resources[uri] = self._resolve(uri)
            except SchemaError as error:
                self._resources[uri] = error
        found = self._resources[uri]
        if isinstance(found, SchemaError):
            raise found
        return found

    def _resolve(self, uri: str) -> Resource[Any]:
        from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

        found = self._named(uri)
        if found is not None:
            return _checked(*found)
        metaschema: Resource[Any] | None = REGISTRY.get(uri)
        if metaschema is not None:
            return metaschema
        parts = urlsplit(uri)
        if parts.scheme == "file" and not parts.netloc:
            path = Path(unquote(parts.path, errors="surrogateescape"))
            return _checked(*self._beside(path))
        spelled = shorten(visible(uri), 200)
        if parts.scheme in {"http", "https"}:
            raise SchemaError(
                "a $ref is never fetched; keep a copy beside the schema", where=spelled
            )
        raise SchemaError("there is no built-in or registered schema of that name", where=spelled)


def describe(error: BaseException) -> str:
    """Why a `$ref` could not be resolved, in words.

    Args:
        error: what a lookup in a registry of `References` raised.
    """
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, SchemaError):
            return str(cause)
        cause = cause.__cause__
    return "it leads to no schema"


def _resource(document: dict[str, Any]) -> Resource[Any]:
    from referencing.jsonschema import specification_with

    return specification_with(dialect_of(document, "")).create_resource(document)


def _checked(document: dict[str, Any], label: str) -> Resource[Any]:
    """A resource that is safe to search, since it is valid by its meta-schema."""
    from jsonschema.exceptions import best_match
    from jsonschema.validators import validator_for

    kind = validator_for({"$schema": dialect_of(document, label)})
    # Without a format checker: `pattern` is ECMAScript's, which Python's `re` would refuse.
    try:
        error = best_match(kind(kind.META_SCHEMA).iter_errors(document))
    except RecursionError:
        raise SchemaError("the schema nests too deep; make it flatter", where=label) from None
    if error is not None:
        place = visible("".join(f"/{part}" for part in error.absolute_path)) or "its root"
        raise SchemaError(
            f"the value at {shorten(place, 200)} is not one that JSON Schema allows", where=label
        )
    return _resource(document)
