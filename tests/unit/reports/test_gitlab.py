"""GitLab's Code Quality report: its fields, its identities, and what it leaves out."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from manni.model.findings import Fault, FileResult, Finding, Place, Report, Severity, Span
from manni.reports import gitlab

FINDING = Finding("v:n:1", "type", "must be string", pointer="/name", place=Place(Span(2, 1, 2, 8)))


def artifact(path: str, *findings: Finding) -> FileResult:
    faults = tuple(Fault((found,)) for found in findings)
    return FileResult(label=path, root_path=path, key=path, faults=faults)


def members(*results: FileResult) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(gitlab.render(Report(results=results)))
    return found


def test_a_member() -> None:
    (member,) = members(artifact("skills/é/SKILL.md", FINDING))
    assert re.fullmatch("[0-9a-f]{32}", member.pop("fingerprint"))
    assert member == {
        "description": "/name must be string",
        "check_name": "v:n:1/type",
        "severity": "major",
        "location": {"path": "skills/é/SKILL.md", "lines": {"begin": 2}},
    }


def test_severities() -> None:
    found = (replace(FINDING, severity=severity) for severity in Severity)
    listed = members(artifact("a.md", *found))
    assert [each["severity"] for each in listed] == ["major", "minor", "info"]


def test_every_identity_is_unique_and_none_depends_on_the_line_or_the_words() -> None:
    before = members(artifact("a.md", FINDING, FINDING), artifact("b.md", FINDING))
    identities = [each["fingerprint"] for each in before]
    assert len(set(identities)) == 3
    moved = replace(FINDING, place=Place(Span(9, 1, 9, 8)), message="should be a string")
    after = members(artifact("a.md", moved, moved), artifact("b.md", moved))
    assert [each["fingerprint"] for each in after] == identities


def test_the_path_is_the_manifests_where_that_is_meant() -> None:
    result = replace(artifact("sub/a.md"), key="a.md")
    found = replace(FINDING, place=Place(Span(3, 1, 3, 2), "meta.yaml"))
    (member,) = members(replace(result, faults=(Fault((found,)),)))
    assert member["location"] == {"path": "sub/meta.yaml", "lines": {"begin": 3}}


def test_what_is_outside_the_repository_is_left_out_and_told() -> None:
    outside = replace(artifact("../a.md", FINDING, FINDING), root_path=None)
    report = Report(results=(outside, artifact("b.md", replace(FINDING, place=None))))
    (member,) = json.loads(gitlab.render(report))
    assert member["location"] == {"path": "b.md", "lines": {"begin": 1}}
    (notice,) = gitlab.notices(report)
    assert notice.startswith("2 findings left out of the GitLab report")
    assert gitlab.notices(Report(results=(artifact("b.md", FINDING),))) == ()


def test_a_clean_run_is_an_empty_list() -> None:
    assert members(artifact("a.md")) == []
    assert json.loads(gitlab.render(Report(failure="no such schema"))) == []
