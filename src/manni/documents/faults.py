"""Faults of a front matter block as offsets, and the findings they become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from manni.base.text import shorten, visible
from manni.documents.front_matter import DocumentFault
from manni.model.findings import PARSE_SCHEMA, Finding, Fix, Place, Related

if TYPE_CHECKING:
    from manni.documents.lines import Lines

DEEP = "lists and mappings nest deeper than 100 levels here; flatten them"


class BlockFault(ValueError):  # noqa: N818 - it is a fault of the document
    """A block that is no metadata.

    Attributes:
        message: the sentence for its author.
        start: the offset where the fault starts.
        end: the offset where it ends.
    """

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end


class DuplicateKey(BlockFault):
    """A key that is set twice.

    Attributes:
        name: the key.
        first: the offset of the first one.
    """

    def __init__(self, name: str, first: int, start: int, end: int) -> None:
        super().__init__("a key is set twice", start, end)
        self.name = name
        self.first = first


def show(text: str) -> str:
    """A piece of the document in quotes, safe and short enough to stand in a message."""
    return f'"{shorten(visible(shorten(text, 80)), 40)}"'


def finding_at(
    lines: Lines,
    message: str,
    start: int,
    end: int,
    *,
    first: int | None = None,
    fix: Fix | None = None,
) -> DocumentFault:
    """The one finding of a block that cannot be read.

    It points between two offsets, or at one character where they are equal; `first` is the offset
    of an earlier place that explains it, and `fix` an edit that mends it.
    """
    related: tuple[Related, ...] = ()
    if first is not None:
        span = lines.span(first, lines.end(lines.row(first)))
        related = (Related(span, "it starts here"),)
    place = Place(lines.span(start, max(end, start + 1)))
    return DocumentFault(
        Finding(PARSE_SCHEMA, "parse", message, place=place, related=related, fix=fix)
    )


def of_block_fault(lines: Lines, fault: BlockFault) -> DocumentFault:
    """The finding of a fault met in a block."""
    if isinstance(fault, DuplicateKey):
        return of_duplicate(lines, fault.name, fault.first, fault.start, fault.end)
    return finding_at(lines, fault.message, fault.start, fault.end)


def of_duplicate(lines: Lines, name: str, first: int, start: int, end: int) -> DocumentFault:
    """The finding of a key that is set twice: it names both lines and points at the second."""
    one, two = lines.number(first), lines.number(start)
    where = f"on lines {one} and {two}" if one != two else f"twice on line {one}"
    message = f"the key {show(name)} is set {where}; keep one of them"
    return finding_at(lines, message, start, end, first=first)
