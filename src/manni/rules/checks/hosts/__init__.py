"""The checks of kinds of files, which say what no schema can; one table tells which kind has which.

`check_kind` runs them. What depends on other files of the repository is not here; what a lenient
reading tells is in `lenient`, which only such a reading needs.
"""

from __future__ import annotations

from manni.model.findings import Fault, Finding
from manni.rules.checks.artifact import Artifact, Check
from manni.rules.checks.hosts.common import SKILLS
from manni.rules.checks.hosts.copilot import body_too_long, never_applied
from manni.rules.checks.hosts.front_matter import missing_front_matter
from manni.rules.checks.hosts.globs import quoted_glob
from manni.rules.checks.hosts.inert import inert_by_target, inert_in_plugin
from manni.rules.checks.hosts.keys import deprecated_key, near_miss_key
from manni.rules.checks.hosts.names import name_not_directory
from manni.rules.checks.hosts.paths import renamed_kind, skill_file_name
from manni.rules.checks.hosts.text_cut import text_cut
from manni.rules.checks.hosts.tools import foreign_tool, tools_conflict

__all__ = ["check_kind"]

_COMMON: tuple[Check, ...] = (missing_front_matter, near_miss_key, text_cut)
_OF_SKILLS: tuple[Check, ...] = (name_not_directory, tools_conflict, skill_file_name)

_CHECKS: dict[str, tuple[Check, ...]] = {
    **dict.fromkeys(SKILLS, (*_COMMON, *_OF_SKILLS)),
    "claude-agent": (*_COMMON, tools_conflict, inert_in_plugin),
    "claude-command": (*_COMMON, tools_conflict),
    "copilot-agent": (*_COMMON, inert_by_target, deprecated_key, renamed_kind, body_too_long),
    "copilot-instructions": (*_COMMON, never_applied),
    "copilot-prompt": (*_COMMON, deprecated_key),
    "cursor-rule": (*_COMMON, quoted_glob),
    # Its schema is closed, so that every unknown key is an error already.
    "gemini-agent": (missing_front_matter, text_cut, foreign_tool),
    "junie-agent": (*_COMMON, tools_conflict),
    "opencode-agent": (*_COMMON, deprecated_key),
    "qwen-agent": (*_COMMON, tools_conflict),
}
"""By kind, its checks; a kind that is not listed has the common ones."""


def check_kind(artifact: Artifact) -> tuple[Fault, ...]:
    """What is wrong with an artifact beside its schemas, in the order of the file."""
    checks = _CHECKS.get(artifact.kind, _COMMON)
    found = [finding for check in checks for finding in check(artifact)]
    if len(found) > 1:
        found.sort(key=_position)
    return tuple(Fault((finding,)) for finding in found)


def _position(finding: Finding) -> tuple[int, int]:
    span = finding.span
    return (span.line, span.column) if span else (0, 0)
