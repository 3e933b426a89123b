"""The schemas of the hosts, asked of the command line: right documents, and a wrong one a key.

`data/hosts/` holds a file a schema: documents, each with the keyword, the pointer and the severity
of every fault that is told about it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from manni.schemas import builtin
from support import DATA, Manni

FILES = sorted((DATA / "hosts").glob("*.json"))
OLDER = {
    "manni:artifact-evals:1.0.0",
    "manni:artifact-evals-strict:1.0.0",
    "manni:evals:1.0.0-proposal.4",
    "anthropic:claude-skill:2.1",
    "anthropic:claude-subagent:2.1",
    "agentskills:skill:1.0",
}


def _read(file: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def _keys(schema: dict[str, Any]) -> set[str]:
    """Every key that the schema restricts, wherever it stands in it."""
    found: set[str] = set()
    for name, part in schema.get("properties", {}).items():
        if {"type", "enum", "const", "pattern", "$ref"} & set(part):
            found.add(name)
    for definition in schema.get("$defs", {}).values():
        found |= _keys(definition)
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_schema_gives_exactly_these_faults(file: Path, manni: Manni, tmp_path: Path) -> None:
    content = _read(file)
    names = [f"{number:03}.md" for number in range(len(content["cases"]))]
    for name, case in zip(names, content["cases"], strict=True):
        (tmp_path / name).write_text(case["text"], encoding="utf-8", newline="")
    options = ("--no-config", "-s", content["schema"], "-f", "sarif")
    done = manni("meta", "validate", *names, *options, cwd=tmp_path)
    [run] = done.report["runs"]
    told: defaultdict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        about = result["properties"]
        told[place].append((about["keyword"], about["instancePath"], result["level"]))
    for name, case in zip(names, content["cases"], strict=True):
        expected = sorted(tuple(fault) for fault in case["expect"])
        assert sorted(told[name]) == expected, case["name"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_key_is_wrong_once(file: Path) -> None:
    content = _read(file)
    entry = builtin.find(content["schema"])
    assert entry is not None
    wrong = {
        part
        for case in content["cases"]
        for _, pointer, _ in case["expect"]
        for part in pointer.split("/")
    }
    assert _keys(builtin.document(entry)) - wrong == set()


def test_every_schema_of_a_host_has_its_cases() -> None:
    assert {_read(file)["schema"] for file in FILES} | OLDER == {
        entry.id for entry in builtin.entries()
    }
