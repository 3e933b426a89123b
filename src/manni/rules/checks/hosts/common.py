"""What the checks of kinds share: their findings, and edits of a key or of a value."""

from __future__ import annotations

from manni.base.json_types import escape_token
from manni.model.findings import TOOL_SCHEMA, Edit, Finding, Fix, Place, Severity, Span
from manni.rules.checks.artifact import Artifact

SKILLS = frozenset({"portable-skill", "claude-skill"})
"""The kinds that a `SKILL.md` may be of."""

_NOT_WRITTEN_OUT = ("&", "*", "!", "|", ">", "")


def finding(
    artifact: Artifact,
    rule: str,
    message: str,
    *,
    key: str | None = None,
    pointer: str = "",
    severity: Severity = Severity.WARNING,
    fix: Fix | None = None,
) -> Finding:
    """A finding of one of this tool's rules.

    Args:
        artifact: what it is about.
        rule: the rule's id without `manni/`.
        message: one sentence, which holds no control character.
        key: the top-level key that it is about, whose place is then the finding's.
        pointer: of the value that it is about, where that is no top-level one.
        severity: how much it matters.
        fix: what mends it.
    """
    if key is not None and not pointer:
        pointer = pointer_to(key)
    sources = artifact.sources
    place = sources.place(pointer) if artifact.has_front_matter else Place(Span(1, 1, 1, 1))
    return Finding(
        schema=TOOL_SCHEMA,
        keyword=rule,
        message=message,
        pointer=pointer,
        severity=severity,
        subject=key,
        place=place,
        identity=sources.identity(pointer),
        fix=fix,
    )


def pointer_to(key: str) -> str:
    """The JSON Pointer of a top-level key."""
    return f"/{escape_token(key)}"


def rename(artifact: Artifact, key: str, new: str) -> Fix | None:
    """The safe fix that gives a top-level key another name; None where that name is taken."""
    span = artifact.sources.key_span(pointer_to(key))
    if span is None or new in artifact.value:
        return None
    written = artifact.sources.source(span)
    if written.strip("\"'") != key:
        return None
    from manni.documents.yaml.quoting import spell

    return Fix(f'Rename it to "{new}"', (Edit(span, spell(new, like=written)),))


def rewrite(artifact: Artifact, pointer: str, text: str, *, safe: bool) -> Fix | None:
    """The fix that writes a text in the place of one that stands on one line."""
    span = artifact.sources.value_span(pointer)
    if span is None or span.line != span.end_line:
        return None
    written = artifact.sources.source(span)
    if written[:1] in _NOT_WRITTEN_OUT:
        return None
    from manni.documents.yaml.quoting import spell

    edit = Edit(span, spell(text, like=written))
    return Fix(f'Replace it with "{text}"', (edit,), safe)
