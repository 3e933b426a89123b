"""The report for people at a terminal that shows the source of each finding and its cure."""

from __future__ import annotations

from collections.abc import Iterator

from manni.base.text import visible
from manni.model.findings import Fault, FileResult, Finding, Fix, Report, SourceExcerpt
from manni.reports import pretty
from manni.reports.code_frame import Lines, code_frame, fix_label, fix_lines
from manni.reports.pretty import DIM, GREEN, RED, SEVERITY_COLOURS, Paint
from manni.rules.advice import advice
from manni.rules.registry import describe

_INDENT = " " * 8


def render(report: Report, *, quiet: bool = False, colour: bool = False) -> str:
    """The report as text; see `pieces`."""
    return "".join(pieces(report, quiet=quiet, colour=colour))


def pieces(report: Report, *, quiet: bool = False, colour: bool = False) -> Iterator[str]:
    """The lines of the report, each with its end: those of `pretty`, and more below each fault.

    Args:
        report: of the run, with the sources of the files that have findings.
        quiet: leave out the files about which there is nothing to say.
        colour: use ANSI colours. Nothing else in the text is ever a control sequence.
    """
    paint = pretty.painter(colour=colour)
    if report.config:
        yield f"{visible(report.config)}\n"
    gap = ""
    for result in report.results:
        for line in pretty.heading(result, quiet=quiet, paint=paint):
            yield f"{line}\n"
            gap = "\n"
        yield from (f"{line}\n" for line in _faults(result, paint))
    yield f"{gap}{pretty.summary_line(report.summary)}\n"


def _faults(result: FileResult, paint: Paint) -> Iterator[str]:
    lines = result.source.lines
    for fault in result.faults:
        quoted = None
        for finding in fault.findings:
            yield pretty.finding_line(finding, paint)
            # The findings of one fault mostly point at one place, which is quoted once.
            if finding.manifest is None and finding.span != quoted:
                quoted = finding.span
                yield from _frame(finding, lines, paint)
        yield from _cure(fault, result.source, paint)


def _frame(finding: Finding, lines: Lines, paint: Paint) -> Iterator[str]:
    frame = code_frame(finding.span, lines)
    gutter = len(str(frame[-1].number)) if frame else 0
    colour = SEVERITY_COLOURS[finding.severity]
    for line in frame:
        head, below = (paint(DIM, f"{text:>{gutter}} |") for text in (str(line.number), ""))
        yield f"{_INDENT}{head} {line.text}".rstrip()
        if line.is_marked:
            yield f"{_INDENT}{below} {paint(colour, line.carets)}"


def _cure(fault: Fault, source: SourceExcerpt, paint: Paint) -> Iterator[str]:
    finding = fault.representative
    if said := advice(fault):
        yield f"{_INDENT}help: {said}"
    if finding.fix is not None:
        yield from _fix(finding.fix, source, paint)
    yield f"{_INDENT}{paint(DIM, describe(finding.schema, finding.keyword).uri)}"


def _fix(fix: Fix, source: SourceExcerpt, paint: Paint) -> Iterator[str]:
    yield f"{_INDENT}{fix_label(fix)}"
    colours = {"-": RED, "+": GREEN, " ": DIM}
    for sign, line in fix_lines(fix, source):
        yield _INDENT + paint(colours[sign], f"{sign} {line}")
