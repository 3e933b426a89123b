"""Comments that take findings out: `# manni: ignore[rule, ...] reason`, and `ignore-file`.

On a line of its own a comment is for the key or item that comes next, behind a value for that
value, and `ignore-file` is for the whole artifact. What it names are selectors, as in `choices`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from manni.base.text import shorten, visible
from manni.documents.comments import comments
from manni.documents.document import Document
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

MAX_COMMENTS = 200
"""How many of them count in one artifact."""

MAX_NAMES = 50
"""How many rules one of them may name."""

UNUSED = "unused-ignore"
"""The keyword of the rule about comments that take nothing out."""

_COMMENT = re.compile(
    r"#[ \t]*manni:[ \t]*ignore(?P<file>-file)?(?![\w-])[ \t]*"
    r"(?:\[(?P<names>[^\]]*)\])?(?P<reason>.*)"
)
_REASON_LIMIT = 1000
_SHOWN = 200

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
    lines = Lines(document.block, document.first_line)
    read = (_read(lines, metadata, *extent) for extent in comments(document))
    return tuple(islice(filter(None, read), MAX_COMMENTS))


def _read(lines: Lines, metadata: Metadata, start: int, end: int) -> Ignore | None:
    found = _COMMENT.fullmatch(lines.text, start, end)
    if found is None:
        return None
    row = lines.row(start)
    span = lines.span(start, end)
    before = lines.text[lines.start(row) : start].rstrip(" \t")
    behind = lines.start(row) + len(before)
    # Without a value before it, the whole line goes.
    removal = lines.span(behind, end) if before else Span(span.line, 1, span.line + 1, 1)
    names = filter(None, map(str.strip, (found["names"] or "").split(",")))
    within = _EVERYWHERE
    if not found["file"]:
        value = _value(lines, metadata, start, behind if before else None)
        within = _NOWHERE if value is None else _extent(lines, value)
    return Ignore(
        tuple(islice(dict.fromkeys(names), MAX_NAMES)),
        shorten(found["reason"].strip(" \t:-"), _REASON_LIMIT),
        span,
        within,
        removal,
        lines.span(*found.span("names")) if found["names"] else None,
    )


def _value(lines: Lines, metadata: Metadata, start: int, behind: int | None) -> SourceMap | None:
    """What a comment is for.

    Args:
        lines: of the block.
        metadata: of it.
        start: the offset of the comment.
        behind: the offset at which the text before it on its line ends; None without any.
    """
    if behind is None:
        later = (value for value in metadata.maps() if value.start > start)
        return min(later, key=lambda value: value.start, default=None)
    ends = {behind, len(lines.text[:behind].rstrip(", \t"))}
    begin = lines.start(lines.row(start))
    values = [value for value in metadata.maps() if value.start < start]
    ended = [value for value in values if value.end in ends]
    # A block ends where its last value does: the innermost is what stands there.
    inner = ended or [value for value in values if value.start >= begin]
    return max(reversed(inner), key=lambda value: value.start, default=None)


def _extent(lines: Lines, value: SourceMap) -> tuple[_Position, _Position]:
    first, last = value.start, value.reach_of_end()
    start, end = lines.span(first, first), lines.span(last, last)
    return (start.line, start.column), (end.line, end.column)


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

    What is known only when all artifacts are seen is nobody's fault here.
    """
    for ignore in found:
        names = [
            name
            for name in ignore.names
            if (ignore, name) not in used and not name.startswith("external:")
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
