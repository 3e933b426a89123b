"""One line a finding, for editors and problem matchers."""

from __future__ import annotations

from collections.abc import Iterator

from manni.base.text import visible
from manni.model.findings import FileResult, Finding, Report
from manni.rules.advice import explain


def render(report: Report) -> str:
    """The report as text; see `pieces`."""
    return "".join(pieces(report))


def pieces(report: Report) -> Iterator[str]:
    """The lines, each with its end: `SKILL.md:3:1: error vendor:skill:1.0/type must be string`.

    A finding about a file as a whole is at its start.
    """
    for result in report.results:
        for fault in result.faults:
            for finding in fault.findings:
                leads = finding is fault.representative
                said = explain(fault) if leads else finding.message
                yield f"{_place(result, finding)}: {_rule(finding)} {visible(said)}\n"


def _place(result: FileResult, finding: Finding) -> str:
    file = visible(result.label if finding.manifest is None else finding.manifest)
    line, column = (finding.span.line, finding.span.column) if finding.span else (1, 1)
    return f"{file}:{line}:{column}"


def _rule(finding: Finding) -> str:
    return f"{finding.severity.value} {visible(finding.rule_id)}"
