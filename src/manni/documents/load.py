"""From a document to its metadata: JSON values, and a position for each.

Whatever the language of the front matter, what leaves this module are the values of JSON, so that
nothing later knows the format. Positions are worked out when they are asked for: most documents
never are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from manni.base.json_types import Json
from manni.documents.front_matter import Document, Format
from manni.documents.lines import Lines
from manni.documents.source_map import Extent, Mark, Metadata
from manni.model.findings import Span

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Json", "Metadata", "load"]


def load(document: Document) -> Metadata:
    """The metadata of a document; empty when it has no front matter.

    Raises:
        DocumentFault: the front matter cannot be read; its one finding says where and why.
    """
    format_ = document.format
    if format_ is None:
        return Metadata({}, root=Span(1, 1, 1, 1))
    if format_ is _YAML:
        return _load_yaml(document)
    return _load_toml(document) if format_ is _TOML else _load_json(document)


_YAML, _TOML = Format.YAML, Format.TOML


def _load_yaml(document: Document) -> Metadata:
    from manni.documents.yaml.reader import UNREADABLE, read_marked

    lines = Lines(document.block, document.first_line)
    try:
        value, positions = read_marked(document.block)
    except UNREADABLE as error:
        from manni.documents.yaml.diagnosis import diagnose

        raise diagnose(lines, error) from error
    if value is None:
        value = {}
    if not isinstance(value, dict):
        from manni.documents.yaml.diagnosis import not_a_mapping

        raise not_a_mapping(lines, value, *(positions.root if positions else (0, 0)))
    return Metadata(value, root=_root(document), lines=lines, extents=positions)


def _load_toml(document: Document) -> Metadata:
    from manni.documents.toml import read, read_marked

    return _load_block(document, read, read_marked)


def _load_json(document: Document) -> Metadata:
    from manni.documents.json import read, read_marked

    if not document.block.strip():
        return Metadata({}, root=_root(document))
    return _load_block(document, read, read_marked)


def _load_block(
    document: Document,
    read: Callable[[str], Json],
    read_marked: Callable[[str], tuple[Json, Mark]],
) -> Metadata:
    """The metadata of a block that has a quick reader, and one that knows positions."""
    lines = Lines(document.block, document.first_line)
    marked = _Marked(lines, read_marked)
    try:
        value = read(document.block)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        value = marked.value()  # what the quick reader cannot read, the other one explains
    return Metadata(value, root=_root(document), lines=lines, extents=marked)


class _Marked:
    """A block that is read with its positions when they are first asked for.

    It is a `marks.Extents`. Every method raises a `DocumentFault` when the block is no metadata.
    """

    def __init__(self, lines: Lines, read: Callable[[str], tuple[Json, Mark]]) -> None:
        self._lines = lines
        self._read = read
        self._mark: Mark | None = None

    def parts(self, _tokens: list[str]) -> None:
        """None: see `marks.Extents`."""

    def extent(self, tokens: list[str]) -> Extent | None:
        """See `marks.Extents`."""
        if self._mark is None:
            self.value()
        return self._mark.extent(tokens) if self._mark else None

    def value(self) -> dict[str, Json]:
        """The metadata, which is read now."""
        from manni.documents.faults import BlockFault, finding_at, of_block_fault

        try:
            value, mark = self._read(self._lines.text)
        except BlockFault as fault:
            raise of_block_fault(self._lines, fault) from fault
        if not isinstance(value, dict):
            message = 'JSON front matter is an object, {"key": value}; put the value in one'
            raise finding_at(self._lines, message, mark.start, mark.end)
        self._mark = mark
        return value


def _root(document: Document) -> Span:
    """The root stands for the whole block: its place is the opening fence, which is a line."""
    line = _FIRST_LINE.match(document.head)
    end = line.end() if line else 0
    return _FENCE if end == 3 else Span(1, 1, 1, end + 1)


_FIRST_LINE = re.compile(r"[^\r\n]{0,4096}")
_FENCE = Span(1, 1, 1, 4)
