"""An alert keeps its `manniFinding/v1` through edits that leave its mistake where it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import Manni

BASE = """\
---
name: tidy
description: Tidies.
effort: extreme
metadata:
  evals:
    - id: first
      assertion: One.
      severity: fatal
    - id: second
      assertion: Two.
      wieght: 2
---

# Body
"""


def _prints(manni: Manni, directory: Path, text: str, name: str = "SKILL.md") -> set[str]:
    (directory / name).write_bytes(text.encode())
    schemas = ("-s", "anthropic:claude-skill:2.1", "-s", "manni:artifact-evals:1.0.0")
    done = manni("meta", "validate", name, "--no-config", "-f", "sarif", *schemas, cwd=directory)
    [run] = json.loads(done.out)["runs"]
    return {result["partialFingerprints"]["manniFinding/v1"] for result in run["results"]}


def _entries(*ids: str) -> str:
    lines = BASE.splitlines(keepends=True)
    by_id = {"first": lines[6:9], "second": lines[9:12]}
    by_id["third"] = ["    - id: third\n", "      assertion: Three.\n"]
    entries = [line for name in ids for line in by_id[name]]
    return "".join([*lines[:6], *entries, *lines[12:]])


KEPT = {
    "insert a line": BASE.replace("---\n\n# Body", "\n---\n\n# Body"),
    "insert a key": BASE.replace("effort:", "license: MIT\neffort:"),
    "an entry before": _entries("third", "first", "second"),
    "an entry after": _entries("first", "second", "third"),
    "reorder keys": BASE.replace(
        "name: tidy\ndescription: Tidies.\n", "description: Tidies.\nname: tidy\n"
    ),
    "reorder entries": _entries("second", "first"),
    "CRLF": BASE.replace("\n", "\r\n"),
    "requote": BASE.replace("extreme", "'extreme'").replace("fatal", '"fatal"'),
    "body": BASE.replace("# Body", "# Another body\n\nWith more."),
    "comment": BASE.replace("effort:", "# how hard\neffort:"),
    "indentation": BASE.replace("\n      ", "\n         ").replace("\n    - id", "\n    -    id"),
}

CHANGED = {
    "another wrong key": BASE.replace("wieght", "weihgt"),
    "another id": BASE.replace("id: second", "id: other"),
    "another keyword": BASE.replace("effort: extreme", "effort: 3\nlicense: ''"),
}


@pytest.mark.parametrize("edit", KEPT)
def test_kept(edit: str, manni: Manni, tmp_path: Path) -> None:
    assert KEPT[edit] != BASE
    before = _prints(manni, tmp_path, BASE)
    assert len(before) == 4
    assert _prints(manni, tmp_path, KEPT[edit]) == before


def test_kept_when_the_file_is_renamed(manni: Manni, tmp_path: Path) -> None:
    assert _prints(manni, tmp_path, BASE, "renamed.md") == _prints(manni, tmp_path, BASE)


def test_kept_when_a_message_is_reworded(
    manni: Manni, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _prints(manni, tmp_path, BASE)
    from manni.model import findings

    original = findings.Finding.__init__

    def reworded(self: findings.Finding, *args: object, **options: object) -> None:
        original(self, *args, **options)  # type: ignore[arg-type]
        object.__setattr__(self, "message", "said in other words")

    monkeypatch.setattr(findings.Finding, "__init__", reworded)
    assert _prints(manni, tmp_path, BASE) == before


@pytest.mark.parametrize("edit", CHANGED)
def test_changed(edit: str, manni: Manni, tmp_path: Path) -> None:
    assert _prints(manni, tmp_path, CHANGED[edit]) != _prints(manni, tmp_path, BASE)
