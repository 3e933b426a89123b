"""Artifacts of a kind, made from a path and a text, for the tests of what kinds are checked for."""

from __future__ import annotations

from manni.documents.front_matter import parse_document
from manni.documents.load import load
from manni.model.findings import Severity
from manni.rules.checks.artifact import Artifact, DocumentSources
from manni.rules.checks.hosts import known_keys, required_keys
from manni.schemas import builtin

SCHEMAS: dict[str, tuple[str, ...]] = {
    "claude-agent": ("anthropic:claude-subagent:2.1",),
    "claude-command": ("anthropic:claude-command:1.0",),
    "claude-rule": ("anthropic:claude-rule:1.0",),
    "claude-skill": ("anthropic:claude-skill:2.1", "manni:portable-skill:1.0"),
    "cline-rule": ("cline:rule:1.0",),
    "copilot-agent": ("github:copilot-agent:1.0",),
    "copilot-instructions": ("github:copilot-instructions:1.0",),
    "copilot-prompt": ("github:copilot-prompt:1.0",),
    "cursor-rule": ("cursor:rule:1.0",),
    "gemini-agent": ("google:gemini-agent:1.0",),
    "junie-agent": ("junie:agent:1.0",),
    "opencode-agent": ("opencode:agent:1.0",),
    "portable-skill": ("manni:portable-skill:1.0",),
    "qwen-agent": ("qwen:agent:1.0",),
}

_PARTS = {
    ".agents/skills/": "portable-skill",
    ".claude/agents/": "claude-agent",
    ".claude/commands/": "claude-command",
    ".claude/rules/": "claude-rule",
    ".claude/skills/": "claude-skill",
    ".clinerules/": "cline-rule",
    ".cursor/rules/": "cursor-rule",
    ".gemini/agents/": "gemini-agent",
    ".junie/agents/": "junie-agent",
    ".opencode/agents/": "opencode-agent",
    ".qwen/agents/": "qwen-agent",
    ".chatmode.md": "copilot-agent",
    ".agent.md": "copilot-agent",
    ".instructions.md": "copilot-instructions",
    ".prompt.md": "copilot-prompt",
    "SKILL.md": "claude-skill",
}


def artifact(path: str, text: str, *, in_plugin: bool = False) -> Artifact:
    """The artifact of a text at a path, of the kind that the path says."""
    kind = next(kind for part, kind in _PARTS.items() if part in path)
    schemas = [(name, builtin.document(_entry(name))) for name in SCHEMAS[kind]]
    required: dict[str, Severity] = {}
    for name, schema in schemas:
        lowered = kind == "claude-skill" and name.startswith("manni:")
        required = required_keys(schema, lowered=lowered) | required
    document = parse_document(text.encode())
    metadata = load(document)
    return Artifact(
        kind=kind,
        host=kind.partition("-")[0],
        path=path,
        in_plugin=in_plugin,
        has_front_matter=document.format is not None,
        head=document.head,
        body_length=len(text) - len(document.head),
        value=metadata.value,
        sources=DocumentSources(document, metadata),
        known=frozenset[str]().union(*(known_keys(schema) for _, schema in schemas)),
        required=required,
    )


def _entry(name: str) -> builtin.Entry:
    entry = builtin.find(name)
    assert entry is not None
    return entry
