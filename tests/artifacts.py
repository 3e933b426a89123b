"""Artifacts of a kind, made from a path and a text, for the tests of what kinds are checked for."""

from __future__ import annotations

from manni.discovery.kinds import BY_ID
from manni.documents.front_matter import parse_document
from manni.documents.load import load
from manni.documents.sources import DocumentSources
from manni.rules.checks.artifact import Artifact
from manni.schemas.keys import keys_of

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
    keys = keys_of(BY_ID[kind])
    document = parse_document(text.encode())
    metadata = load(document)
    return Artifact(
        kind=kind,
        host=BY_ID[kind].host,
        path=path,
        in_plugin=in_plugin,
        has_front_matter=document.format is not None,
        head=document.head,
        body_length=len(text) - len(document.head),
        value=metadata.value,
        sources=DocumentSources(document, metadata),
        known=keys.known,
        required=keys.required,
    )
