"""Schemas without a store, and positions that tests can read."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

from manni.base.errors import SchemaError
from manni.model.findings import Place, SchemaInfo, Span
from manni.schemas.references import References
from manni.schemas.store import Schema


def source(
    document: Any,
    others: dict[str, Any] | None = None,
    *,
    reference: str = "test.json",
    base_uri: str = "",
) -> Schema:
    """A schema, and others that it may refer to by URI."""

    def named(uri: str) -> tuple[Any, str] | None:
        return (others[uri], uri) if others and uri in others else None

    def beside(path: Path) -> NoReturn:
        raise SchemaError("there is none", where=str(path))

    info = SchemaInfo(reference=reference)
    references = References(named, beside)
    return Schema(reference, base_uri, document, base_uri, info, references=references)


class Locator:
    """Places everything at its pointer."""

    def place(self, pointer: str) -> Place:
        return Place(Span(1, 1, 1, 1), pointer)

    def identity(self, pointer: str) -> str:
        return f"id:{pointer}"
