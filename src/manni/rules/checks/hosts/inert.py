"""`inert-key`: keys that the host knows and ignores in this place."""

from __future__ import annotations

from collections.abc import Iterator

from manni.documents.faults import show
from manni.model.findings import Finding
from manni.rules.checks.artifact import Artifact
from manni.rules.checks.hosts.common import finding

_NOT_IN_PLUGINS = frozenset({"hooks", "mcpServers", "permissionMode"})

_TARGETS = {
    "github-copilot": ("GitHub", frozenset({"agents", "argument-hint", "handoffs", "hooks"})),
    "vscode": ("VS Code", frozenset({"mcp-servers", "metadata"})),
}
"""The host that each `target` keeps an agent to, and the keys of the other one."""


def inert_in_plugin(artifact: Artifact) -> Iterator[Finding]:
    """What Claude Code ignores in an agent that a plugin ships."""
    if not artifact.in_plugin:
        return
    for key, value in artifact.value.items():
        if key in _NOT_IN_PLUGINS:
            message = (
                f"Claude Code ignores {show(key)} in an agent that a plugin ships; remove it, or "
                'keep the agent in ".claude/agents"'
            )
        elif key == "isolation" and value == "remote":
            message = (
                'Claude Code takes no "isolation" but "worktree" from an agent that a plugin '
                'ships; write "worktree", or remove it'
            )
        else:
            continue
        yield finding(artifact, "inert-key", message, key=key)


def inert_by_target(artifact: Artifact) -> Iterator[Finding]:
    """What the one host of a Copilot agent ignores that `target` keeps the agent to."""
    target = artifact.value.get("target")
    if not isinstance(target, str) or target not in _TARGETS:
        return
    host, ignored = _TARGETS[target]
    for key in artifact.value:
        if key in ignored:
            message = (
                f'"target" keeps this agent to {host}, which ignores {show(key)}; '
                'remove it, or remove "target"'
            )
            yield finding(artifact, "inert-key", message, key=key)
