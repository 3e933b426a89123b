"""The places of keys and values in the front matter of one document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from manni.documents.lines import Lines
from manni.model.findings import Locator, Place, Span

if TYPE_CHECKING:
    from manni.documents.document import Document
    from manni.documents.load import Metadata
    from manni.documents.source_map import Extent


class DocumentSources:
    """Where keys and values of one document stand, without each other, and the text there.

    Args:
        document: the artifact, cut at its fences.
        metadata: what its front matter holds.
        locator: of all its metadata, where manifests add some.
    """

    __slots__ = ("_lines", "_locator", "_metadata", "_text")

    def __init__(
        self, document: Document, metadata: Metadata, locator: Locator | None = None
    ) -> None:
        self._metadata = metadata
        self._locator = locator or metadata
        self._lines = Lines(document.block, document.first_line)
        self._text = Lines(document.head)

    def place(self, pointer: str) -> Place:
        """See `Locator`."""
        return self._locator.place(pointer)

    def identity(self, pointer: str) -> str:
        """See `Locator`."""
        return self._locator.identity(pointer)

    def key_span(self, pointer: str) -> Span | None:
        """Where the key of the mapping member at `pointer` stands; None where nothing is known."""
        parts = self._metadata.parts(pointer)
        return self._span(parts.key) if parts and parts.key else None

    def value_span(self, pointer: str) -> Span | None:
        """Where the value itself stands, without its key; None where nothing is known."""
        parts = self._metadata.parts(pointer)
        return self._span(parts.value) if parts else None

    def source(self, span: Span) -> str:
        """The text of a span of the file: 1-based lines and columns in code points."""
        start = self._text.start(span.line - 1) + span.column - 1
        end = self._text.start(span.end_line - 1) + span.end_column - 1
        return self._text.text[start:end]

    def _span(self, extent: Extent) -> Span:
        start, end = (self._lines.span(offset, offset) for offset in extent)
        return Span(start.line, start.column, end.line, end.column)
