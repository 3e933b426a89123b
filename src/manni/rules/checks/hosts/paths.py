"""Rules about the name of a file alone: `skill-file-name`, `renamed-kind`."""

from __future__ import annotations

from collections.abc import Iterator

from manni.documents.faults import show
from manni.model.findings import Finding
from manni.rules.checks.artifact import Artifact
from manni.rules.checks.hosts.common import finding

_SKILL = "SKILL.md"
_CHAT_MODE = ".chatmode.md"


def skill_file_name(artifact: Artifact) -> Iterator[Finding]:
    """A skill whose file is not named `SKILL.md` in exactly these letters."""
    name = artifact.path.rpartition("/")[2]
    if name != _SKILL and name.lower() == _SKILL.lower():
        message = (
            f"the skill's file is named {show(name)}; hosts that tell upper from lower case do "
            f'not find it, so rename it to "{_SKILL}"'
        )
        yield finding(artifact, "skill-file-name", message)


def renamed_kind(artifact: Artifact) -> Iterator[Finding]:
    """A chat mode, which VS Code calls a custom agent now."""
    name = artifact.path.rpartition("/")[2]
    if name.lower().endswith(_CHAT_MODE):
        message = (
            "chat modes are called custom agents now, and only VS Code still reads this file; "
            'move it to ".github/agents" and let its name end in ".agent.md"'
        )
        yield finding(artifact, "renamed-kind", message)
