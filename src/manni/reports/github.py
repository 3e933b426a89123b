"""Workflow commands: annotations on the lines of a pull request.

GitHub shows ten errors, ten warnings and ten notices a step and drops the rest without a word, so
the ten that matter most are chosen here, and the last notice counts the rest.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from manni.base.text import count, shorten, visible
from manni.model.findings import Report, Severity
from manni.reports.code_frame import fix_label, fix_lines
from manni.reports.entries import STDIN, Entry, entries
from manni.rules.advice import explain
from manni.rules.registry import title

SHOWN_PER_SEVERITY = 10
"""How many annotations of each severity GitHub shows a step."""

_MESSAGE_LIMIT = 3000
_TITLE_LIMIT = 250
_FIX_LIMIT = 200
_FIX_LINES = 4
_LINE = re.compile(r"[^\r\n]+")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def render(report: Report) -> str:
    """The workflow commands, one a line: at most ten of each severity, the closing notice included.

    A run without a verdict is one error that says why.
    """
    if report.failure is not None:
        return command("error", title="manni", message=_message(report.failure)) + "\n"
    found = list(entries(report))
    shown = _chosen(found)
    lines = [_annotation(entry) for entry in shown]
    if len(shown) < len(found):
        lines.append(_closing(report, found, shown))
    return "".join(f"{line}\n" for line in lines)


def omitted(report: Report) -> int:
    """How many entries `render` leaves to the other reports."""
    if report.failure is not None:
        return 0
    found = list(entries(report))
    return len(found) - len(_chosen(found))


def command(
    level: str,
    *,
    file: str | None = None,
    line: int | None = None,
    end_line: int | None = None,
    col: int | None = None,
    end_column: int | None = None,
    title: str | None = None,
    message: str = "",
) -> str:
    """One workflow command, escaped so that nothing in it can end it or start another.

    Args:
        level: `error`, `warning` or `notice`.
        file: the path from the repository root.
        line: the first line, 1-based.
        end_line: the last line, 1-based.
        col: the first column, 1-based; GitHub reads it where the annotation is on one line.
        end_column: the column after the last.
        title: the heading.
        message: the text, which may have several lines.
    """
    given = {
        "file": file,
        "line": line,
        "endLine": end_line,
        "col": col,
        "endColumn": end_column,
        "title": title,
    }
    properties = ",".join(
        f"{name}={escape_property(str(value))}"
        for name, value in given.items()
        if value is not None
    )
    return f"::{level}{' ' if properties else ''}{properties}::{escape_data(message)}"


def escape_data(text: str) -> str:
    """The text as a command's message: `%`, CR and LF percent-encoded, encodable as UTF-8."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return _LONE_SURROGATE.sub(lambda match: visible(match.group()), text)


def escape_property(text: str) -> str:
    """The text as the value of a command's property: `:` and `,` percent-encoded too."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")


def _annotation(entry: Entry) -> str:
    finding, span = entry.finding, entry.span
    where = visible(finding.pointer) or "(root)"
    said = f"[{visible(finding.schema)}] {where} {explain(entry.fault)}"
    file = _file(entry)
    if file is None:
        said = f"{entry.result.label}: {said}"
    one_line = span is not None and span.line == span.end_line
    cure = _cure(entry)
    return command(
        finding.severity.value,
        file=file,
        line=span.line if span and file else None,
        end_line=span.end_line if span and file else None,
        col=span.column if span and file and one_line else None,
        end_column=span.end_column if span and file and one_line else None,
        title=shorten(visible(title(finding)), _TITLE_LIMIT),
        message="\n".join([_message(said), *cure]),
    )


def _cure(entry: Entry) -> list[str]:
    """What the fix puts there, as lines to copy; the texts alone where nothing is quoted."""
    fix = entry.finding.fix
    if fix is None:
        return []
    lines = fix_lines(fix, entry.result.source)
    new = [line for sign, line in lines if sign != "-"] or [
        shorten(visible(edit.text), _FIX_LIMIT) for edit in fix.edits if edit.text.strip()
    ]
    return [shorten(f"{fix_label(fix)}{':' if new else ''}", _FIX_LIMIT), *new[:_FIX_LINES]]


def _file(entry: Entry) -> str | None:
    """The path that GitHub looks for, exact but for characters that no log should show."""
    path = entry.path
    if path is None:
        path = None if entry.result.label == STDIN else entry.result.label
    return None if path is None else _LINE.sub(lambda match: visible(match.group()), path)


def _message(text: str) -> str:
    return shorten(visible(text), _MESSAGE_LIMIT)


def _chosen(found: Sequence[Entry]) -> list[Entry]:
    """The entries shown: worst first, and one a file before the second of any."""
    by_severity: dict[Severity, list[Entry]] = {severity: [] for severity in Severity}
    for entry in found:
        by_severity[entry.severity].append(entry)
    room = dict.fromkeys(Severity, SHOWN_PER_SEVERITY)
    if any(len(group) > SHOWN_PER_SEVERITY for group in by_severity.values()):
        room[Severity.NOTICE] -= 1
    return [
        entry
        for severity, group in by_severity.items()
        for entry in _spread(group)[: room[severity]]
    ]


def _spread(group: Iterable[Entry]) -> list[Entry]:
    """The entries in rounds over the files: the first of each, the second of each, and so on."""
    rounds: defaultdict[int, list[Entry]] = defaultdict(list)
    met: Counter[str] = Counter()
    for entry in group:
        rounds[met[entry.result.label]].append(entry)
        met[entry.result.label] += 1
    return [entry for _, round_ in sorted(rounds.items()) for entry in round_]


def _closing(report: Report, found: Sequence[Entry], shown: Sequence[Entry]) -> str:
    left = Counter(entry.severity for entry in found)
    left.subtract(entry.severity for entry in shown)
    counts = [count(left[each], f"more {each.value}") for each in Severity if left[each]]
    total = sum(left.values())
    verb = "is" if total == 1 else "are"
    said = (
        f"{_listed(counts)} {verb} not shown here, because GitHub shows at most "
        f"{SHOWN_PER_SEVERITY} of each kind a step; {_whereabouts(report)}"
    )
    return command("notice", title="manni", message=_message(said))


def _whereabouts(report: Report) -> str:
    if report.report_files:
        return f"the complete list is in {_listed(report.report_files)}."
    return "write the complete list to a file with -f json -o FILE."


def _listed(items: Sequence[str]) -> str:
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last
