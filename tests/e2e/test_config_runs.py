"""A config as users meet it: its mistakes, and runs from wherever they stand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import DATA, Manni

MISTAKES = DATA / "config_mistakes"
MESSAGES: dict[str, str] = json.loads((MISTAKES / "messages.json").read_text(encoding="utf-8"))

TWO_COLLECTIONS = """\
collections:
  - name: skills
    paths: [".claude/skills/**/SKILL.md"]
  - name: agents
    paths: [".claude/agents/*.md"]

meta:
  overrides:
    - collection: skills
      schemas:
        - anthropic:claude-skill:2.1
        - manni:artifact-evals:1.0.0
    - collection: agents
      schemas:
        - anthropic:claude-subagent:2.1
        - manni:artifact-evals:1.0.0
"""
GRADER = """\
---
name: fix-bug
description: Fixes a bug.
metadata:
  evals:
    - {id: used-read, assertion: It read a file., grader: tool-useage}
---
"""


@pytest.mark.parametrize(
    "name", ["empty", "yaml-duplicate-key", "meta-unknown-key", "override-undeclared"]
)
def test_a_mistake_is_one_sentence_and_no_verdict(name: str, repo: Path, manni: Manni) -> None:
    config = (MISTAKES / f"{name}.yaml").read_bytes()
    (repo / "manni.config.yaml").write_bytes(config)
    done = manni("meta", "validate", "-c", "manni.config.yaml", cwd=repo)
    assert (done.code, done.out, done.err) == (2, "", f"manni: {MESSAGES[name]}\n")


@pytest.fixture
def two(repo: Path) -> Path:
    """A repository with a skill and an agent, and the vocabulary's own configuration."""
    (repo / "manni.config.yaml").write_text(TWO_COLLECTIONS, encoding="utf-8")
    for path in (".claude/skills/fix bug #1/é%[x]/SKILL.md", ".claude/agents/fix.md"):
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(GRADER, encoding="utf-8")
    return repo


def _schemas_of_errors(manni: Manni, cwd: Path) -> list[str]:
    results = manni("meta", "validate", "-f", "json", cwd=cwd).report["results"]
    return [
        error["schema"]
        for result in results
        for error in result["errors"]
        if "severity" not in error
    ]


def test_the_open_vocabulary_takes_any_grader(two: Path, manni: Manni) -> None:
    assert _schemas_of_errors(manni, two) == []


def test_the_config_knows_further_graders(two: Path, manni: Manni) -> None:
    assert "tool-useage" in manni("meta", "validate", cwd=two).out
    config = TWO_COLLECTIONS + "action:\n  graders: [tool-useage]\n"
    (two / "manni.config.yaml").write_text(config, encoding="utf-8")
    assert "tool-useage" not in manni("meta", "validate", cwd=two).out


def test_an_empty_config_is_not_passed_over(repo: Path, manni: Manni) -> None:
    (repo / "manni.config.yaml").write_text("# meta:\n", encoding="utf-8")
    done = manni("meta", "validate", cwd=repo)
    assert (done.code, done.err) == (2, f"manni: {MESSAGES['empty']}\n")


def test_strict_does_not_reach_the_overlay(two: Path, manni: Manni) -> None:
    config = TWO_COLLECTIONS.replace("meta:\n", "meta:\n  strict: true\n")
    (two / "manni.config.yaml").write_text(config, encoding="utf-8")
    assert _schemas_of_errors(manni, two) == []


def test_the_overlay_holds_where_it_is_listed(two: Path, manni: Manni) -> None:
    strict = "        - manni:artifact-evals-strict:1.0.0\n"
    listed = TWO_COLLECTIONS.replace(
        "    - collection: agents\n", f"{strict}    - collection: agents\n"
    )
    (two / "manni.config.yaml").write_text(listed, encoding="utf-8")
    assert set(_schemas_of_errors(manni, two)) == {"manni:artifact-evals-strict:1.0.0"}


@pytest.mark.parametrize("git", ["directory", "worktree"])
@pytest.mark.parametrize("start", ["", ".claude/skills/fix bug #1", "../elsewhere"])
def test_from_anywhere(start: str, git: str, two: Path, manni: Manni) -> None:
    if git == "worktree":
        (two / ".git").rmdir()
        (two / ".git").write_text("gitdir: /elsewhere\n", encoding="utf-8")
    cwd = (two / start).resolve()
    cwd.mkdir(exist_ok=True)
    options = ("-c", "../repo/manni.config.yaml") if start.startswith("..") else ()
    done = manni("meta", "validate", "-f", "json", *options, cwd=cwd)
    labels = [result["file"] for result in done.report["results"]]
    found = [(cwd / label).resolve().relative_to(two).as_posix() for label in labels]
    assert found == [".claude/agents/fix.md", ".claude/skills/fix bug #1/é%[x]/SKILL.md"]
    log = json.loads(manni("meta", "validate", "-f", "sarif", *options, cwd=cwd).out)
    uris = {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in log["runs"][0]["results"]
    }
    assert uris == {
        ".claude/agents/fix.md",
        ".claude/skills/fix%20bug%20%231/%C3%A9%25%5Bx%5D/SKILL.md",
    }
