"""However a run gets to its findings, they are the same, byte for byte."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from manni.engine.check import Checker
from manni.schemas.builtin import CONFIG
from manni.validation import Validator
from support import DATA, Manni

Groups = dict[tuple[str, ...], list[str]]


def _groups() -> Groups:
    """The documents of all handed cases, by the schemas that they are checked against."""
    groups: Groups = defaultdict(list)
    for file in ("findings.json", "field.json", "yaml.json"):
        for case in json.loads((DATA / file).read_text(encoding="utf-8"))["cases"]:
            groups[tuple(case.get("schemas", ["anthropic:claude-skill:2.1"]))].append(case["text"])
    return groups


GROUPS = [pytest.param(key, texts, id=" ".join(key)) for key, texts in _groups().items()]


@pytest.mark.parametrize(("schemas", "texts"), GROUPS)
def test_every_way_leads_to_the_same_findings(
    schemas: tuple[str, ...],
    texts: list[str],
    manni: Manni,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    # Each document again with another body, the copy first or last.
    for number, text in enumerate(texts):
        names = (f"{number:04}-{part}.md" for part in ("ab" if number % 2 else "ba"))
        for name, body in zip(names, ("", "\nmore\n---\nend\n"), strict=True):
            (tmp_path / name).write_bytes(f"{text}{body}".encode())
    options = [option for reference in schemas for option in ("-s", reference)]

    def reports(jobs: str) -> list[str]:
        arguments = ("meta", "validate", ".", "--no-config", "--jobs", jobs, *options)
        return [manni(*arguments, "-f", form, cwd=tmp_path).out for form in ("json", "sarif")]

    expected = reports("1")
    assert len(json.loads(expected[0])["results"]) == 2 * len(texts)
    assert reports("4") == expected
    monkeypatch.setattr(Checker, "_check_once", Checker._check_document)
    assert reports("1") == expected
    monkeypatch.setattr(Validator, "is_valid", lambda _self, _value: False)
    assert reports("1") == expected


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was held against a schema, value by value; the config is none of it."""
    seen: list[object] = []
    original: Callable[..., Any] = Validator.faults

    def faults(self: Validator, value: object, *rest: Any) -> Any:
        if self.reference != CONFIG.id:
            seen.append(value)
        return original(self, value, *rest)

    monkeypatch.setattr(Validator, "faults", faults)
    return seen


def _write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _keywords(manni: Manni, root: Path, *options: str) -> dict[str, list[str]]:
    report = manni("meta", "validate", "-f", "json", *options, cwd=root).report
    return {
        result["file"]: [error["keyword"] for error in result["errors"]]
        for result in report["results"]
    }


def test_equal_front_matter_is_judged_once(repo: Path, manni: Manni, judged: list[object]) -> None:
    wrong = "---\npaths: [1]\n---\n"
    names = [f".claude/rules/{number:02}.md" for number in range(20)]
    _write(repo, {name: f"{wrong}\n# {name}\n" for name in names})
    assert _keywords(manni, repo) == {name: ["type"] for name in names}
    assert len(judged) == 1


def test_equal_front_matter_is_judged_for_each_set(
    repo: Path, manni: Manni, judged: list[object]
) -> None:
    config = """\
meta:
  schemas: [anthropic:claude-skill:2.1]
  overrides:
    - files: [open/**]
      schemas: [open.json]
collections:
  - name: all
    paths: ["**/*.md"]
"""
    page = "---\nname: a\neffort: highest\n---\n"
    _write(repo, {"manni.config.yaml": config, "open.json": "{}"})
    _write(repo, {"a/SKILL.md": page, "open/SKILL.md": page, "open/b.md": page})
    found = _keywords(manni, repo)
    assert found == {"a/SKILL.md": ["enum"], "open/SKILL.md": [], "open/b.md": []}
    assert len(judged) == 2


def test_a_schema_beside_the_page_is_its_own(repo: Path, manni: Manni) -> None:
    page = '---\n"$schema": ./page.json\nname: a\n---\n'
    _write(repo, {"a/page.md": page, "b/page.md": page})
    _write(repo, {"a/page.json": "{}", "b/page.json": '{"required": ["title"]}'})
    assert _keywords(manni, repo, "**/*.md") == {"a/page.md": [], "b/page.md": ["required"]}


def test_what_is_said_of_storage_is_about_the_page_itself(repo: Path, manni: Manni) -> None:
    config = """\
meta:
  schemas: [anthropic:claude-skill:2.1, manni:artifact-evals:1.0.0]
collections:
  - name: first
    paths: [first/**]
  - name: second
    paths: [second/**]
"""
    page = "---\nname: a\nmetadata:\n  evals:\n    - {id: a, assertion: It did.}\n---\n"
    _write(repo, {"manni.config.yaml": config})
    _write(repo, {"first/a.md": page, "second/a.md": page, "third/a.md": page})
    report = manni("meta", "validate", "-f", "json", "**/*.md", cwd=repo).report
    said = [error["message"] for result in report["results"] for error in result["errors"]]
    assert said[0] == said[1] != said[2]
    assert "none of the 2 collections" in said[2]


@pytest.mark.parametrize("jobs", ["1", "4"])
def test_the_first_error_ends_the_run(jobs: str, repo: Path, manni: Manni) -> None:
    """Schemas that do not compile are met one after the other, whoever meets them first."""
    overrides = "".join(
        f"    - files: ['{number:03}.md']\n      schemas: [s{number}.json]\n"
        for number in range(40)
    )
    config = f"meta:\n  overrides:\n{overrides}collections:\n  - name: all\n    paths: ['*.md']\n"
    _write(repo, {"manni.config.yaml": config})
    for number in range(40):
        wrong = number in {17, 23, 24, 39}
        schema = '{"pattern": "("}' if wrong else "{}"
        _write(repo, {f"s{number}.json": schema, f"{number:03}.md": "---\nname: a\n---\n"})
    done = manni("meta", "validate", "--jobs", jobs, cwd=repo)
    assert done.code == 2
    assert done.err.startswith("manni: s17.json")
