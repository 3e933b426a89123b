"""Faults of a document and of its block, and the findings they become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from manni.base.text import shorten, visible
from manni.model.findings import PARSE_SCHEMA, Finding, Fix, Place, Related, Span

if TYPE_CHECKING:
    from manni.documents.lines import Lines

DEEP = "lists and mappings nest deeper than 100 levels here; flatten them"


class DocumentFault(Exception):  # noqa: N818 - it is a fault of the document
    """A document that cannot be read; `finding` says where and why.

    The finding has the schema `(parse)` and the keyword `parse`.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding

    def __reduce__(self) -> tuple[type[DocumentFault], tuple[Finding]]:
        """Faults cross process borders with their finding."""
        return (DocumentFault, (self.finding,))


class BlockFault(ValueError):  # noqa: N818 - it is a fault of the document
    """A block that is no metadata.

    Attributes:
        message: the sentence for its author.
        start: the 0-based offset in the block where the fault starts.
        end: the offset where it ends.
        first: the offset of an earlier place that explains it; None when there is none.
    """

    def __init__(self, message: str, start: int, end: int, *, first: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end
        self.first = first


class DuplicateKey(BlockFault):
    """A key that is set twice.

    Attributes:
        name: the key.
        first: the offset of the first one.
    """

    def __init__(self, name: str, first: int, start: int, end: int) -> None:
        super().__init__("a key is set twice", start, end, first=first)
        self.name = name


def show(text: str) -> str:
    """A piece of the document in quotes, safe and short enough to stand in a message."""
    return f'"{shorten(visible(shorten(text, 80)), 40)}"'


def parse_fault(message: str, span: Span | None = None) -> DocumentFault:
    """A fault with one parse finding that points at `span`."""
    place = Place(span) if span else None
    return DocumentFault(Finding(PARSE_SCHEMA, "parse", message, place=place))


def of_block(lines: Lines, fault: BlockFault, fix: Fix | None = None) -> DocumentFault:
    """The one finding of a block that cannot be read.

    It points at the fault, or at one character where its offsets are equal. A duplicate key names
    both of its lines.

    Args:
        lines: the block.
        fault: what is wrong with it.
        fix: an edit that mends it.
    """
    message = fault.message
    related: tuple[Related, ...] = ()
    if fault.first is not None:
        if isinstance(fault, DuplicateKey):
            message = _twice(fault.name, lines.number(fault.first), lines.number(fault.start))
        span = lines.span(fault.first, lines.end(lines.row(fault.first)))
        related = (Related(span, "it starts here"),)
    place = Place(lines.span(fault.start, max(fault.end, fault.start + 1)))
    return DocumentFault(
        Finding(PARSE_SCHEMA, "parse", message, place=place, related=related, fix=fix)
    )


def _twice(name: str, one: int, two: int) -> str:
    where = f"on lines {one} and {two}" if one != two else f"twice on line {one}"
    return f"the key {show(name)} is set {where}; keep one of them"
