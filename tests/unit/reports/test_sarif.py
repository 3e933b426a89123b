"""SARIF logs: what a result says, what identifies it, and what the ceilings cost."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
import sarif_om

from manni import __version__
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
    summarize,
)
from manni.reports import sarif
from manni.reports.fingerprints import fingerprint
from manni.reports.sarif import log as sarif_log
from manni.reports.sarif import writer

SKILL = "anthropic:claude-skill:2.1"
LINES = ("---", "name: fix-bug", "description: a: b", "effort: hihg", "metadata:", "---")
SOURCE = SourceExcerpt("\n".join(LINES), {3: "33:1", 4: "44:1"})

ENUM = Finding(
    SKILL,
    "enum",
    "must be equal to one of the allowed values",
    pointer="/effort",
    place=Place(Span(4, 1, 4, 13)),
    allowed=("low", "high"),
    actual="hihg",
)
PARSE = Finding(
    "(parse)",
    "parse",
    "a plain value holds ': '",
    place=Place(Span(3, 14, 3, 18)),
    fix=Fix("Quote the value", (Edit(Span(3, 14, 3, 18), '"a: b"'),)),
)
WARNING = Finding(
    "location:external",
    "location",
    '"metadata" is stored in the page.',
    pointer="/metadata",
    severity=Severity.WARNING,
    place=Place(Span(5, 1, 5, 9)),
)
NOTICE = replace(WARNING, schema="v", keyword="skipped", severity=Severity.NOTICE)


def artifact(*findings: Finding, path: str = "skills/a/SKILL.md", **fields: Any) -> FileResult:
    given = {
        "label": path,
        "root_path": path,
        "key": path,
        "collection": "skills",
        "faults": tuple(Fault((finding,)) for finding in findings),
        "source": SOURCE,
        **fields,
    }
    return FileResult(**given)


def report(*results: FileResult, **fields: Any) -> Report:
    return Report(results=results, summary=summarize(results), version="1.2.3", **fields)


def run_of(given: Report) -> dict[str, Any]:
    document = json.loads(sarif.render(given))
    assert document["$schema"] == "https://json.schemastore.org/sarif-2.1.0.json"
    assert document["version"] == "2.1.0"
    assert len(document["runs"]) == 1
    run: dict[str, Any] = document["runs"][0]
    return run


def only_result(*findings: Finding, **fields: Any) -> dict[str, Any]:
    results = run_of(report(artifact(*findings, **fields)))["results"]
    assert len(results) == 1
    result: dict[str, Any] = results[0]
    return result


def place_of(result: dict[str, Any]) -> dict[str, Any]:
    place: dict[str, Any] = result["locations"][0]["physicalLocation"]
    return place


def test_a_result() -> None:
    assert only_result(ENUM) == {
        "ruleId": f"{SKILL}/enum",
        "ruleIndex": 0,
        "level": "error",
        "message": {
            "text": (
                f"[{SKILL}] /effort must be equal to one of the allowed values; "
                "use one of low, high; did you mean 'high'?"
            ),
            "id": "default",
            "arguments": [
                SKILL,
                "/effort",
                (
                    "must be equal to one of the allowed values; "
                    "use one of low, high; did you mean 'high'?"
                ),
            ],
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "skills/a/SKILL.md", "uriBaseId": "%SRCROOT%"},
                    "region": {
                        "startLine": 4,
                        "startColumn": 1,
                        "endLine": 4,
                        "endColumn": 13,
                        "snippet": {"text": "effort: hihg"},
                    },
                    "contextRegion": {
                        "startLine": 2,
                        "startColumn": 1,
                        "endLine": 6,
                        "endColumn": 4,
                        "snippet": {"text": "\n".join(LINES[1:])},
                    },
                }
            }
        ],
        "partialFingerprints": {
            "manniFinding/v1": fingerprint(ENUM),
            "primaryLocationLineHash": "44:1",
        },
        "properties": {
            "schema": SKILL,
            "instancePath": "/effort",
            "keyword": "enum",
            "collection": "skills",
        },
    }


def test_the_driver_and_its_rules() -> None:
    run = run_of(report(artifact(ENUM, WARNING, ENUM)))
    driver = run["tool"]["driver"]
    assert driver["name"] == "manni"
    assert driver["version"] == driver["semanticVersion"] == "1.2.3"
    assert driver["informationUri"].startswith("https://")
    assert [rule["id"] for rule in driver["rules"]] == [
        f"{SKILL}/enum",
        "location:external/location",
    ]
    for rule in driver["rules"]:
        for field in ("shortDescription", "fullDescription", "help"):
            assert rule[field]["text"]
        assert rule["help"]["markdown"]
        assert f"/blob/v{__version__}/docs/rules.md#" in rule["helpUri"]
        assert rule["properties"]["tags"]
    first, second = driver["rules"]
    assert first["defaultConfiguration"]["level"] == "error"
    assert first["properties"]["problem.severity"] == "error"
    assert second["defaultConfiguration"]["level"] == "warning"


def test_a_version_that_is_not_semantic() -> None:
    driver = run_of(replace(report(), version="1.2.dev3"))["tool"]["driver"]
    assert driver["version"] == "1.2.dev3"
    assert "semanticVersion" not in driver


def test_levels_are_always_written() -> None:
    results = run_of(report(artifact(NOTICE, WARNING, ENUM)))["results"]
    assert [result["level"] for result in results] == ["error", "warning", "note"]


def test_rule_indices_lead_to_rules() -> None:
    run = run_of(report(artifact(NOTICE, WARNING, ENUM, PARSE), artifact(ENUM, path="b.md")))
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_schemas_that_produced_a_result_are_extensions() -> None:
    schemas = (
        SchemaInfo(SKILL, "2.1", "A skill", "https://example.com/2.1.json"),
        SchemaInfo("./local.json", uri="javascript:alert(1)"),
        SchemaInfo("unused:schema:1"),
    )
    local = replace(ENUM, schema="./local.json")
    run = run_of(report(artifact(ENUM, local), schemas=schemas))
    assert run["tool"]["extensions"] == [
        {
            "name": SKILL,
            "version": "2.1",
            "fullName": "A skill",
            "informationUri": "https://example.com/2.1.json",
        },
        {"name": "./local.json"},
    ]


def test_a_fix() -> None:
    result = only_result(PARSE)
    assert result["ruleId"] == "manni/parse-error"
    assert result["fixes"] == [
        {
            "description": {"text": "Quote the value."},
            "artifactChanges": [
                {
                    "artifactLocation": {"uri": "skills/a/SKILL.md", "uriBaseId": "%SRCROOT%"},
                    "replacements": [
                        {
                            "deletedRegion": {
                                "startLine": 3,
                                "startColumn": 14,
                                "endLine": 3,
                                "endColumn": 18,
                            },
                            "insertedContent": {"text": '"a: b"'},
                        }
                    ],
                }
            ],
        }
    ]
    assert place_of(result)["region"]["snippet"] == {"text": "a: b"}


def test_a_fix_that_guesses_says_so() -> None:
    guess = replace(PARSE, fix=Fix("Rename it", (Edit(Span(2, 1, 2, 5), "id"),), safe=False))
    (fix,) = only_result(guess)["fixes"]
    assert fix["description"]["text"] == "Rename it (a guess)."


def test_no_text_ends_in_the_end_of_a_pattern() -> None:
    pattern = replace(ENUM, keyword="pattern", message='must match pattern "^a$"', actual="b")
    fault = Fault((pattern, replace(ENUM, keyword="anyOf", allowed=(), message="no match")), 1)
    (result,) = run_of(report(replace(artifact(), faults=(fault,))))["results"]
    assert result["message"]["text"].endswith("use a value that matches '^a$'.")


def test_related_places_are_linked_from_the_message() -> None:
    finding = replace(ENUM, related=(Related(Span(2, 1, 2, 5), "the first one"),))
    result = only_result(finding)
    assert result["message"]["text"].endswith(" See [line 2](1).")
    (related,) = result["relatedLocations"]
    assert related["id"] == 1
    assert related["message"] == {"text": "the first one."}
    assert related["physicalLocation"]["region"]["snippet"] == {"text": "name"}


def test_no_text_of_a_document_becomes_a_link() -> None:
    finding = replace(ENUM, message="[here](1) [x](https://evil.example)", pointer="/[a](2)")
    assert "](" not in only_result(finding)["message"]["text"]


def test_a_region_over_several_lines() -> None:
    finding = replace(ENUM, place=Place(Span(3, 14, 5, 4)))
    region = place_of(only_result(finding))["region"]
    assert region["snippet"] == {"text": "a: b\neffort: hihg\nmet"}


def test_a_finding_without_a_place_is_at_the_start() -> None:
    place = place_of(only_result(replace(ENUM, place=None), source=SourceExcerpt()))
    region = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}
    assert place["region"] == {**region, "snippet": {"text": ""}}


def test_nothing_but_front_matter_is_quoted() -> None:
    body = only_result(replace(ENUM, place=Place(Span(7, 1, 7, 9))))
    assert "text" not in place_of(body)["region"]["snippet"]
    assert place_of(body)["contextRegion"]["startLine"] == 7
    manifest = replace(ENUM, place=Place(Span(4, 1, 4, 13), "meta.yaml"))
    result = only_result(manifest)
    assert place_of(result)["artifactLocation"]["uri"] == "meta.yaml"
    assert "text" not in place_of(result)["region"]["snippet"]
    assert "primaryLocationLineHash" not in result["partialFingerprints"]


def test_long_lines_are_not_quoted() -> None:
    source = SourceExcerpt(f"---\n{'x' * 500_000}\n---")
    result = only_result(replace(ENUM, place=Place(Span(2, 1, 2, 500_001))), source=source)
    several = only_result(replace(ENUM, place=Place(Span(1, 1, 3, 2))), source=source)
    assert len(json.dumps([result, several])) < 10_000


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("dir with space/SKILL.md", "dir%20with%20space/SKILL.md"),
        ("é/ü.md", "%C3%A9/%C3%BC.md"),
        ("100%/a#b?.md", "100%25/a%23b%3F.md"),
        ("a:b/[x].md", "a%3Ab/%5Bx%5D.md"),
        ("bad\udcff.md", "bad%FF.md"),
        ("lone\ud800.md", "lone%ED%A0%80.md"),
    ],
)
def test_paths_are_percent_encoded(path: str, uri: str) -> None:
    assert place_of(only_result(ENUM, path=path))["artifactLocation"]["uri"] == uri


def test_worst_first_and_otherwise_in_report_order() -> None:
    run = run_of(report(artifact(NOTICE, ENUM), artifact(ENUM, WARNING, path="b.md")))
    found = [(each["level"], place_of(each)["artifactLocation"]["uri"]) for each in run["results"]]
    assert found == [
        ("error", "skills/a/SKILL.md"),
        ("error", "b.md"),
        ("warning", "b.md"),
        ("note", "skills/a/SKILL.md"),
    ]


def test_one_result_a_fault_or_one_a_finding() -> None:
    fault = Fault((ENUM, replace(ENUM, keyword="if", message='must match "then" schema')))
    given = report(artifact(faults=(fault,)))
    assert len(run_of(given)["results"]) == 1
    assert len(run_of(replace(given, detail=Detail.FINDINGS))["results"]) == 2


def test_a_clean_run_is_a_complete_log() -> None:
    run = run_of(report(artifact(), notes=("Nothing is private",)))
    assert run["results"] == []
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["automationDetails"] == {"id": "manni/validate/"}
    assert run["tool"]["driver"]["rules"]
    assert run["invocations"] == [
        {
            "executionSuccessful": True,
            "exitCode": 0,
            "toolExecutionNotifications": [
                {"level": "note", "message": {"text": "Nothing is private."}}
            ],
        }
    ]


def test_a_run_without_a_verdict_is_a_complete_log_too() -> None:
    run = run_of(report(artifact(ENUM), failure="no such schema: x\ny"))
    assert run["results"] == []
    assert run["invocations"] == [
        {
            "executionSuccessful": False,
            "exitCode": 2,
            "toolConfigurationNotifications": [
                {"level": "error", "message": {"text": "no such schema: x\\ny."}}
            ],
        }
    ]


def test_errors_are_exit_code_1() -> None:
    assert run_of(report(artifact(ENUM)))["invocations"][0]["exitCode"] == 1
    assert run_of(report(artifact(WARNING)))["invocations"][0]["exitCode"] == 0


def test_the_category() -> None:
    run = run_of(report(category="skills/linux"))
    assert run["automationDetails"] == {"id": "manni/skills/linux/"}


def test_where_the_files_are_kept() -> None:
    repository = Repository("https://github.com/owner/name", "0" * 40, "refs/heads/main")
    assert run_of(report(repository=repository))["versionControlProvenance"] == [
        {
            "repositoryUri": "https://github.com/owner/name",
            "revisionId": "0" * 40,
            "branch": "refs/heads/main",
            "mappedTo": {"uriBaseId": "%SRCROOT%"},
        }
    ]
    assert "versionControlProvenance" not in run_of(report())
    assert "versionControlProvenance" not in run_of(report(repository=Repository("not a url")))


def test_results_outside_the_repository_are_counted() -> None:
    log = sarif.build(report(artifact(ENUM, root_path=None), artifact(WARNING, path="b.md")))
    assert (log.results, log.outside, log.left_out) == (1, 1, 0)
    said = "1 result left out, because code scanning shows no file outside the repository."
    assert log.notices == (said,)
    (invocation,) = json.loads(log.text)["runs"][0]["invocations"]
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == said


def test_a_log_does_not_depend_on_when_it_is_written() -> None:
    given = report(artifact(ENUM, PARSE, WARNING, NOTICE))
    assert sarif.render(given) == sarif.render(given)


def test_thirty_thousand_findings_stay_within_the_ceilings() -> None:
    many = artifact(*[WARNING] * 5_000, *[ENUM] * 25_000)
    log = sarif.build(report(many))
    run = json.loads(log.text)["runs"][0]
    assert (log.results, log.left_out) == (25_000, 5_000)
    assert {result["level"] for result in run["results"]} == {"error"}
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [f"{SKILL}/enum"]
    assert log.notices == (
        (
            "5000 results of 30000 left out, the least severe first: "
            "code scanning refuses larger logs."
        ),
        "Code scanning shows the 5000 worst of the 25000 results in this log.",
    )


def test_a_log_that_compresses_badly_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif_log, "MAX_GZIPPED", 100_000)
    noise = [
        replace(
            ENUM, message=hashlib.shake_256(bytes([number % 256, number // 256])).hexdigest(500)
        )
        for number in range(300)
    ]
    log = sarif.build(report(artifact(*noise)))
    assert 50 < log.results < 300
    assert log.results + log.left_out == 300
    assert len(json.loads(log.text)["runs"][0]["results"]) == log.results


def test_a_log_that_compresses_well_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif_log, "MAX_GZIPPED", 100_000)
    log = sarif.build(report(artifact(*[ENUM] * 1000)))
    assert len(log.text) > 500_000
    assert (log.results, log.left_out) == (1000, 0)


def test_a_log_is_never_larger_than_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif_log, "MAX_BYTES", 50_000)
    log = sarif.build(report(artifact(*[ENUM] * 1000)))
    assert 10 < log.results < 1000
    assert log.results + log.left_out == 1000
    assert len(log.text) < 60_000


def test_rules_have_a_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif_log, "MAX_RULES", 2)
    monkeypatch.setattr(sarif_log, "MAX_EXTENSIONS", 1)
    findings = [replace(ENUM, schema=f"./{letter}.json") for letter in "ababcd"]
    schemas = tuple(SchemaInfo(f"./{letter}.json") for letter in "abcd")
    log = sarif.build(report(artifact(*findings), schemas=schemas))
    run = json.loads(log.text)["runs"][0]
    assert [result["ruleIndex"] for result in run["results"]] == [0, 1, 0, 1]
    assert log.left_out == 2
    assert [each["name"] for each in run["tool"]["extensions"]] == ["./a.json"]
    assert log.notices[-1] == ("1 schema left undescribed: code scanning refuses more than 1.")


def test_the_writer_leaves_out_what_goes_without_saying() -> None:
    assert writer.plain(sarif_om.Result(message=sarif_om.Message(text="x"), rank=-1.0)) == {
        "message": {"text": "x"},
        "level": "warning",
    }
    assert writer.plain(sarif_om.Invocation(execution_successful=False, exit_code=0)) == {
        "executionSuccessful": False,
        "exitCode": 0,
    }
    assert writer.plain(sarif_om.ToolComponent(name="x")) == {"name": "x"}
    assert writer.plain({"a": None, "b": [1, None]}) == {"b": [1, None]}


def test_the_writer_refuses_what_is_no_part_of_a_log() -> None:
    with pytest.raises(TypeError, match="set is no part of a SARIF log"):
        writer.plain({"tags": {"a"}})


def test_lone_surrogates_are_replaced() -> None:
    text = sarif.render(report(artifact(ENUM, source=SourceExcerpt("---\n" * 3 + "\ud800" * 12))))
    assert "\ufffd" * 12 in text
    text.encode()
