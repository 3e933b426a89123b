"""The step summary: a report as Markdown on the page of a workflow run.

Whatever comes from a document stands in a code span (CommonMark section 6.1), where no markup,
HTML, mention, reference or address has a meaning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from manni.base.text import count, shorten, visible
from manni.model.findings import Detail, FileResult, Report, Severity, Span, Summary
from manni.reports.entries import Entry, entries, percent_encoded, suppressed
from manni.reports.pretty import summary_line
from manni.rules.advice import explain

MAX_BYTES = 1024 * 1024
"""Bytes of a step summary above which GitHub refuses it."""

_RESERVE = 2_000
_MESSAGE_LIMIT = 1_000
_NAME_LIMIT = 300
_TABLE_ROWS = 200
_TICKS = re.compile("`+")
_SERVER = re.compile(r"https?://[A-Za-z0-9._~:/-]+")
_REVISION = re.compile(r"[0-9A-Za-z._-]+")
_ICONS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.NOTICE: "ℹ️"}


def render(report: Report, *, notices: Sequence[str] = ()) -> str:
    """The report as GitHub-flavoured Markdown of at most `MAX_BYTES` bytes.

    Args:
        report: what is reported.
        notices: sentences of other reports that their readers should know, such as what a ceiling
            made a SARIF log leave out.
    """
    head = "".join(f"{line}\n" for line in _head(report, notices))
    if report.failure is not None:
        return head
    found, ignored = list(entries(report)), list(suppressed(report))
    if not found and not ignored:
        return head
    items = chain(_items(report, found), _ignored(report, ignored))
    table = _table(found) if found else ""
    return _within(head + table, items, len(found) + len(ignored), report)


def _within(head: str, items: Iterable[str], total: int, report: Report) -> str:
    """As many of the items as there is room for, and a sentence where there is not for all."""
    kept = [head]
    room = MAX_BYTES - _RESERVE - len(head.encode())
    for number, item in enumerate(items):
        room -= len(item.encode())
        if room < 0:
            noun = "fault" if report.detail is Detail.FAULTS else "finding"
            kept.append(
                f"\n{count(total - number, f'more {noun}')} did not fit: a step summary holds at "
                f"most 1 MiB.{_elsewhere(report)}\n"
            )
            break
        kept.append(item)
    return "".join(kept)


def _elsewhere(report: Report) -> str:
    if not report.report_files:
        return ""
    names = ", ".join(_code(name, _NAME_LIMIT) for name in report.report_files[:5])
    return f" All are in {names}."


def _head(report: Report, notices: Sequence[str]) -> Iterator[str]:
    yield "## manni"
    yield ""
    if report.failure is not None:
        yield f"{_ICONS[Severity.ERROR]} **No verdict:** {_code(report.failure)}"
    else:
        yield f"{_icon(report.summary)} {_counts(report.summary)}"
    said = [*report.notes, *notices][:50]
    if said:
        yield ""
    for note in said:
        yield f"> {_code(note)}  "


def _icon(summary: Summary) -> str:
    if summary.errors:
        return _ICONS[Severity.ERROR]
    return _ICONS[Severity.WARNING] if summary.warnings else "✅"


def _counts(summary: Summary) -> str:
    checked, _, others = summary_line(summary).partition(", ")
    return f"**{checked}**, {others}"


def _table(found: Iterable[Entry]) -> str:
    """How many faults each schema found in each collection."""
    cells: dict[tuple[str, str], Counter[Severity]] = {}
    for entry in found:
        key = (entry.result.collection or "", entry.finding.schema)
        cells.setdefault(key, Counter())[entry.severity] += 1
    rows = sorted(cells.items())
    lines = ["", "| Collection | Schema | Errors | Warnings | Notices |", "|---|---|--:|--:|--:|"]
    for (collection, schema), numbers in rows[:_TABLE_ROWS]:
        names = f"{_cell(collection) if collection else ''} | {_cell(schema)}"
        figures = " | ".join(str(numbers[severity]) for severity in Severity)
        lines.append(f"| {names} | {figures} |")
    if len(rows) > _TABLE_ROWS:
        lines.append("")
        lines.append(f"{len(rows) - _TABLE_ROWS} more rows are left out.")
    return "".join(f"{line}\n" for line in lines)


def _items(report: Report, found: Iterable[Entry]) -> Iterator[str]:
    """The entries file by file, those with errors first; a file's first one brings the heading."""
    by_file: dict[int, list[Entry]] = {}
    for entry in found:
        by_file.setdefault(id(entry.result), []).append(entry)
    blob = _blob(report)
    worst = sorted(by_file.values(), key=lambda group: min(each.severity.rank for each in group))
    for group in worst:
        heading = f"\n### {_file(group[0].result, blob)}\n\n"
        first, *others = (f"- {_item(entry, blob)}\n" for entry in group)
        yield heading + first
        yield from others


def _ignored(report: Report, found: Iterable[Entry]) -> Iterator[str]:
    """The findings that comments in artifacts take out, with their reasons."""
    blob = _blob(report)
    heading = "\n### Ignored by comments\n\n"
    for entry in found:
        name = _file(entry.result, blob)
        why = f" Reason: {_code(entry.suppressed)}" if entry.suppressed else " No reason is given."
        yield f"{heading}- {name} {_item(entry, blob)}{why}\n"
        heading = ""


def _blob(report: Report) -> str | None:
    """The address that the repository's files are at, as of the commit."""
    url, revision = report.repository.url, report.repository.revision
    if url is None or revision is None:
        return None
    if not _SERVER.fullmatch(url) or not _REVISION.fullmatch(revision):
        return None
    return f"{url.rstrip('/')}/blob/{revision}"


def _file(result: FileResult, blob: str | None) -> str:
    return _link(_code(result.label, _NAME_LIMIT), blob, result.root_path, None)


def _item(entry: Entry, blob: str | None) -> str:
    finding, span = entry.finding, entry.span
    where = f"line {span.line}" if span else "the file"
    if entry.manifest is not None:
        where = f"{_code(entry.manifest, _NAME_LIMIT)}, {where}"
    parts = (
        _ICONS[entry.severity],
        _link(where, blob, entry.path, span),
        _code(finding.pointer or "(root)", _NAME_LIMIT),
        _code(explain(entry.fault)),
        _code(finding.schema, _NAME_LIMIT),
    )
    return " ".join(parts)


def _link(text: str, blob: str | None, path: str | None, span: Span | None) -> str:
    """The text as a link to the lines, in the view of the file that has line numbers."""
    if blob is None or path is None:
        return text
    lines = ""
    if span is not None:
        lines = f"#L{span.line}" + (f"-L{span.end_line}" if span.end_line > span.line else "")
    return f"[{text}]({blob}/{percent_encoded(path)}?plain=1{lines})"


def _cell(text: str) -> str:
    """A code span in a table; a bar would end the cell even there, so a broken one stands in."""
    return _code(text.replace("|", "¦"), _NAME_LIMIT)


def _code(text: str, limit: int = _MESSAGE_LIMIT) -> str:
    """The text as a code span, on one line, whatever backticks are in it."""
    shown = shorten(visible(text), limit)
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(shown)), default=0))
    pad = " " if len(ticks) > 1 or not shown.strip() or shown != shown.strip() else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"
