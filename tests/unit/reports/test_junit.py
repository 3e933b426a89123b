"""JUnit: the counts, the failures, and what no test fails for."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

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
        '    <testcase classname="manni" name="a.md" />\n'
        '    <testcase classname="skills" name="b.md">\n'
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


# What the schema that Jenkins holds reports against allows: attributes and elements within.
COUNTS = {"name", "tests", "failures", "errors"}
ALLOWED = {
    "testsuites": (COUNTS, {"testsuite"}),
    "testsuite": (COUNTS, {"testcase", "system-out"}),
    "testcase": ({"name", "classname"}, {"failure", "error", "system-out"}),
    "failure": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
    "system-out": (set(), set()),
}


@pytest.mark.parametrize("failure", [None, "no such schema"])
def test_the_schema_of_a_common_reader(failure: str | None) -> None:
    results = (artifact("a.md", ERROR, WARNING), artifact("b.md"))
    for element in parsed(Report(results=results, failure=failure, notes=("x",))).iter():
        attributes, elements = ALLOWED[element.tag]
        assert set(element.attrib) <= attributes
        assert {child.tag for child in element} <= elements
        assert element.tag in {"failure", "error", "system-out"} or not (element.text or "").strip()


def test_what_is_allowed_is_told() -> None:
    finding = replace(ERROR, keyword="enum", allowed=("low", "high"), actual="hihg")
    (failure,) = parsed(Report(results=(artifact("a.md", finding),))).iter("failure")
    assert failure.get("message") == "must be string; use one of low, high; did you mean 'high'?"
    assert "use one of low, high; did you mean 'high'? [v:n:1]" in (failure.text or "")


def test_what_xml_rules_out_is_spelled_out() -> None:
    finding = replace(ERROR, message="a\x00b\x1bc\ufffe\uffff\ud800\n]]>&<\"'")
    (failure,) = parsed(Report(results=(artifact("x\x01.md", finding),))).iter("failure")
    assert failure.get("message") == "a\\x00b\\x1bc\\ufffe\\uffff\\ud800\\n]]>&<\"'"
