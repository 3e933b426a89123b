"""Annotations: escaping, the budget, the order, and where they point."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from manni.model.findings import (
    Detail,
    Edit,
    Fault,
    FileResult,
    Finding,
    Fix,
    Place,
    Report,
    Severity,
    SourceExcerpt,
    Span,
)
from manni.reports import github

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data" / "commands.json").read_text(encoding="utf-8")
)["cases"]


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """A command as GitHub's runner reads it."""
    head, _, message = line.removeprefix("::").partition("::")
    level, _, properties = head.partition(" ")
    pairs = dict(item.split("=", 1) for item in properties.split(",") if item)
    values = {name: unescaped(value, properties=True) for name, value in pairs.items()}
    return level, values, unescaped(message, properties=False)


def unescaped(text: str, *, properties: bool) -> str:
    if properties:
        text = text.replace("%3A", ":").replace("%2C", ",")
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def finding(severity: Severity = Severity.ERROR, **fields: Any) -> Finding:
    given: dict[str, Any] = {
        "pointer": "/name",
        "place": Place(Span(2, 1, 2, 8)),
        "severity": severity,
        **fields,
    }
    return Finding("vendor:name:1.0", "minLength", "must NOT have fewer than 1 characters", **given)


def artifact(path: str, *findings: Finding) -> FileResult:
    faults = tuple(Fault((found,)) for found in findings)
    return FileResult(label=path, root_path=path, key=path, faults=faults)


def commands(report: Report) -> list[tuple[str, dict[str, str], str]]:
    return [parsed(line) for line in github.render(report).splitlines()]


@pytest.mark.parametrize("case", CASES)
def test_commands(case: dict[str, Any]) -> None:
    line = github.command(
        case["level"],
        file=case["file"],
        line=case["line"],
        col=case["col"],
        end_column=case["end_col"],
        title=case["title"],
        message=case["message"],
    )
    assert line == case["expect"]


def test_a_command_of_nothing_but_text() -> None:
    assert github.command("notice", message="a\nb") == "::notice::a%0Ab"


def test_an_annotation() -> None:
    text = github.render(Report(results=(artifact("skills/a/SKILL.md", finding()),)))
    assert text == (
        "::error file=skills/a/SKILL.md,line=2,endLine=2,col=1,endColumn=8,"
        "title=vendor%3Aname%3A1.0::[vendor:name:1.0] /name must NOT have fewer than 1 characters; "
        "write at least 1 character\n"
    )


def test_columns_are_left_out_of_an_annotation_over_several_lines() -> None:
    found = finding(place=Place(Span(2, 3, 4, 1)))
    _, values, _ = commands(Report(results=(artifact("a.md", found),)))[0]
    assert values == {"file": "a.md", "line": "2", "endLine": "4", "title": "vendor:name:1.0"}


def test_what_a_fix_puts_there_is_said_as_lines_to_copy() -> None:
    mended = finding(fix=Fix("Quote the value", (Edit(Span(2, 7, 2, 8), '"7"'),)))
    result = replace(artifact("a.md", mended), source=SourceExcerpt("---\nname: 7\n---"))
    (_, _, message), (_, _, unquoted) = commands(Report(results=(result, artifact("b", mended))))
    assert message.endswith('character\nfix: Quote the value:\nname: "7"')
    assert unquoted.endswith('character\nfix: Quote the value:\n"7"')


def test_checks_of_the_tools_own_are_headed_in_words() -> None:
    found = Finding("(parse)", "parse", "x"), Finding("location:page", "location", "x")
    titles = [
        values["title"] for _, values, _ in commands(Report(results=(artifact("a", *found),)))
    ]
    assert titles[0] == "The front matter cannot be read"
    assert "location:" not in titles[1]


def test_the_root_is_called_root() -> None:
    _, _, message = commands(Report(results=(artifact("a.md", finding(pointer="")),)))[0]
    assert message.startswith("[vendor:name:1.0] (root) must")


def test_the_path_is_relative_to_the_repository() -> None:
    result = replace(artifact("a.md", finding()), label="a.md", root_path="sub/a.md")
    assert commands(Report(results=(result,)))[0][1]["file"] == "sub/a.md"


def test_outside_a_repository_the_label_is_the_path() -> None:
    result = replace(artifact("a.md", finding()), root_path=None)
    assert commands(Report(results=(result,)))[0][1]["file"] == "a.md"


def test_standard_input_is_no_file() -> None:
    result = replace(artifact("<stdin>", finding()), root_path=None)
    _, values, message = commands(Report(results=(result,)))[0]
    assert values == {"title": "vendor:name:1.0"}
    assert message.startswith("<stdin>: [vendor:name:1.0] /name")


@pytest.mark.parametrize(
    ("key", "root_path", "manifest", "expected"),
    [
        ("a.md", "a.md", "meta.yaml", ("meta.yaml", "2")),
        ("docs/a.md", "sub/docs/a.md", "meta.yaml", ("sub/meta.yaml", "2")),
        ("docs/a.md", "sub/docs/a.md", "../meta.yaml", ("meta.yaml", "2")),
        ("a.md", "a.md", "../meta.yaml", ("a.md", None)),
        ("../a.md", "a.md", "meta.yaml", ("a.md", None)),
        ("a.md", "a.md", "https://example.com/meta.yaml", ("a.md", None)),
        ("a.md", "a.md", "/etc/meta.yaml", ("a.md", None)),
    ],
)
def test_a_finding_in_a_manifest_points_at_the_manifest(
    key: str, root_path: str, manifest: str, expected: tuple[str, str | None]
) -> None:
    found = finding(place=Place(Span(2, 1, 2, 8), manifest))
    result = replace(artifact("x.md", found), root_path=root_path, key=key)
    _, values, _ = commands(Report(results=(result,)))[0]
    assert (values["file"], values.get("line")) == expected


def test_one_annotation_a_fault_or_one_a_finding() -> None:
    leaf = finding()
    summary = replace(leaf, keyword="if", message='must match "else" schema')
    result = FileResult("a.md", root_path="a.md", faults=(Fault((leaf, summary)),))
    assert len(commands(Report(results=(result,)))) == 1
    assert len(commands(Report(results=(result,), detail=Detail.FINDINGS))) == 2


def test_within_the_budget_nothing_is_left_out_and_nothing_is_said() -> None:
    found = [finding(severity) for severity in Severity for _ in range(10)]
    report = Report(results=(artifact("a.md", *found),))
    assert [level for level, _, _ in commands(report)] == (
        ["error"] * 10 + ["warning"] * 10 + ["notice"] * 10
    )
    assert github.omitted(report) == 0


def test_the_closing_notice_counts_itself_within_the_budget() -> None:
    found = [finding(Severity.NOTICE) for _ in range(10)] + [finding() for _ in range(12)]
    report = Report(results=(artifact("a.md", *found),), report_files=("manni.sarif", "x.json"))
    shown = commands(report)
    assert [level for level, _, _ in shown] == ["error"] * 10 + ["notice"] * 10
    assert github.omitted(report) == 3
    assert shown[-1] == (
        "notice",
        {"title": "manni"},
        (
            "2 more errors and 1 more notice are not shown here, because GitHub shows at most 10 "
            "of each kind a step; the complete list is in manni.sarif and x.json."
        ),
    )


def test_the_closing_notice_without_a_report_file() -> None:
    report = Report(results=(artifact("a.md", *[finding()] * 11),))
    assert commands(report)[-1][2] == (
        "1 more error is not shown here, because GitHub shows at most 10 of each kind a step; "
        "write the complete list to a file with -f json -o FILE."
    )


def test_each_file_is_shown_before_a_second_fault_of_any() -> None:
    crowded = artifact("a.md", *[finding() for _ in range(30)])
    others = [artifact(f"{letter}.md", finding()) for letter in "bcdefg"]
    shown = commands(Report(results=(crowded, *others)))
    files = [values.get("file") for level, values, _ in shown if level == "error"]
    assert files == [f"{letter}.md" for letter in "abcdefg"] + ["a.md"] * 3


def test_a_run_without_a_verdict_is_one_error() -> None:
    report = Report(
        results=(artifact("a.md", finding()),), failure="no such schema: x\n::error::pwn"
    )
    assert github.render(report) == "::error title=manni::no such schema: x\\n::error::pwn\n"
    assert github.omitted(report) == 0


def test_a_clean_run_says_nothing() -> None:
    assert github.render(Report(results=(artifact("a.md"),))) == ""


def test_long_texts_are_cut_below_githubs_limit() -> None:
    found = finding(pointer="/" + "x" * 100_000)
    (_, values, message), *_ = commands(Report(results=(artifact("a.md", found),)))
    assert len(message) < 4096
    assert len(values["title"]) < 300


def test_control_characters_are_spelled_out_and_file_names_keep_their_line_ends() -> None:
    found = replace(finding(), message="a\x1b[2J\u202eb\ud800")
    text = github.render(Report(results=(artifact("n\n\x1b%.md", found),)))
    assert len(text.splitlines()) == 1
    _, values, message = parsed(text.rstrip("\n"))
    assert values["file"] == "n\n\\x1b%.md"
    assert "a\\x1b[2J\\u202eb\\ud800" in message
