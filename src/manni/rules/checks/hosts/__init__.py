"""What a kind of file demands beyond its schemas."""

from __future__ import annotations

from manni.model.findings import Fault
from manni.rules.checks.artifact import Artifact


def check_kind(_artifact: Artifact) -> tuple[Fault, ...]:
    """Everything that the checks of its kind find in an artifact, in the order of the file."""
    return ()
