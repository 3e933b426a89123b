"""What only Copilot's files can have wrong: `never-applied`, `body-too-long`."""

from __future__ import annotations

from collections.abc import Iterator

from manni.model.findings import Finding
from manni.rules.checks.artifact import Artifact
from manni.rules.checks.hosts.common import finding

MAX_BODY = 30_000
"""How many characters of an agent's text GitHub takes."""


def never_applied(artifact: Artifact) -> Iterator[Finding]:
    """Instructions that name no files and say nothing of when they are needed."""
    if artifact.head and not artifact.has_front_matter:
        return  # a fence is at fault, and there may well be keys behind it
    if any(_says(artifact, key) for key in ("applyTo", "description")):
        return
    message = (
        'the instructions have neither "applyTo" nor "description", so no host applies them by '
        'itself; say in "applyTo" which files they are for, such as "**" for all'
    )
    yield finding(artifact, "never-applied", message)


def _says(artifact: Artifact, key: str) -> bool:
    value = artifact.value.get(key, "")
    return not isinstance(value, str) or bool(value.strip())


def body_too_long(artifact: Artifact) -> Iterator[Finding]:
    """An agent whose text is longer than GitHub takes, unless it is for VS Code alone."""
    if artifact.body_length > MAX_BODY and artifact.value.get("target") != "vscode":
        message = (
            f"the text below the front matter has {artifact.body_length:,} characters, and GitHub "
            f"takes at most {MAX_BODY:,} of an agent; shorten it"
        )
        yield finding(artifact, "body-too-long", message)
