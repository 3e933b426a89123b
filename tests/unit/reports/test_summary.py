"""The step summary: what it says, where it links, how it is cut, and that documents stay text."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from manni.model.findings import (
    Detail,
    Fault,
    FileResult,
    Finding,
    Place,
    Report,
    Repository,
    Severity,
    Span,
    summarize,
)
from manni.reports import summary

ERROR = Finding(
    "v:n:1",
    "required",
    "must have required property 'id'",
    pointer="/evals/0",
    subject="id",
    place=Place(Span(6, 5, 6, 30)),
)
WARNING = replace(ERROR, schema="location:external", severity=Severity.WARNING, subject=None)
COMMIT = Repository("https://github.com/owner/name", "abc123", "refs/heads/main")


def artifact(path: str, *findings: Finding, **fields: Any) -> FileResult:
    faults = tuple(Fault((finding,)) for finding in findings)
    return FileResult(**{"label": path, "root_path": path, "key": path, "faults": faults, **fields})


def report(*results: FileResult, **fields: Any) -> Report:
    return Report(results=results, summary=summarize(results), **fields)


def test_the_whole_summary() -> None:
    given = report(
        artifact("a.md", WARNING),
        artifact("b c.md", ERROR, WARNING, collection="skills"),
        artifact("d.md"),
        repository=COMMIT,
        notes=("Nothing was applied.",),
    )
    blob = "https://github.com/owner/name/blob/abc123"
    assert summary.render(given, notices=("5 results left out.",)) == (
        "## manni\n"
        "\n"
        "❌ **3 files checked**, 2 passed, 1 failed, 1 error, 2 warnings\n"
        "\n"
        "> `Nothing was applied.`  \n"
        "> `5 results left out.`  \n"
        "\n"
        "| Collection | Schema | Errors | Warnings | Notices |\n"
        "|---|---|--:|--:|--:|\n"
        "|  | `location:external` | 0 | 1 | 0 |\n"
        "| `skills` | `location:external` | 0 | 1 | 0 |\n"
        "| `skills` | `v:n:1` | 1 | 0 | 0 |\n"
        "\n"
        f"### [`b c.md`]({blob}/b%20c.md?plain=1)\n"
        "\n"
        f"- ❌ [line 6]({blob}/b%20c.md?plain=1#L6) `/evals/0` "
        "`must have required property 'id'; add 'id'` `v:n:1`\n"
        f"- ⚠️ [line 6]({blob}/b%20c.md?plain=1#L6) `/evals/0` "
        "`must have required property 'id'` `location:external`\n"
        "\n"
        f"### [`a.md`]({blob}/a.md?plain=1)\n"
        "\n"
        f"- ⚠️ [line 6]({blob}/a.md?plain=1#L6) `/evals/0` "
        "`must have required property 'id'` `location:external`\n"
    )


def test_a_clean_run() -> None:
    assert summary.render(report(artifact("a.md"))) == (
        "## manni\n\n✅ **1 file checked**, 1 passed, 0 failed, 0 errors\n"
    )


def test_warnings_alone() -> None:
    assert "⚠️ **1 file checked**, 1 passed" in summary.render(report(artifact("a.md", WARNING)))


def test_a_run_without_a_verdict() -> None:
    given = report(artifact("a.md", ERROR), failure="no such schema: `x`")
    assert summary.render(given) == "## manni\n\n❌ **No verdict:** `` no such schema: `x` ``\n"


def test_optional_counts() -> None:
    given = report(artifact("a.md", baselined=3))
    given = replace(given, summary=replace(given.summary, ignored=2, prunable=1, notices=1))
    assert summary.render(given).splitlines()[2] == (
        "✅ **1 file checked**, 1 passed, 0 failed, 0 errors, 1 notice, 2 skipped by .gitignore, "
        "3 in the baseline, 1 prunable from the baseline"
    )


def test_a_link_to_several_lines() -> None:
    finding = replace(ERROR, place=Place(Span(2, 1, 4, 3)))
    assert "?plain=1#L2-L4) " in summary.render(
        report(artifact("a.md", finding), repository=COMMIT)
    )


def test_a_finding_in_a_manifest_links_to_the_manifest() -> None:
    finding = replace(ERROR, place=Place(Span(3, 1, 3, 5), "meta.yaml"))
    text = summary.render(report(artifact("a.md", finding), repository=COMMIT))
    assert "[`meta.yaml`, line 3](https://github.com/owner/name/blob/abc123/meta.yaml?" in text


@pytest.mark.parametrize(
    "repository",
    [
        Repository(),
        Repository(url="https://github.com/owner/name"),
        Repository("https://github.com/a) <b>", "abc"),
        Repository("javascript:alert(1)", "abc"),
        Repository("https://github.com/owner/name", "a b"),
    ],
)
def test_without_a_commit_there_are_no_links(repository: Repository) -> None:
    text = summary.render(report(artifact("a.md", ERROR), repository=repository))
    assert "](" not in text
    assert "- ❌ line 6 `/evals/0`" in text


def test_outside_the_repository_and_without_a_place() -> None:
    finding = replace(ERROR, place=None, pointer="")
    given = report(artifact("<stdin>", finding, root_path=None), repository=COMMIT)
    assert "### `<stdin>`\n\n- ❌ the file `(root)` " in summary.render(given)


def test_a_bar_does_not_end_a_cell() -> None:
    finding = replace(ERROR, schema="./a\\|b|c.json")
    row = summary.render(report(artifact("a.md", finding, collection="x|y"))).splitlines()[6]
    assert row == "| `x¦y` | `./a\\¦b¦c.json` | 1 | 0 | 0 |"


def test_many_schemas_do_not_make_an_endless_table() -> None:
    findings = [replace(ERROR, schema=f"./{number}.json") for number in range(250)]
    text = summary.render(report(artifact("a.md", *findings)))
    assert "\n50 more rows are left out.\n" in text


def test_at_most_one_mebibyte() -> None:
    findings = [replace(ERROR, message=f"{number} " + "é" * 900) for number in range(2000)]
    given = report(artifact("a.md", *findings), report_files=("manni.sarif", "`.json"))
    text = summary.render(given)
    assert 900_000 < len(text.encode()) <= 1024 * 1024
    shown = len(re.findall("^- ", text, re.MULTILINE))
    assert text.endswith(
        f"\n{2000 - shown} more faults did not fit: a step summary holds at most 1 MiB. "
        "All are in `manni.sarif`, `` `.json ``.\n"
    )
    without = summary.render(replace(given, report_files=(), detail=Detail.FINDINGS))
    assert without.endswith(" more findings did not fit: a step summary holds at most 1 MiB.\n")
