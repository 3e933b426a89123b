"""`text-cut`: the comment that a ` #` in the middle of a sentence starts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from manni.base.json_types import escape_token
from manni.documents.faults import show
from manni.documents.lines import Lines
from manni.model.findings import Edit, Finding, Fix, Span
from manni.rules.checks.artifact import Artifact
from manni.rules.checks.hosts.common import finding

_PROSE = ("description", "when_to_use", "argument-hint")
_ASSERTION = "assertion"
_MAX_DEPTH = 20
_MAX_WALKED = 20_000

_NOT_PLAIN = frozenset("\"'|>[{&*!")
_SENTENCE_ENDS = (".", "!", "?", "\u2026", "\u3002", "\uff01", "\uff1f")
_CLOSING = "\"')]"
_COMMENT = re.compile(r"[ \t]+(#[^\r\n]*)")
# Comments to a program, or to those who edit the file.
_MEANT = re.compile(r"#+\s*(?i:manni:|(?:yamllint|noqa|cspell|prettier|todo|fixme)\b)")


def text_cut(artifact: Artifact) -> Iterator[Finding]:
    """Prose that a comment ends before its sentence does."""
    if " #" not in artifact.head and "\t#" not in artifact.head:
        return
    lines = Lines(artifact.head)
    for pointer in _prose(artifact):
        found = _cut(artifact, lines, pointer)
        if found is not None:
            yield found


def _prose(artifact: Artifact) -> Iterator[str]:
    """The pointers of texts that are sentences."""
    for key in _PROSE:
        if isinstance(artifact.value.get(key), str):
            yield f"/{key}"
    if _ASSERTION in artifact.head:
        yield from _assertions(artifact.value)


def _assertions(root: Mapping[str, object]) -> Iterator[str]:
    waiting: list[tuple[str, object, int]] = [("", root, 0)]
    for _ in range(_MAX_WALKED):
        if not waiting:
            return
        pointer, value, depth = waiting.pop()
        if pointer.endswith(f"/{_ASSERTION}") and isinstance(value, str):
            yield pointer
        inner: Iterator[tuple[object, object]] = iter(())
        if isinstance(value, Mapping):
            inner = iter(value.items())
        elif isinstance(value, list):
            inner = iter(enumerate(value))
        if depth < _MAX_DEPTH:
            waiting += [
                (f"{pointer}/{escape_token(str(at))}", each, depth + 1) for at, each in inner
            ]


def _cut(artifact: Artifact, lines: Lines, pointer: str) -> Finding | None:
    span = artifact.sources.value_span(pointer)
    if span is None:
        return None
    text = artifact.sources.source(span)
    rest = lines.line(span.end_line - 1)[span.end_column - 1 :]
    comment = _COMMENT.fullmatch(rest)
    if comment is None or not text or text[0] in _NOT_PLAIN:
        return None
    if text.rstrip(_CLOSING).endswith(_SENTENCE_ENDS):
        return None
    lost = comment[1].rstrip()
    if _MEANT.match(lost):
        return None
    from manni.documents.yaml.quoting import quote

    whole = text + rest.rstrip()
    end = span.end_column + len(rest.rstrip())
    everything = Span(span.line, span.column, span.end_line, end)
    # What follows the sign at once, as in #12 or ##, was never meant as a comment.
    safe = lost[1:2].strip() != ""
    message = (
        f"YAML takes {show(lost)} for a comment, so the text ends before it and hosts never see "
        "the rest; put quotes around the whole text"
    )
    fix = Fix("Quote the whole text", (Edit(everything, quote(whole)),), safe)
    key = pointer[1:] if pointer.count("/") == 1 else None
    return finding(artifact, "text-cut", message, key=key, pointer=pointer, fix=fix)
