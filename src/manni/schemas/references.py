"""What `$ref` may mean: schemas that are already here, and nothing on the network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.schemas import builtin as builtins
from manni.schemas.dialects import dialect_of
from manni.schemas.loader import ID_SCHEME

_META_SCHEMAS = ("http://json-schema.org/", "https://json-schema.org/")

Found = tuple[dict[str, Any], str]
"""A linked schema, and what messages call it."""


class References:
    """Resolves the `$ref`s of schemas that were linked by `schema_files.link`.

    A `$ref` may mean a built-in schema, by id or published URL; a registered one, by id; a
    meta-schema; a file. Each is read once, and valid by its meta-schema.

    Args:
        named: from an id or published URL to a schema; None when there is none.
        beside: from the path of a file to the schema in it; raises SchemaError.
    """

    def __init__(
        self, named: Callable[[str], Found | None], beside: Callable[[Path], Found]
    ) -> None:
        self._named = named
        self._beside = beside
        self._documents: dict[str, Any] = {}

    def document(self, uri: str) -> Any:
        """The schema of a URI.

        Args:
            uri: absolute, without a fragment.

        Raises:
            SchemaError: there is none, or it may not be used.
        """
        if uri not in self._documents:
            try:
                self._documents[uri] = self._find(uri)
            except SchemaError as error:
                self._documents[uri] = error
        found = self._documents[uri]
        if isinstance(found, SchemaError):
            raise found
        return found

    def _find(self, uri: str) -> Any:
        uri = uri.removeprefix(ID_SCHEME)
        found = self._named(uri)
        if found is not None:
            return found[0] if builtins.find(uri) else _checked(*found)
        if uri.startswith(_META_SCHEMAS):
            from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

            known = REGISTRY.get(uri)
            if known is not None:
                return known.contents
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


def _checked(document: dict[str, Any], label: str) -> dict[str, Any]:
    """The document, when it is valid by its meta-schema."""
    import jsonschema_rs

    dialect_of(document, label)
    try:
        jsonschema_rs.meta.validate(document)
    except ValueError as error:
        path = getattr(error, "instance_path", ())
        place = visible("".join(f"/{part}" for part in path)) or "its root"
        raise SchemaError(
            f"the value at {shorten(place, 200)} is not one that JSON Schema allows", where=label
        ) from None
    return document
