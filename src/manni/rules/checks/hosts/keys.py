"""Keys under another name: `near-miss-key`, `deprecated-key`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from manni.discovery.kinds import KINDS
from manni.documents.faults import show
from manni.model.findings import Finding
from manni.rules.checks.artifact import Artifact
from manni.rules.checks.hosts.common import finding, rename
from manni.schemas.keys import keys_of

_SKILL_KEYS = {
    "tools": "allowed-tools",
    "disallowedTools": "disallowed-tools",
    "user-invokable": "user-invocable",
}
_SIBLINGS: dict[str, dict[str, str]] = {
    "portable-skill": _SKILL_KEYS,
    "claude-skill": _SKILL_KEYS,
    "claude-command": _SKILL_KEYS,
    "claude-agent": {"allowed-tools": "tools", "disallowed-tools": "disallowedTools"},
    "claude-rule": {"applyTo": "paths", "globs": "paths", "path": "paths"},
    "cline-rule": {"path": "paths"},
    "copilot-instructions": {"globs": "applyTo", "paths": "applyTo"},
    "cursor-rule": {"applyTo": "globs", "glob": "globs", "paths": "globs"},
}
"""By kind, the name that a key has in another kind of file, and its name here."""

_DEPRECATED: dict[str, dict[str, str | None]] = {
    "copilot-agent": {"infer": None, "user-invokable": "user-invocable"},
    "copilot-prompt": {"mode": "agent"},
    "opencode-agent": {"maxSteps": "steps", "tools": None},
}
"""By kind, the keys that the host wants renamed, and the new name where the value stays."""

_INSTEAD = {
    "infer": 'use "disable-model-invocation" and "user-invocable" instead',
    "tools": 'use "permission" instead',
}

_TOOL = re.compile(r"[A-Z][A-Za-z]+(?:\(|\Z|\s)|mcp__|\*\Z")

# Everyday words for what people keep beside the keys of a host.
_OWN = frozenset({"content", "contents", "effect", "path"})

_SHORT, _LONG = 4, 6
_COMPARED_LENGTH = 40
_COMPARED_KEYS = 200


def near_miss_key(artifact: Artifact) -> Iterator[Finding]:
    """Keys that the kind does not know, and that are nearly one that it knows."""
    known = artifact.known
    siblings = _SIBLINGS.get(artifact.kind, {})
    unknown = [key for key in artifact.value if key not in known] if known else []
    for key in unknown[:_COMPARED_KEYS]:
        right = siblings.get(key) if _is_meant(key, artifact.value[key]) else None
        why = "that is its name in another kind of file"
        if right is None:
            right = _nearest(key, known)
            why = "the host passes over keys that it does not know"
        if right is None:
            continue
        message = f"the key {show(key)} does nothing here, since {why}; did you mean {show(right)}?"
        if right in artifact.value:
            message = (
                f"the key {show(key)} does nothing here, since {why}; {show(right)} is there as "
                "well, so keep that one alone"
            )
        yield finding(artifact, "near-miss-key", message, key=key, fix=rename(artifact, key, right))


def _is_meant(key: str, value: object) -> bool:
    """Whether `tools` lists tools as Claude Code names them: collections of skills list hosts."""
    if key != "tools":
        return True
    words = value.split(",") if isinstance(value, str) else value
    return isinstance(words, list) and any(
        isinstance(word, str) and _TOOL.match(word.strip()) for word in words
    )


# Files of one kind mostly have the same keys of their own.
@lru_cache(maxsize=4096)
def _nearest(key: str, known: frozenset[str]) -> str | None:
    if len(key) > _COMPARED_LENGTH or key in _OWN:
        return None
    folded = _folded(key)
    names = sorted(known)
    for name in names:
        if _folded(name) == folded:
            return name
    near = [name for name in names if _is_near(folded, _folded(name))]
    # What is a key of another host is meant for that host.
    return near[0] if near and key not in _known_anywhere() else None


@cache
def _known_anywhere() -> frozenset[str]:
    return frozenset[str]().union(*(keys_of(kind).known for kind in KINDS))


def _folded(key: str) -> str:
    return key.lower().replace("-", "").replace("_", "")


def _is_near(one: str, other: str) -> bool:
    """Whether a letter or, of long names, two tell two names apart."""
    shorter = min(len(one), len(other))
    allowed = 2 if shorter >= _LONG else 1
    if shorter < _SHORT or abs(len(one) - len(other)) > allowed:
        return False
    # Each letter replaced changes at most two in the sets of letters: a cheap upper bound.
    return len(set(one) ^ set(other)) <= 2 * allowed and _distance(one, other) <= allowed


def _distance(one: str, other: str) -> int:
    """How many letters are put in, left out, replaced or swapped with the next one."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, char in enumerate(one, 1):
        line = [row]
        for column, target in enumerate(other, 1):
            cost = min(last[column] + 1, line[-1] + 1, last[column - 1] + (char != target))
            if row > 1 and column > 1 and one[row - 2] == target and char == other[column - 2]:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        before, last = last, line
    return last[-1]


def deprecated_key(artifact: Artifact) -> Iterator[Finding]:
    """Keys that the host still reads and wants replaced."""
    for key, new in _DEPRECATED.get(artifact.kind, {}).items():
        if key not in artifact.value or not _is_deprecated(artifact, key):
            continue
        if new is None:
            message = (
                f"the key {show(key)} is deprecated, and the host may drop it; {_INSTEAD[key]}"
            )
            yield finding(artifact, "deprecated-key", message, key=key)
            continue
        message = (
            f"the key {show(key)} is deprecated, and the host may drop it; "
            f"call it {show(new)} instead"
        )
        yield finding(artifact, "deprecated-key", message, key=key, fix=rename(artifact, key, new))


def _is_deprecated(artifact: Artifact, key: str) -> bool:
    """OpenCode's `tools` is deprecated as a mapping; anything else is an error of the schema's."""
    return key != "tools" or isinstance(artifact.value[key], dict)
