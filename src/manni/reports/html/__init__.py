"""One page for a browser, complete in itself: totals, filters, each finding with its source.

The page asks for nothing from elsewhere, and its content security policy lets nothing but its own
style and script act. All text is escaped.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from manni.base.text import visible
from manni.model.findings import Fix, Report, Severity, SourceExcerpt, Span
from manni.reports.code_frame import code_frame, fix_label, fix_lines
from manni.reports.entries import Entry, entries
from manni.reports.pretty import summary_line
from manni.rules.advice import advice
from manni.rules.registry import describe

_FILTERS = ("severity", "rule", "file")


def render(report: Report) -> str:
    """The report as a page; see `pieces`."""
    return "".join(pieces(report))


def pieces(report: Report) -> Iterator[str]:
    """The page: its head with the filters, a piece for each finding, and its end.

    A run without a verdict has no findings, and the page says why.
    """
    found = list(entries(report)) if report.failure is None else []
    style, script = (_own(name) for name in ("page.css", "page.js"))
    policy = (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<link rel="icon" href="data:,">\n'
        f"<title>manni</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )
    yield from _head(report)
    choices = [_choices(each) for each in found]
    if found:
        yield _form(choices)
    numbers = {name: _numbers(each[name] for each in choices) for name in _FILTERS}
    open_file: str | None = None
    for entry, chosen in zip(found, choices, strict=True):
        if chosen["file"] != open_file:
            yield "</section>\n" if open_file is not None else ""
            open_file = chosen["file"]
            yield f'<section class="file">\n<h2>{_text(open_file)}</h2>\n'
        data = " ".join(f'data-{name}="{numbers[name][chosen[name]]}"' for name in _FILTERS)
        yield f'<article class="finding" {data}>\n{_entry(entry)}</article>\n'
    yield "</section>\n" if found else ""
    yield f"<script>{script}</script>\n</body>\n</html>\n"


def _own(name: str) -> str:
    return f"\n{Path(__file__).with_name(name).read_text(encoding='utf-8')}"


def _source(text: str) -> str:
    """The element with this text, as a content security policy names it (CSP level 3, 2.3.1)."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _text(text: str) -> str:
    return escape(visible(text))


def _head(report: Report) -> Iterator[str]:
    yield "<header>\n<h1>manni</h1>\n"
    if report.failure is not None:
        yield f'<p class="failure">No verdict: {_text(report.failure)}</p>\n'
    else:
        yield f'<p class="totals">{_text(summary_line(report.summary))}</p>\n'
    yield "".join(f'<p class="note">{_text(note)}</p>\n' for note in report.notes)
    yield "</header>\n"


def _choices(entry: Entry) -> dict[str, str]:
    """What the filters go by."""
    return {
        "severity": entry.severity.value,
        "rule": entry.finding.rule_id,
        "file": entry.result.label,
    }


def _numbers(names: Iterable[str]) -> dict[str, int]:
    """A number for each name, by which the script knows it: no text is ever markup or code."""
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _form(choices: list[dict[str, str]]) -> str:
    fields = "".join(_field(name, [each[name] for each in choices]) for name in _FILTERS)
    return (
        f'<form id="filters" hidden>\n{fields}<button type="reset">Show all</button>\n'
        f'<output id="shown">{len(choices)} of {len(choices)} shown</output>\n</form>\n'
    )


def _field(name: str, values: list[str]) -> str:
    counts = Counter(values)
    order = list(counts) if name == "file" else sorted(counts, key=lambda each: -counts[each])
    numbers = _numbers(values)
    options = "".join(
        f'<option value="{numbers[each]}">{_text(each)} ({counts[each]})</option>\n'
        for each in order
    )
    return (
        f'<label>{name.capitalize()} <select name="{name}" autocomplete="off">\n'
        f'<option value="">all</option>\n{options}</select></label>\n'
    )


def _entry(entry: Entry) -> str:
    finding, severity = entry.finding, entry.severity.value
    rule = describe(finding.schema, finding.keyword)
    source = entry.result.source if finding.manifest is None else SourceExcerpt()
    head = f'<span class="{severity}">{severity}</span> <code>{_text(finding.pointer or "(root)")}'
    link = f'<a href="{escape(rule.uri)}" rel="noopener noreferrer">{_text(finding.rule_id)}</a>'
    parts = [
        f"<h3>{head}</code> {_text(finding.message)}</h3>\n",
        f'<p class="place">{_place(entry)} {link}</p>\n',
        _pre("frame", _frame(finding.span, source, entry.severity)),
    ]
    if said := advice(entry.fault):
        parts.append(f'<p class="help">help: {_text(said)}</p>\n')
    if finding.fix is not None:
        parts.append(f'<p class="help">{_text(fix_label(finding.fix))}</p>\n')
        parts.append(_pre("fix", _fix(finding.fix, source)))
    return "".join(parts)


def _place(entry: Entry) -> str:
    finding = entry.finding
    file = entry.result.label if finding.manifest is None else finding.manifest
    where = f":{finding.span.line}:{finding.span.column}" if finding.span else ""
    return f"{_text(file)}{where}"


def _pre(kind: str, lines: Iterable[str]) -> str:
    text = "\n".join(lines)
    return f'<pre class="{kind}">{text}</pre>\n' if text else ""


def _frame(span: Span | None, source: SourceExcerpt, severity: Severity) -> Iterator[str]:
    for line in code_frame(span, source.lines):
        mark = f'<mark class="{severity.value}">{_text(line.marked)}</mark>'
        rest = (mark if line.is_marked else "") + _text(line.after)
        yield f'<span class="number">{line.number}</span> {_text(line.before)}{rest}'


def _fix(fix: Fix, source: SourceExcerpt) -> Iterator[str]:
    names = {"-": "del", "+": "ins", " ": "span"}
    for sign, line in fix_lines(fix, source):
        yield f"<{names[sign]}>{sign} {_text(line)}</{names[sign]}>"
