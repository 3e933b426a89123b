"""JUnit: the counts, the failures, and what no test fails for."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

from manni.model.findings import Fault, FileResult, Finding, Place, Report, Severity, Span
from manni.reports import junit

ERROR = Finding("v:n:1", "type", "must be string", pointer="/name", place=Place(Span(2, 1, 2, 8)))
WARNING = replace(ERROR, keyword="location", severity=Severity.WARNING, pointer="", place=None)


def artifact(path: str, *findings: Finding) -> FileResult:
    return FileResult(label=path, faults=tuple(Fault((found,)) for found in findings))


def parsed(report: Report) -> ET.Element:
    return ET.fromstring(junit.render(report).encode())  # noqa: S314 - our own text


def test_the_whole_document() -> None:
    results = (
        artifact("a.md"),
        replace(artifact("b.md", ERROR, ERROR, WARNING), collection="skills"),
    )
    assert junit.render(Report(results=results, notes=("nothing applied",))) == (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<testsuites name="manni" tests="2" failures="1" errors="0">\n'
        '  <testsuite name="manni" tests="2" failures="1" errors="0">\n'
        '    <testcase classname="manni" name="a.md" file="a.md" />\n'
        '    <testcase classname="skills" name="b.md" file="b.md">\n'
        '      <failure type="v:n:1/type" message="must be string">'
        "b.md:2:1: /name must be string [v:n:1]</failure>\n"
        '      <failure type="v:n:1/type" message="must be string">'
        "b.md:2:1: /name must be string [v:n:1]</failure>\n"
        "      <system-out>warning: b.md: (root) must be string [v:n:1]</system-out>\n"
        "    </testcase>\n"
        "    <system-out>nothing applied</system-out>\n"
        "  </testsuite>\n"
        "</testsuites>\n"
    )


def test_a_finding_in_a_manifest_names_the_manifest() -> None:
    finding = replace(ERROR, place=Place(Span(7, 3, 7, 9), "meta.yaml"))
    (failure,) = parsed(Report(results=(artifact("a.md", finding),))).iter("failure")
    assert failure.text == "meta.yaml:7:3: /name must be string [v:n:1]"


def test_every_finding_is_listed() -> None:
    fault = Fault((ERROR, replace(ERROR, keyword="if")))
    root = parsed(Report(results=(FileResult("a.md", faults=(fault,)),)))
    assert [each.get("type") for each in root.iter("failure")] == ["v:n:1/type", "v:n:1/if"]
    assert root.get("failures") == "1"


def test_a_run_without_a_verdict_is_an_error() -> None:
    root = parsed(Report(results=(artifact("a.md", ERROR),), failure="no such schema <x>"))
    assert root.attrib == {"name": "manni", "tests": "1", "failures": "0", "errors": "1"}
    (error,) = root.iter("error")
    assert error.get("message") == "no such schema <x>"
    assert not list(root.iter("failure"))


def test_a_run_over_nothing() -> None:
    assert parsed(Report()).get("tests") == "0"


def test_what_xml_rules_out_is_spelled_out() -> None:
    finding = replace(ERROR, message="a\x00b\x1bc\ufffe\uffff\ud800\n]]>&<\"'")
    (failure,) = parsed(Report(results=(artifact("x\x01.md", finding),))).iter("failure")
    assert failure.get("message") == "a\\x00b\\x1bc\\ufffe\\uffff\\ud800\\n]]>&<\"'"
