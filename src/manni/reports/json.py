"""The report for programs; `schemas/report.schema.json` describes it."""

from __future__ import annotations

import json

from manni.findings import FileResult, Finding, Report, Severity, Summary

Members = dict[str, object]


def render(report: Report) -> str:
    """The report as one JSON object. Lone surrogates are escaped, so that it is always UTF-8."""
    document: Members = {"summary": _summary(report.summary)}
    if report.failure is not None:
        document["failure"] = report.failure
    document["results"] = [_result(result) for result in report.results]
    text = json.dumps(document, indent=2, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def _summary(summary: Summary) -> Members:
    return {
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


def _result(result: FileResult) -> Members:
    return {
        "file": result.label,
        "format": result.format,
        "ok": result.ok,
        "collection": result.collection,
        "schemas": list(result.schemas),
        "errors": [_finding(finding) for finding in result.findings],
    }


def _finding(finding: Finding) -> Members:
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
        members["line"] = finding.span.line
        members["col"] = finding.span.column
        members["endLine"] = finding.span.end_line
        members["endCol"] = finding.span.end_column
    if finding.manifest is not None:
        members["file"] = finding.manifest
    return members
