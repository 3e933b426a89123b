"""Lists of tools: `tools-conflict`, `foreign-tool`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from manni.documents.faults import show
from manni.model.findings import Finding, Severity
from manni.rules.checks.artifact import Artifact
from manni.rules.checks.hosts.common import SKILLS, finding, rewrite

_OF_SKILLS = ("allowed-tools", "disallowed-tools")
_OF_AGENTS = ("tools", "disallowedTools")
_SHOWN = 3

_BETWEEN_COMMAS = re.compile(r"(?:\([^()]*\)|[^,])+")
_BETWEEN_SPACES = re.compile(r"(?:\([^()]*\)|[^,\s])+")

_CLAUDE_TOOLS: dict[str, str | None] = {
    "Bash": "run_shell_command",
    "Edit": "replace",
    "Glob": "glob",
    "Grep": "grep_search",
    "LS": "list_directory",
    "LSP": None,
    "MultiEdit": "replace",
    "NotebookEdit": None,
    "Read": "read_file",
    "Task": None,
    "TodoWrite": "write_todos",
    "WebFetch": "web_fetch",
    "WebSearch": "google_web_search",
    "Write": "write_file",
}
"""Claude Code's names of tools, and Gemini CLI's for the same."""


def tools_conflict(artifact: Artifact) -> Iterator[Finding]:
    """Tools that one key grants and the other takes away."""
    granting, taking = _OF_AGENTS if _OF_AGENTS[0] in artifact.known else _OF_SKILLS
    granted, taken = artifact.value.get(granting), artifact.value.get(taking)
    if granted is None or taken is None:
        return
    spaced = artifact.kind in SKILLS
    names = _tools(granted, spaced=spaced)
    both = [name for name in _tools(taken, spaced=spaced) if name in names]
    if both:
        shown = ", ".join(show(name) for name in both[:_SHOWN])
        if len(both) > _SHOWN:
            shown += f" and {len(both) - _SHOWN} more"
        message = (
            f'{shown} stand in "{granting}" and in "{taking}", and the host takes them away; '
            "remove them from one of the two"
            if len(both) > 1
            else f'{shown} stands in "{granting}" and in "{taking}", and the host takes it away; '
            "remove it from one of the two"
        )
        yield finding(artifact, "tools-conflict", message, key=taking)


def _tools(value: object, *, spaced: bool) -> dict[str, None]:
    """The names of tools in a list or a text, each once, in order."""
    if isinstance(value, str):
        words = (_BETWEEN_SPACES if spaced else _BETWEEN_COMMAS).findall(value)
    elif isinstance(value, list):
        words = [item for item in value if isinstance(item, str)]
    else:
        words = []
    return dict.fromkeys(filter(None, (word.strip() for word in words)))


def foreign_tool(artifact: Artifact) -> Iterator[Finding]:
    """Claude Code's tools in an agent of Gemini CLI, which refuses the agent for them."""
    tools = artifact.value.get("tools")
    for index, tool in enumerate(tools if isinstance(tools, list) else ()):
        name = tool.partition("(")[0].strip() if isinstance(tool, str) else ""
        if name not in _CLAUDE_TOOLS:
            continue
        right, pointer = _CLAUDE_TOOLS[name], f"/tools/{index}"
        mend = f'call it "{right}"' if right else "remove it, since it has none like it"
        message = (
            f"{show(tool)} is Claude Code's name of a tool, and Gemini CLI refuses an agent with "
            f"a tool that it does not know; {mend}"
        )
        fix = (
            rewrite(artifact, pointer, right, safe=True)
            if right and right != name and name == tool
            else None
        )
        yield finding(
            artifact, "foreign-tool", message, pointer=pointer, severity=Severity.ERROR, fix=fix
        )
