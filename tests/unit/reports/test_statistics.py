"""Rules by count."""

from __future__ import annotations

from dataclasses import replace

from manni.model.findings import Edit, Fault, FileResult, Finding, Fix, Report, Span
from manni.reports import statistics

FINDING = Finding("v:n:1", "type", "must be string")
FIX = Fix("Quote the value", (Edit(Span(1, 1, 1, 1), "'"),))


def test_rules_are_counted_the_commonest_first() -> None:
    fixable = replace(FINDING, fix=FIX)
    rare = replace(FINDING, keyword="a\x1bb")
    faults = (Fault((FINDING, rare)), *[Fault((fixable,))] * 9)
    report = Report(results=(FileResult("a.md", faults=faults), FileResult("b.md")))
    assert statistics.render(report) == "10  v:n:1/type    9 fixable\n 1  v:n:1/a\\x1bb\n"


def test_without_findings_nothing_is_said() -> None:
    assert statistics.render(Report(results=(FileResult("a.md"),))) == ""
