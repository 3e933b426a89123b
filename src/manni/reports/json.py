"""The report for programs; `schemas/report.schema.json` describes it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from manni.model.findings import Fault, FileResult, Finding, Fix, Report, Severity, Span, Summary
from manni.rules.advice import advice

Members = dict[str, object]


def render(report: Report) -> str:
    """The report as one JSON object; see `pieces`."""
    return "".join(pieces(report))


def pieces(report: Report) -> Iterator[str]:
    """The text of the report: its head, a piece for each artifact, and its end.

    Lone surrogates are escaped, so that it is always UTF-8.
    """
    head: Members = {"summary": _summary(report.summary)}
    if report.failure is not None:
        head["failure"] = report.failure
    yield _text(head).removesuffix("\n}") + ',\n  "results": ['
    separator = "\n    "
    for result in report.results:
        yield separator + _text(_result(result)).replace("\n", "\n    ")
        separator = ",\n    "
    yield "\n  ]\n}\n" if report.results else "]\n}\n"


def _text(value: Members) -> str:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _summary(summary: Summary) -> Members:
    counts: Members = {
        "checked": summary.checked,
        "passed": summary.passed,
        "failed": summary.failed,
        "errors": summary.errors,
        "warnings": summary.warnings,
        "notices": summary.notices,
        "faults": summary.faults,
        "skipped": summary.ignored,
        "baselined": summary.baselined,
        "prunable": summary.prunable,
    }
    if summary.suppressed:
        counts["suppressed"] = summary.suppressed
    if summary.switched_off:
        counts["switchedOff"] = summary.switched_off
    if summary.fixed is not None:
        counts["fixed"] = summary.fixed
    return counts


def _result(result: FileResult) -> Members:
    members: Members = {
        "file": result.label,
        "format": result.format,
        "ok": result.ok,
        "collection": result.collection,
        "schemas": list(result.schemas),
        "errors": [
            _finding(finding, fault) for fault in result.faults for finding in fault.findings
        ],
    }
    if result.suppressed:
        members["suppressed"] = [
            {**_finding(each.finding, Fault((each.finding,))), "reason": each.reason}
            for each in result.suppressed
        ]
    return members


def _finding(finding: Finding, fault: Fault) -> Members:
    members: Members = {
        "schema": finding.schema,
        "instancePath": finding.pointer,
        "keyword": finding.keyword,
        "message": finding.message,
    }
    if finding.subject is not None:
        members["subject"] = finding.subject
    if finding.severity is not Severity.ERROR:
        members["severity"] = finding.severity.value
    if finding.span is not None:
        members |= _place(finding.span)
    if finding.manifest is not None:
        members["file"] = finding.manifest
    if finding.allowed:
        members["allowed"] = list(finding.allowed)
    if finding is fault.representative and (said := advice(fault)):
        members["help"] = said
    if finding.fix is not None:
        members["fix"] = _fix(finding.fix)
    return members


def _fix(fix: Fix) -> Members:
    edits = [{**_place(edit.span), "text": edit.text} for edit in fix.edits]
    return {"description": fix.description, "safe": fix.safe, "edits": edits}


def _place(span: Span) -> dict[str, int]:
    return {
        "line": span.line,
        "col": span.column,
        "endLine": span.end_line,
        "endCol": span.end_column,
    }
