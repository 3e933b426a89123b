"""The report for people at a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from manni.base.text import count, visible
from manni.model.findings import FileResult, Finding, Report, Severity, Summary

RED, GREEN, _YELLOW, _CYAN, DIM, _RESET = (
    "\x1b[31m",
    "\x1b[32m",
    "\x1b[33m",
    "\x1b[36m",
    "\x1b[2m",
    "\x1b[0m",
)
Paint = Callable[[str, str], str]

SEVERITY_COLOURS = {Severity.ERROR: RED, Severity.WARNING: _YELLOW, Severity.NOTICE: _CYAN}


def render(report: Report, *, quiet: bool = False, colour: bool = False) -> str:
    """The report as text; see `pieces`."""
    return "".join(pieces(report, quiet=quiet, colour=colour))


def pieces(report: Report, *, quiet: bool = False, colour: bool = False) -> Iterator[str]:
    """The lines of the report, each with its end.

    Args:
        report: of the run.
        quiet: leave out the files about which there is nothing to say.
        colour: use ANSI colours. Nothing else in the text is ever a control sequence.
    """
    paint = painter(colour=colour)
    if report.config:
        yield f"{visible(report.config)}\n"
    gap = ""
    for result in report.results:
        for line in (*heading(result, quiet=quiet, paint=paint), *_findings(result, paint)):
            yield f"{line}\n"
            gap = "\n"
    yield f"{gap}{summary_line(report.summary)}\n"


def summary_line(summary: Summary) -> str:
    """The counts of a run in one line, each with its noun."""
    parts = [
        f"{count(summary.checked, 'file')} checked",
        f"{summary.passed} passed",
        f"{summary.failed} failed",
        count(summary.errors, "error"),
    ]
    if summary.warnings:
        parts.append(count(summary.warnings, "warning"))
    if summary.notices:
        parts.append(count(summary.notices, "notice"))
    if summary.ignored:
        parts.append(f"{summary.ignored} skipped by .gitignore")
    if summary.baselined:
        parts.append(f"{summary.baselined} in the baseline")
    if summary.prunable:
        parts.append(f"{summary.prunable} prunable from the baseline")
    if summary.suppressed:
        parts.append(f"{summary.suppressed} ignored")
    if summary.switched_off:
        parts.append(f"{summary.switched_off} switched off")
    if summary.fixed is not None:
        left = summary.errors + summary.warnings + summary.notices
        parts.append(f"{summary.fixed} fixed, {left} remaining")
    return ", ".join(parts)


def painter(*, colour: bool) -> Paint:
    """The function from an ANSI sequence and a text to the text in that colour, or as it is."""
    return (lambda code, text: f"{code}{text}{_RESET}") if colour else (lambda _, text: text)


def heading(result: FileResult, *, quiet: bool, paint: Paint) -> Iterator[str]:
    """The line about a file as a whole; none when it is quiet and there is nothing to say."""
    label = visible(result.label)
    if not result.faults:
        if not quiet:
            yield f"{paint(GREEN, '✓')} {label}"
    elif not result.ok:
        yield f"{paint(RED, '✗')} {label}"
    elif all(finding.severity is Severity.NOTICE for finding in result.findings):
        yield f"{paint(GREEN, '✓')} {label}"
    else:
        yield f"{paint(_YELLOW, '⚠')} {label}"


def _findings(result: FileResult, paint: Paint) -> Iterator[str]:
    return (finding_line(finding, paint) for finding in result.findings)


def finding_line(finding: Finding, paint: Paint) -> str:
    """The line about a finding, indented."""
    colour = SEVERITY_COLOURS[finding.severity]
    message = visible(finding.message)
    if finding.severity is not Severity.ERROR:
        message = f"{paint(colour, finding.severity.value)} {message}"
    parts = [visible(finding.pointer) or "(root)", message]
    if where := _where(finding):
        parts.append(paint(DIM, where))
    parts.append(paint(DIM, f"[{visible(finding.schema)}]"))
    return "    " + "  ".join(parts)


def _where(finding: Finding) -> str:
    if finding.span is None:
        return ""
    if finding.manifest is not None:
        return f"({visible(finding.manifest)}:{finding.span.line})"
    return f"(line {finding.span.line})"
