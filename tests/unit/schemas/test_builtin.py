"""The schemas that ship."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from manni.base.errors import SchemaError
from manni.schemas import builtin as builtins

DATA = Path(__file__).parents[2] / "data"
NAME_MAPS = {"properties", "patternProperties", "$defs", "dependentSchemas"}
IDS = (
    "manni:artifact-evals:1.0.0",
    "manni:artifact-evals-strict:1.0.0",
    "manni:evals:1.0.0-proposal.4",
    "anthropic:claude-skill:2.1",
    "anthropic:claude-subagent:2.1",
    "agentskills:skill:1.0",
    "manni:portable-skill:1.0",
    "anthropic:claude-command:1.0",
    "anthropic:claude-rule:1.0",
    "anthropic:claude-output-style:1.0",
    "github:copilot-agent:1.0",
    "github:copilot-instructions:1.0",
    "github:copilot-prompt:1.0",
    "cursor:rule:1.0",
    "cursor:agent:1.0",
    "cursor:command:1.0",
    "google:gemini-agent:1.0",
    "google:antigravity-agent:1.0",
    "opencode:agent:1.0",
    "opencode:command:1.0",
    "kiro:steering:1.0",
    "kiro:agent:1.0",
    "windsurf:rule:1.0",
    "cline:rule:1.0",
    "qwen:agent:1.0",
    "factory:droid:1.0",
    "junie:agent:1.0",
    "augment:agent:1.0",
    "augment:rule:1.0",
    "roo:command:1.0",
)


def rules(node: Any, *, names: bool = False) -> Any:
    """A schema without its texts, in its own order."""
    if isinstance(node, dict):
        return {
            key: rules(value, names=not names and key in NAME_MAPS)
            for key, value in node.items()
            if names or key not in {"title", "description"}
        }
    if isinstance(node, list):
        return [rules(item) for item in node]
    return node


def document(name: str) -> dict[str, Any]:
    entry = builtins.find(name)
    assert entry is not None
    return builtins.document(entry)


def properties(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Each property that a person may write, outside of conditions."""
    if not isinstance(node, dict):
        return
    for name, value in node.get("properties", {}).items():
        yield f"{path}/{name}", value
        yield from properties(value, f"{path}/{name}")
    for name, value in node.get("$defs", {}).items():
        yield from properties(value, f"{path}#{name}")


def test_the_list_is_complete_and_in_order() -> None:
    assert tuple(entry.id for entry in builtins.entries()) == IDS
    directory = builtins.directory()
    files = {path.relative_to(directory).as_posix() for path in directory.glob("*/*.json")}
    assert {entry.file for entry in builtins.entries()} == files


@pytest.mark.parametrize("entry", builtins.entries(), ids=lambda entry: entry.id)
def test_an_entry_and_its_schema_agree(entry: builtins.Entry) -> None:
    loaded = builtins.document(entry)
    vendor, name, version = entry.id.split(":")
    shared = name in {"agent", "command", "rule"}
    assert loaded["$id"] == entry.id
    assert entry.file == f"{f'{vendor}-' if shared else ''}{name}/{version}.json"
    assert entry.url == f"https://hawkeyexl.github.io/manni/schemas/{entry.file}"
    assert entry.summary
    assert "\n" not in entry.summary
    assert json.loads(builtins.source(entry.url)) == loaded
    # Patterns are ECMAScript, which Python's own check of the format `regex` does not know.
    Draft202012Validator.check_schema(loaded, format_checker=FormatChecker(()))


@pytest.mark.parametrize("name", IDS)
def test_every_property_is_described(name: str) -> None:
    schema = document(name)
    found = [("", schema), *properties(schema)]
    bare = [path for path, item in found if "$ref" not in item and not item.get("description", "")]
    assert bare == []
    assert len(found) >= 3


def test_the_rules_of_artifact_evals_are_the_published_ones() -> None:
    published = json.loads((DATA / "artifact-evals-rules.json").read_text(encoding="utf-8"))
    own = rules(document("manni:artifact-evals:1.0.0"))
    # As text, since the order of properties decides the order of findings.
    assert json.dumps(own) == json.dumps(published)


def test_the_entry_of_a_page_is_the_entry_of_an_artifact() -> None:
    artifact = rules(document("manni:artifact-evals:1.0.0")["$defs"])
    page = rules(document("manni:evals:1.0.0-proposal.4")["$defs"])
    for name in ("inlineEval", "evalType", "severity", "anchorList"):
        assert json.dumps(page[name]) == json.dumps(artifact[name])
    assert "metaProvenanceEntry" not in page


def test_the_overlay_requires_nothing_and_has_no_location() -> None:
    text = json.dumps(rules(document("manni:artifact-evals-strict:1.0.0")))
    assert '"required"' not in text
    assert "x-manni-location" not in text


def test_an_unknown_id_names_the_nearest_and_lists_all() -> None:
    with pytest.raises(SchemaError) as caught:
        builtins.source("anthropic:claude-skil:2.1")
    assert "did you mean 'anthropic:claude-skill:2.1'?" in str(caught.value)
    assert all(name in str(caught.value) for name in IDS)


def test_an_id_unlike_any_other_gets_no_guess() -> None:
    with pytest.raises(SchemaError) as caught:
        builtins.source("\x1b[31m:" + "z" * 5000)
    assert "did you mean" not in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 1200
