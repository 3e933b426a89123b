"""Schemas without a store, and positions that tests can read."""

from __future__ import annotations

from typing import Any

from manni.base.errors import SchemaError
from manni.model.findings import Place, Span


class Source:
    """A schema, and others that it may refer to by URI."""

    def __init__(
        self,
        document: Any,
        others: dict[str, Any] | None = None,
        *,
        reference: str = "test.json",
        base_uri: str = "",
    ) -> None:
        self.reference = reference
        self.document = document
        self.base_uri = base_uri
        self._others = others or {}

    def retrieve(self, uri: str) -> Any:
        if uri not in self._others:
            raise SchemaError("there is none", where=uri)
        return self._others[uri]


class Locator:
    """Places everything at its pointer."""

    def place(self, pointer: str) -> Place:
        return Place(Span(1, 1, 1, 1), pointer)

    def identity(self, pointer: str) -> str:
        return f"id:{pointer}"
