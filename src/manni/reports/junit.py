"""JUnit XML: one test case an artifact, one failure for each finding of error severity.

The dialect is the one of Jenkins' schema `junit-10.xsd`, which others read too. Whatever a document
holds, the result is well-formed XML 1.0.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from manni.base.text import visible
from manni.model.findings import FileResult, Finding, Report, Severity
from manni.rules.advice import explain

_SUITE = "manni"
# The two code points that XML 1.0 rules out (production 2, `Char`) and `visible` lets through.
_NONCHARACTERS = re.compile("[\ufffe\uffff]")


def render(report: Report) -> str:
    """The report as an XML document; a run without a verdict is one test case with an error."""
    failed = report.failure is not None
    results = () if failed else report.results
    failures = sum(not result.ok for result in results)
    counts = {
        "name": _SUITE,
        "tests": str(1 if failed else len(results)),
        "failures": str(failures),
        "errors": str(int(failed)),
    }
    root = ET.Element("testsuites", counts)
    suite = ET.SubElement(root, "testsuite", counts)
    if report.failure is not None:
        case = ET.SubElement(suite, "testcase", {"classname": _SUITE, "name": "run"})
        ET.SubElement(case, "error", {"type": "manni", "message": _clean(report.failure)})
    for result in results:
        _case(suite, result)
    if notes := [_clean(note) for note in report.notes]:
        ET.SubElement(suite, "system-out").text = "\n".join(notes)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _case(suite: ET.Element, result: FileResult) -> None:
    names = {"classname": _clean(result.collection or _SUITE), "name": _clean(result.label)}
    case = ET.SubElement(suite, "testcase", names)
    others: list[str] = []
    for fault in result.faults:
        for finding in fault.findings:
            said = explain(fault) if finding is fault.representative else finding.message
            line = _line(result, finding, said)
            if finding.severity is not Severity.ERROR:
                others.append(f"{finding.severity.value}: {line}")
                continue
            about = {"type": _clean(finding.rule_id), "message": _clean(said)}
            ET.SubElement(case, "failure", about).text = line
    if others:
        ET.SubElement(case, "system-out").text = "\n".join(others)


def _line(result: FileResult, finding: Finding, said: str) -> str:
    """`SKILL.md:3:1: /name must be string; use a string [schema]`, which editors can follow."""
    where = finding.manifest if finding.manifest is not None else result.label
    place = f":{finding.span.line}:{finding.span.column}" if finding.span else ""
    about = f"{finding.pointer or '(root)'} {said} [{finding.schema}]"
    return f"{_clean(where)}{place}: {_clean(about)}"


def _clean(text: str) -> str:
    return _NONCHARACTERS.sub(lambda match: f"\\u{ord(match.group()):04x}", visible(text))
