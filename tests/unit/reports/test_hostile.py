"""Whatever a repository holds, every report parses and shows it harmlessly."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from manni.model.findings import (
    Detail,
    Edit,
    Fault,
    FileResult,
    Finding,
    Fix,
    Place,
    Related,
    Report,
    Repository,
    SchemaInfo,
    Severity,
    SourceExcerpt,
    Span,
    Suppressed,
    summarize,
)
from manni.reports import (
    REPORTERS,
    concise,
    full,
    github,
    gitlab,
    html,
    junit,
    pretty,
    sarif,
    summary,
)

PIECES = (
    *(
        "\n",
        "\r\n",
        "\r",
        "\x00",
        "\x07",
        "\x1b[2J",
        "\x85",
        "\u2028",
        "\u202e",
        "\u200f",
        "\ufeff",
    ),
    *("::error::", "::set-output name=a::b", "##[error]", "::stop-commands::x", "]]>", "<!--"),
    *("`", "```", "| a |", "|", "\\|", "<b>", "</testcase>", "<script>", "&amp;", "@octocat", "#1"),
    *(
        "[a](https://e.example)",
        "![](x)",
        "](1)",
        "https://e.example",
        "$x$",
        "\\",
        "%0A",
        "%",
        ",",
    ),
    *(
        ":",
        "'",
        '"',
        "{0}",
        "{1}",
        "\ud800",
        "\udcff",
        "\ufffe",
        "\uffff",
        "😀",
        "é",
        "\t",
        "*",
        "_",
    ),
    *("../", "/", "---", "# ", "- ", "> ", "    "),
)
TEXT = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=6).map("".join)
SPANS = st.builds(
    lambda line, column, more, width: Span(line, column, line + more, column + width),
    st.integers(1, 6),
    st.integers(1, 9),
    st.integers(0, 3),
    st.integers(0, 9),
)
FINDINGS = st.builds(
    Finding,
    schema=TEXT,
    keyword=TEXT | st.sampled_from(["enum", "anyOf", "additionalProperties", "parse", "pattern"]),
    message=TEXT,
    pointer=TEXT,
    severity=st.sampled_from(Severity),
    subject=st.none() | TEXT,
    place=st.none() | st.builds(Place, SPANS, st.none() | TEXT),
    identity=st.none() | TEXT,
    allowed=st.lists(TEXT, max_size=3).map(tuple),
    actual=st.none() | TEXT,
    related=st.lists(st.builds(Related, SPANS, TEXT), max_size=2).map(tuple),
    fix=st.none()
    | st.builds(Fix, TEXT, st.lists(st.builds(Edit, SPANS, TEXT), min_size=1).map(tuple)),
)
RESULTS = st.builds(
    FileResult,
    label=TEXT,
    root_path=st.none() | TEXT,
    key=TEXT,
    format=st.sampled_from([None, "yaml", "toml", "json"]),
    collection=st.none() | TEXT,
    schemas=st.lists(TEXT, max_size=2).map(tuple),
    faults=st.lists(
        st.lists(FINDINGS, min_size=1, max_size=2).map(lambda found: Fault(tuple(found))),
        max_size=2,
    ).map(tuple),
    source=st.builds(SourceExcerpt, st.none() | st.lists(TEXT, max_size=6).map("\n".join)),
    suppressed=st.lists(st.builds(Suppressed, FINDINGS, TEXT), max_size=2).map(tuple),
)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    results = draw(st.lists(RESULTS, max_size=3).map(tuple))
    infos = st.builds(SchemaInfo, reference=TEXT, version=TEXT, title=TEXT, uri=st.none() | TEXT)
    return Report(
        results=results,
        summary=summarize(results),
        version=draw(st.sampled_from(["1.2.3", ""])),
        config=draw(st.none() | TEXT),
        notes=draw(st.lists(TEXT, max_size=2).map(tuple)),
        failure=draw(st.none() | st.none() | TEXT),
        schemas=draw(st.lists(infos, max_size=2).map(tuple)),
        repository=draw(st.builds(Repository, *[st.none() | TEXT] * 3)),
        category=draw(TEXT),
        detail=draw(st.sampled_from(Detail)),
        report_files=draw(st.lists(TEXT, max_size=2).map(tuple)),
        keeps_suppressed=draw(st.booleans()),
    )


hostile = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("name", REPORTERS)
@given(report=reports())
@hostile
def test_every_report_can_be_written(name: str, report: Report) -> None:
    REPORTERS[name].load()(report).encode()


SCHEMA = jsonschema_rs.validator_for(
    json.loads((Path(__file__).parents[3] / "schemas" / "report.schema.json").read_text())
)


@given(report=reports())
@hostile
def test_the_json_report_is_as_its_schema_says(report: Report) -> None:
    document = json.loads(REPORTERS["json"].load()(report))
    # The validator takes no lone surrogates, which are escapes in the report.
    SCHEMA.validate(json.loads(json.dumps(document, ensure_ascii=False).encode(errors="replace")))


@given(report=reports())
@hostile
def test_annotations_are_one_line_each(report: Report) -> None:
    text = github.render(report)
    entries = sum(
        len(result.faults if report.detail is Detail.FAULTS else result.findings)
        for result in report.results
    )
    lines = text.splitlines()
    assert len(lines) == (1 if report.failure is not None else entries)
    for line in lines:
        match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert match is not None
        names = [pair.partition("=")[0] for pair in match[2].split(",")]
        assert set(names) <= {"file", "line", "endLine", "col", "endColumn", "title"}
        assert len(set(names)) == len(names)
        assert not re.search("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\ufeff]", line)


@given(report=reports())
@hostile
def test_sarif_is_json_with_sound_references(report: Report) -> None:
    text = sarif.render(report)
    assert not re.search("[\ud800-\udfff]", text)
    run = json.loads(text)["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        for suppression in result.get("suppressions", []):
            assert_harmless(suppression.get("justification", ""))
        assert_harmless(result["message"]["text"])
        links = re.findall(r"\]\(([^)]*)", result["message"]["text"])
        assert links == [str(each["id"]) for each in result.get("relatedLocations", [])]
        for place in result["locations"]:
            uri = place["physicalLocation"]["artifactLocation"]["uri"]
            assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})*", uri)


@given(report=reports())
@hostile
def test_junit_is_well_formed(report: Report) -> None:
    text = junit.render(report)
    root = ET.fromstring(text.encode())  # noqa: S314 - our own text
    cases = list(root.iter("testcase"))
    assert len(cases) == (1 if report.failure is not None else len(report.results))
    if report.failure is None:
        errors = report.summary.errors
        assert len(list(root.iter("failure"))) == errors
    for element in root.iter():
        for value in (*element.attrib.values(), (element.text or "").replace("\n", "")):
            assert_harmless(value)


@given(report=reports())
@hostile
def test_the_summary_holds_documents_in_code_spans_alone(report: Report) -> None:
    text = summary.render(report)
    assert_harmless(text.replace("\n", ""))
    for line in text.splitlines():
        rest = without_code_spans(line)
        assert not re.search(r"[<>`@$&\\]", rest.removeprefix("> "))
        assert not re.search(r"octocat|example|script|error]", rest)
        if line.startswith("| "):
            assert line.count("|") == 6


@given(report=reports(), colour=st.booleans())
@hostile
def test_the_full_report_is_lines_without_controls(report: Report, colour: bool) -> None:
    text = full.render(report, colour=colour)
    assert_harmless(re.sub("\x1b\\[[0-9]+m" if colour else "$^", "", text).replace("\n", ""))
    plain = pretty.render(report)
    mine = iter(full.render(report).splitlines())
    assert all(line in mine for line in plain.splitlines())


@given(report=reports())
@hostile
def test_concise_is_one_line_a_finding(report: Report) -> None:
    lines = concise.render(report).splitlines()
    assert len(lines) == sum(len(result.findings) for result in report.results)
    for line in lines:
        assert re.search(r":\d+:\d+: (error|warning|notice) ", line)
        assert_harmless(line)


@given(report=reports())
@hostile
def test_gitlabs_report_is_json_with_unique_identities(report: Report) -> None:
    members = json.loads(gitlab.render(report).encode())
    assert len({member["fingerprint"] for member in members}) == len(members)
    for member in members:
        assert_harmless(member["description"] + member["check_name"])


@given(report=reports())
@hostile
def test_the_page_holds_no_markup_of_a_document(report: Report) -> None:
    text = html.render(report)
    body = text.partition("<body>")[2].partition("<script>")[0]
    assert_harmless(body.replace("\n", ""))
    tags = re.findall(r"<(\w+)((?: [\w-]+(?:=\"[^\"<>]*\")?)*)>|</\w+>", body)
    assert body.count("<") == body.count(">") == len(tags)
    assert {tag for tag, _ in tags} <= TAGS
    assert re.findall(r"(?<= )(?:src|style|on\w+)=", "".join(rest for _, rest in tags)) == []


TAGS = {
    *("header", "h1", "h2", "h3", "p", "section", "article", "span", "code", "a", ""),
    *("form", "label", "select", "option", "button", "output", "pre", "mark", "del", "ins"),
}


def without_code_spans(line: str) -> str:
    """The line as CommonMark section 6.1 reads it, with nothing where its code spans are."""
    rest, position = "", 0
    while match := re.compile("`+").search(line, position):
        rest += line[position : match.start()]
        closing = re.compile(f"(?<!`){match.group()}(?!`)").search(line, match.end())
        if closing is None:
            return rest + line[match.start() :]
        position = closing.end()
    return rest + line[position:]


def assert_harmless(text: Any) -> None:
    assert not re.search("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff\ud800-\udfff]", text)
