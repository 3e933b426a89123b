"""`name-not-directory`: a skill is called otherwise than its folder."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from manni.documents.faults import show
from manni.model.findings import Finding, Fix
from manni.rules.checks.artifact import Artifact
from manni.rules.checks.hosts.common import finding, rewrite

_MAX_NAME = 64
# Folders of skills, or of the one skill of a repository, whose name is nobody's.
_COLLECTIVE = frozenset({"", "skill", "skills"})


def name_not_directory(artifact: Artifact) -> Iterator[Finding]:
    """A skill whose name is not exactly its folder's, both in Unicode's form NFKC."""
    name, folder = artifact.value.get("name"), artifact.folder
    if name == folder or not isinstance(name, str) or not name.strip():
        return
    if folder in _COLLECTIVE or _form(name) == _form(folder):
        return
    if not _is_valid(name) and _folded(name) == _folded(folder):
        return  # the schema's finding about the name's letters tells how to mend both
    message = (
        f"the skill's name is {show(name)} and its folder's is {show(folder)}; hosts that follow "
        "the Agent Skills standard, VS Code among them, leave the skill out, so give both one name"
    )
    yield finding(artifact, "name-not-directory", message, key="name", fix=_fix(artifact, folder))


def _fix(artifact: Artifact, folder: str) -> Fix | None:
    return rewrite(artifact, "/name", folder, safe=False) if _is_valid(folder) else None


def _form(name: str) -> str:
    return unicodedata.normalize("NFKC", name)


def _is_valid(name: str) -> bool:
    """Whether the standard takes a name: lower-case letters, digits and single hyphens."""
    plain = all(
        char.isalnum() or unicodedata.category(char)[0] in "MN" for char in name if char != "-"
    )
    hyphens = not (name.startswith("-") or name.endswith("-") or "--" in name)
    return plain and hyphens and name == name.lower() and 0 < len(name) <= _MAX_NAME


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "-", _form(name).lower()).strip("-")
