"""Documents and every finding about them, asked of the command line as a user would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from manni.rules.checks.eval_entries import SEVERITIES
from support import DATA, Completed, Manni

Case = dict[str, Any]

_OF_SCHEMAS = ("schema", "instancePath", "keyword", "message", "subject", "line")


def _cases(file: str) -> list[Any]:
    cases = json.loads((DATA / file).read_text(encoding="utf-8"))["cases"]
    return [pytest.param(case, id=case["name"]) for case in cases]


def _validate(manni: Manni, directory: Path, text: str, references: list[str]) -> Completed:
    (directory / "case.md").write_bytes(text.encode("utf-8"))
    options = [option for reference in references for option in ("-s", reference)]
    arguments = ("case.md", "--no-config", "-f", "json", *options)
    return manni("meta", "validate", *arguments, cwd=directory)


def _schema_errors(done: Completed) -> list[dict[str, Any]]:
    """The errors that schemas give; the checks beyond them have tests of their own."""
    [result] = done.report["results"]
    return [
        {name: error[name] for name in _OF_SCHEMAS if name in error}
        for error in result["errors"]
        if "severity" not in error and error["keyword"] not in SEVERITIES
    ]


@pytest.mark.parametrize("case", _cases("findings.json"))
def test_findings(case: Case, manni: Manni, tmp_path: Path) -> None:
    done = _validate(manni, tmp_path, case["text"], case["schemas"])
    assert _schema_errors(done) == case["expect"]["findings"]
    marked = [
        error["instancePath"].removeprefix("/")
        for error in done.report["results"][0]["errors"]
        if error["keyword"] == "location"
    ]
    assert marked == list(case["expect"]["marks"])


@pytest.mark.parametrize("case", _cases("keywords.json"))
def test_keywords(case: Case, manni: Manni, tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text(json.dumps(case["schema"]), encoding="utf-8")
    done = _validate(manni, tmp_path, case["text"], ["schema.json"])
    expected = [error | {"schema": "schema.json"} for error in case["expect"]["findings"]]
    assert _schema_errors(done) == expected
    assert done.code == bool(expected)


@pytest.mark.parametrize("case", _cases("yaml.json"))
def test_yaml(case: Case, manni: Manni, tmp_path: Path) -> None:
    """A schema that takes only the expected values shows that they are what was read."""
    schema = {"const": case.get("data", {})}
    (tmp_path / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
    done = _validate(manni, tmp_path, case["text"], ["schema.json"])
    keywords = [error["keyword"] for error in done.report["results"][0]["errors"]]
    assert keywords == (["parse"] if case.get("parse_error") else [])


@pytest.mark.parametrize("case", _cases("field.json"))
def test_field(case: Case, manni: Manni, tmp_path: Path) -> None:
    done = _validate(manni, tmp_path, case["text"], case["schemas"])
    errors = done.report["results"][0]["errors"]
    expected = case["expect"]
    if expected.get("clean"):
        assert [error for error in errors if error["schema"] != "location:external"] == []
        return
    assert any(_fits(error, expected) for error in errors), errors


def _fits(error: dict[str, Any], expected: dict[str, Any]) -> bool:
    return (
        _rule_id(error) == expected["rule"]
        and error["line"] == expected["line"]
        and error["col"] == expected.get("col", error["col"])
        and error.get("severity", "error") == expected.get("severity", "error")
        and all(word in error["message"] for word in expected.get("says", ()))
    )


def _rule_id(error: dict[str, Any]) -> str:
    if error["schema"] == "(parse)":
        return f"manni/{error['keyword']}-error"
    return f"{error['schema']}/{error['keyword']}"
