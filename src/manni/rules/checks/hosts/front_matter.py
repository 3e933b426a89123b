"""`missing-front-matter`: a file whose kind needs front matter has none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from manni.base.text import shorten
from manni.model.findings import Finding, Severity
from manni.rules.checks.artifact import Artifact
from manni.rules.checks.hosts.common import SKILLS, finding

_DESCRIPTION = "What it does and when to use it."
_SHOWN_NAME = 64


def missing_front_matter(artifact: Artifact) -> Iterator[Finding]:
    """One finding for all the keys that the kind requires, with a skeleton to copy."""
    # A head without front matter belongs to a fence that is at fault, which has its own finding.
    if artifact.has_front_matter or artifact.head or not artifact.required:
        return
    severity = min(artifact.required.values(), key=lambda each: each.rank)
    lines = " ".join(f'"{line}"' for line in ("---", *_skeleton(artifact), "---"))
    loses = "refuses the file" if severity is Severity.ERROR else "has nothing to choose it by"
    message = (
        f"the file has no front matter, so a host that asks for {_listed(list(artifact.required))} "
        f"{loses}; start it with these lines: {lines}"
    )
    yield finding(artifact, "missing-front-matter", message, severity=severity)


def _skeleton(artifact: Artifact) -> Iterator[str]:
    for key in artifact.required:
        yield f"{key}: {_name(artifact) if key == 'name' else _DESCRIPTION}"


def _name(artifact: Artifact) -> str:
    """A name in the letters that every host takes, from the folder of a skill or from the file."""
    if artifact.kind in SKILLS:
        source = artifact.folder
    else:
        source = artifact.path.rpartition("/")[2].partition(".")[0]
    name = re.sub("[^a-z0-9]+", "-", source.lower()).strip("-")
    return shorten(name, _SHOWN_NAME) or "my-name"


def _listed(keys: list[str]) -> str:
    names = [f'"{key}"' for key in keys]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
