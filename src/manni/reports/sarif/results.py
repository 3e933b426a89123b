"""One entry as a SARIF result: what is wrong, where, what identifies it, and how to mend it."""

from __future__ import annotations

from collections.abc import Mapping

import sarif_om as om

from manni.base.text import shorten, visible
from manni.model.findings import (
    Edit,
    FileResult,
    Finding,
    Fix,
    Related,
    Severity,
    SourceExcerpt,
    Span,
)
from manni.reports.entries import Entry, percent_encoded
from manni.reports.fingerprints import fingerprint
from manni.rules.advice import explain

ROOT = "%SRCROOT%"
"""The base that every path is relative to: the root of the repository."""

LEVELS: Mapping[Severity, str] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTICE: "note",
}

MESSAGE_ID = "default"
MESSAGE_TEMPLATE = "'{0}' finds at '{1}': '{2}'."
"""The text of any result for readers that go by its arguments: schema, pointer, what is wrong."""

_TEXT_LIMIT = 2000
_POINTER_LIMIT = 500
_SNIPPET_LIMIT = 1000
_CONTEXT_LIMIT = 2000
_CONTEXT_LINES = 2
_NOT_QUOTED = "Not quoted: only short pieces of front matter are."
_START = Span(1, 1, 1, 1)

Lines = tuple[str, ...]
"""The lines that may be quoted, without line ends."""


def result(entry: Entry, path: str, rule_index: int) -> om.Result:
    """The result of an entry.

    Args:
        entry: what is reported.
        path: the file, from the repository root.
        rule_index: of the entry's rule among the driver's.
    """
    finding = entry.finding
    location = artifact(path)
    source = entry.result.source if finding.manifest is None else SourceExcerpt()
    lines = source.lines
    span = entry.span or _START
    return om.Result(
        rule_id=finding.rule_id,
        rule_index=rule_index,
        level=LEVELS[finding.severity],
        message=_message(entry),
        locations=[om.Location(physical_location=_physical(location, span, lines))],
        related_locations=[
            _related(number, related, location, lines)
            for number, related in enumerate(finding.related, start=1)
        ]
        or None,
        partial_fingerprints=_fingerprints(finding, span, source),
        fixes=[_fix(finding.fix, location)] if finding.fix else None,
        properties=_properties(finding, entry.result),
        suppressions=None if entry.suppressed is None else [_suppression(entry.suppressed)],
    )


def artifact(path: str) -> om.ArtifactLocation:
    """The location of a file, by its path from the repository root."""
    return om.ArtifactLocation(uri=percent_encoded(path), uri_base_id=ROOT)


def sentence(text: str) -> str:
    """The text on one line, with a full stop, and without anything that reads as a link."""
    text = shorten(visible(text), _TEXT_LIMIT).replace("](", "] (").rstrip(". ")
    return text if text.endswith(("?", "!")) else f"{text}."


def _message(entry: Entry) -> om.Message:
    finding = entry.finding
    schema = shorten(visible(finding.schema), _POINTER_LIMIT)
    pointer = shorten(visible(finding.pointer), _POINTER_LIMIT) or "(root)"
    said = sentence(explain(entry.fault))
    text = f"[{schema}] {pointer} {said}".replace("](", "] (")
    for number, related in enumerate(finding.related, start=1):
        text += f" See [line {related.span.line}]({number})."
    return om.Message(text=text, id=MESSAGE_ID, arguments=[schema, pointer, said.rstrip(".")])


def _physical(location: om.ArtifactLocation, span: Span, source: Lines) -> om.PhysicalLocation:
    return om.PhysicalLocation(
        artifact_location=location,
        region=_region(span, source),
        context_region=_context(span, source),
    )


def _region(span: Span, source: Lines) -> om.Region:
    return om.Region(
        start_line=span.line,
        start_column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        snippet=_content(_quote(span, source)),
    )


def _content(text: str | None) -> om.ArtifactContent:
    """The text of a region, or a word about why it is not there."""
    if text is None:
        return om.ArtifactContent(rendered=om.MultiformatMessageString(text=_NOT_QUOTED))
    return om.ArtifactContent(text=text)


def _quote(span: Span, source: Lines) -> str | None:
    """What the span holds, or None when it is not wholly front matter, or too long to quote."""
    if (span.line, span.column) == (span.end_line, span.end_column):
        return ""
    if span.end_line > len(source):
        return None
    lines = source[span.line - 1 : span.end_line]
    if span.line == span.end_line:
        if span.end_column - span.column > _SNIPPET_LIMIT:
            return None
        return lines[0][span.column - 1 : span.end_column - 1]
    if sum(map(len, lines)) > _SNIPPET_LIMIT:
        return None
    inner = [lines[0][span.column - 1 :], *lines[1:-1], lines[-1][: span.end_column - 1]]
    return "\n".join(inner)


def _context(span: Span, source: Lines) -> om.Region:
    """The lines around the span; they are quoted where all of them are front matter."""
    quotable = span.end_line <= len(source)
    first = max(1, span.line - _CONTEXT_LINES) if quotable else span.line
    last = min(len(source), span.end_line + _CONTEXT_LINES) if quotable else span.end_line
    lines = source[first - 1 : last] if quotable else ()
    if not lines or sum(map(len, lines)) > _CONTEXT_LIMIT:
        return om.Region(start_line=first, end_line=last, snippet=_content(None))
    return om.Region(
        start_line=first,
        start_column=1,
        end_line=last,
        end_column=len(lines[-1]) + 1,
        snippet=_content("\n".join(lines)),
    )


def _related(
    number: int, related: Related, location: om.ArtifactLocation, lines: Lines
) -> om.Location:
    return om.Location(
        id=number,
        message=om.Message(text=sentence(related.message)),
        physical_location=_physical(location, related.span, lines),
    )


def _fingerprints(finding: Finding, span: Span, source: SourceExcerpt) -> dict[str, str]:
    found = {"manniFinding/v1": fingerprint(finding)}
    if (line_hash := source.line_hashes.get(span.line)) is not None:
        found["primaryLocationLineHash"] = line_hash
    return found


def _fix(fix: Fix, location: om.ArtifactLocation) -> om.Fix:
    replacements = [_replacement(edit) for edit in fix.edits]
    said = fix.description if fix.safe else f"{fix.description} (a guess)"
    return om.Fix(
        description=om.Message(text=sentence(said)),
        artifact_changes=[om.ArtifactChange(artifact_location=location, replacements=replacements)],
    )


def _replacement(edit: Edit) -> om.Replacement:
    span = edit.span
    deleted = om.Region(
        start_line=span.line,
        start_column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
    )
    return om.Replacement(
        deleted_region=deleted, inserted_content=om.ArtifactContent(text=edit.text)
    )


def _suppression(reason: str) -> dict[str, str]:
    """A suppression (SARIF 2.1.0 section 3.35); the library's own class misnames a member."""
    found = {"kind": "inSource", "status": "accepted"}
    return found | ({"justification": shorten(visible(reason), _TEXT_LIMIT)} if reason else {})


def _properties(finding: Finding, file: FileResult) -> dict[str, str | None]:
    return {
        "schema": finding.schema,
        "instancePath": shorten(finding.pointer, _TEXT_LIMIT),
        "keyword": finding.keyword,
        "collection": file.collection,
    }
