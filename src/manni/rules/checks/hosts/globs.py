"""`quoted-glob`: patterns that Cursor reads with their quotes and brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from manni.documents.faults import show
from manni.documents.lines import Lines
from manni.model.findings import Edit, Finding, Fix, Span
from manni.rules.checks.artifact import Artifact
from manni.rules.checks.hosts.common import finding

_POINTER = "/globs"
_FENCE = "---"
_BRACKETED = re.compile(r"\[[^\[\]]*\]")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


def quoted_glob(artifact: Artifact) -> Iterator[Finding]:
    """Patterns that match nothing, since the reader that attaches rules takes lines as they are."""
    value = artifact.value.get("globs")
    span = artifact.sources.value_span(_POINTER)
    # A rule that is always there needs no file to match.
    if not value or span is None or artifact.value.get("alwaysApply") is True:
        return
    written = artifact.sources.source(span)
    if isinstance(value, list) or (isinstance(value, str) and _BRACKETED.fullmatch(written)):
        what = "patterns in a list"
    elif isinstance(value, str) and written[:1] in ("'", '"'):
        what = "quoted patterns"
    else:
        return
    patterns = _patterns(value, written)
    mend = f"write {show(','.join(patterns))} without quotes" if patterns else "write them bare"
    message = (
        f"Cursor reads the line as it is written, so {what} match no file and they never attach "
        f"the rule; {mend}"
    )
    fix = _bare(artifact, span, patterns) if patterns else None
    yield finding(artifact, "quoted-glob", message, key="globs", fix=fix)


def _patterns(value: object, written: str) -> list[str]:
    """The patterns as they were meant; none where that is not plain."""
    if isinstance(value, list):
        items = [item for item in value if isinstance(item, str)]
        items = items if len(items) == len(value) else []
    elif value == written:  # read leniently, with its quotes and brackets
        items = [part.strip().strip("\"'") for part in _split(written.strip("[] "))]
    else:
        items = [part.strip() for part in _split(str(value))]
    sound = all(item.strip() and not re.search(r"[\"'#\r\n]", item) for item in items)
    return [item.strip() for item in items] if sound else []


def _split(text: str) -> list[str]:
    """The parts between the commas that are in no braces."""
    return re.findall(r"(?:\{[^{}]*\}|[^,])+", text)


def _bare(artifact: Artifact, span: Span, patterns: list[str]) -> Fix | None:
    """The patterns on the line of the key, where neither a comment nor an anchor is lost."""
    key = artifact.sources.key_span(_POINTER)
    lines = Lines(artifact.head)
    if (
        key is None
        or not artifact.head.startswith(_FENCE)
        or lines.line(span.end_line - 1)[span.end_column - 1 :].strip()
    ):
        return None
    after = Span(key.end_line, key.end_column, span.end_line, span.end_column)
    if re.search(r"[#&!]", _QUOTED.sub("", artifact.sources.source(after))):
        return None
    edit = Edit(after, f": {','.join(patterns)}")
    return Fix("Write the patterns bare", (edit,), safe=False)
