"""Comments that take findings out: `# manni: ignore[rule, ...] reason`, and `ignore-file`.

On a line of its own a comment is for the key or item that comes next, behind a value for that
value, and `ignore-file` is for the whole artifact. What it names are selectors, as in `choices`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice

from manni.base.text import shorten, visible
from manni.documents.comments import comments
from manni.documents.document import Document, Format
from manni.documents.lines import Lines
from manni.documents.load import Metadata
from manni.documents.source_map import SourceMap
from manni.model.findings import (
    PARSE_SCHEMA,
    TOOL_SCHEMA,
    Edit,
    Fault,
    Finding,
    Fix,
    Place,
    Severity,
    Span,
    Suppressed,
)
from manni.rules.choices import matches

MAX_COMMENTS = 100
"""How many of them count in one artifact."""

MAX_NAMES = 20
"""How many rules one of them may name."""

UNUSED = "unused-ignore"
"""The keyword of the rule about comments that take nothing out."""

_COMMENT = re.compile(
    r"#[ \t]*manni:[ \t]*ignore(?P<file>-file)?(?![\w-])[ \t]*"
    r"(?:\[(?P<names>[^\]]*)\])?(?P<reason>.*)"
)
_REASON_LIMIT = 1000
_NAME_LIMIT = 200
_SHOWN = 200

_LATE = (
    Finding("external:duplicate", "external", ""),
    Finding(TOOL_SCHEMA, "duplicate-name", ""),
    Finding(TOOL_SCHEMA, "unknown-skill", ""),
)

_Position = tuple[int, int]
_EVERYWHERE = ((0, 0), (1 << 60, 0))
_NOWHERE = ((1, 0), (0, 0))


@dataclass(frozen=True, slots=True)
class Ignore:
    """One such comment.

    Attributes:
        names: what it takes out; empty where it names nothing.
        reason: as written, shortened.
        span: of the comment.
        within: the first position, line and column, at which it takes findings out, and the one
            before which the last is.
        removal: what to remove with it.
        listed: where its names stand; None without any.
    """

    names: tuple[str, ...]
    reason: str
    span: Span
    within: tuple[_Position, _Position]
    removal: Span
    listed: Span | None

    def covers(self, finding: Finding) -> bool:
        """Whether a finding is where this comment counts."""
        if self.within is _EVERYWHERE:
            return True
        span = finding.span
        if span is None or finding.manifest is not None:
            return False
        first, last = self.within
        at = (span.line, span.column)
        return at == first or first < at < last


def ignores(document: Document, metadata: Metadata) -> tuple[Ignore, ...]:
    """The comments of a document that take findings out.

    Args:
        document: the artifact.
        metadata: of that document alone.
    """
    reader = _Reader(document, metadata)
    read = (reader.read(*extent) for extent in comments(document))
    return tuple(islice(filter(None, read), MAX_COMMENTS))


class _Reader:
    """Reads the comments of one document, and finds what they are for."""

    def __init__(self, document: Document, metadata: Metadata) -> None:
        self._lines = Lines(document.block, document.first_line)
        self._metadata = metadata
        self._is_toml = document.format is Format.TOML

    def read(self, start: int, end: int) -> Ignore | None:
        """The comment between two offsets; None for one that ignores nothing."""
        lines = self._lines
        found = _COMMENT.fullmatch(lines.text, start, end)
        if found is None:
            return None
        row = lines.row(start)
        span = lines.span(start, end)
        before = lines.text[lines.start(row) : start].rstrip(" \t")
        behind = lines.start(row) + len(before)
        within = _EVERYWHERE
        if not found["file"]:
            value = self._ending(start, behind) if before else self._following(start)
            within = _NOWHERE if value is None else self._extent(value)
        names = filter(None, map(str.strip, (found["names"] or "").split(",")))
        return Ignore(
            tuple(name[:_NAME_LIMIT] for name in islice(dict.fromkeys(names), MAX_NAMES)),
            shorten(found["reason"].strip(), _REASON_LIMIT),
            span,
            within,
            # Without a value before it, the whole line goes.
            lines.span(behind, end) if before else Span(span.line, 1, span.line + 1, 1),
            lines.span(*found.span("names")) if found["names"] else None,
        )

    @cached_property
    def _values(self) -> list[SourceMap]:
        """Every value by its start, those outside before those inside."""
        return sorted(self._metadata.maps(), key=_start)

    @cached_property
    def _by_end(self) -> dict[int, SourceMap]:
        """The innermost value that ends at an offset: a block ends where its last value does."""
        return {value.end: value for value in self._values}

    def _following(self, start: int) -> SourceMap | None:
        """The first key or item behind an offset, as a whole."""
        index = bisect_right(self._values, start, key=_start)
        return self._values[index] if index < len(self._values) else None

    def _ending(self, start: int, behind: int) -> SourceMap | None:
        """The value before a comment, else the last key on its line.

        Args:
            start: the offset of the comment.
            behind: the offset at which the text before it on its line ends.
        """
        lines = self._lines
        begin = lines.start(lines.row(start))
        comma = begin + len(lines.text[begin:behind].rstrip(", \t"))
        value = self._by_end.get(behind) or self._by_end.get(comma)
        if value is not None:
            return value
        index = bisect_left(self._values, start, key=_start) - 1
        last = self._values[index] if index >= 0 else None
        return last if last is not None and last.start >= begin else None

    def _extent(self, value: SourceMap) -> tuple[_Position, _Position]:
        first, last = value.start, value.reach_of_end() if self._is_toml else value.end
        start, end = self._lines.span(first, first), self._lines.span(last, last)
        return (start.line, start.column), (end.line, end.column)


def _start(value: SourceMap) -> int:
    return value.start


def suppress(
    faults: Iterable[Fault], found: Sequence[Ignore]
) -> tuple[tuple[Fault, ...], tuple[Suppressed, ...], set[tuple[Ignore, str]]]:
    """Take out what comments name.

    A comment that names what stands for a mistake takes all of its findings out. Nothing takes a
    parse error out.

    Returns:
        The faults that are left, the findings taken out, and which names of which comments did it.
    """
    left: list[Fault] = []
    out: list[Suppressed] = []
    used: set[tuple[Ignore, str]] = set()
    for fault in faults:
        named = [tuple(_naming(finding, found)) for finding in fault.findings]
        used.update(chain.from_iterable(named))
        if not any(named):
            left.append(fault)
            continue
        whole = named[fault.lead]
        gone = [each or whole for each in named]
        if not all(gone):
            left.append(_rest(fault, gone))
        out += (
            Suppressed(finding, by[0][0].reason)
            for finding, by in zip(fault.findings, gone, strict=True)
            if by
        )
    return tuple(left), tuple(out), used


def _rest(fault: Fault, gone: Sequence[object]) -> Fault:
    """The fault without the findings at the places that hold something; its lead is left."""
    kept = tuple(finding for finding, by in zip(fault.findings, gone, strict=True) if not by)
    return Fault(kept, sum(not by for by in gone[: fault.lead]))


def _naming(finding: Finding, found: Sequence[Ignore]) -> Iterator[tuple[Ignore, str]]:
    if finding.schema == PARSE_SCHEMA and finding.keyword == "parse":
        return
    for ignore in found:
        if ignore.covers(finding):
            yield from ((ignore, name) for name in ignore.names if matches(name, finding))


def unused(found: Sequence[Ignore], used: set[tuple[Ignore, str]]) -> Iterator[Fault]:
    """The faults of comments, and of names in them, that take nothing out.

    Nobody can tell here of rules whose findings only show when all artifacts are seen.
    """
    for ignore in found:
        names = [
            name
            for name in ignore.names
            if (ignore, name) not in used and not any(matches(name, each) for each in _LATE)
        ]
        if names or not ignore.names:
            yield Fault((_unused(ignore, names),))


def _unused(ignore: Ignore, names: Sequence[str]) -> Finding:
    listed = ", ".join(names)
    fix: Fix | None = None
    if not names:
        message = "this comment names no rule, so it ignores nothing; write ignore[rule] reason"
    else:
        shown = shorten(visible(listed), _SHOWN)
        message = f"this comment ignores nothing: there is no finding of {shown} here; remove it"
        left = [name for name in ignore.names if name not in names]
        if not left:
            fix = Fix("Remove the comment", (Edit(ignore.removal, ""),))
        elif ignore.listed is not None:
            fix = Fix("Remove what it does not ignore", (Edit(ignore.listed, ", ".join(left)),))
            message = f"there is no finding of {shown} that this comment could ignore; remove it"
    return Finding(
        TOOL_SCHEMA,
        UNUSED,
        message,
        severity=Severity.WARNING,
        subject=listed or None,
        place=Place(ignore.span),
        identity="",
        fix=fix,
    )
