"""Front matter that is no YAML, as a host reads it all the same.

Some hosts read on where YAML ends: Claude Code puts quotes around loose values and tries again,
and others take a top-level `key: value` line for what it says. Here such values are hidden behind
plain words of the same length, so that the rest is read as YAML and every offset stays true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from manni.documents.document import Reading
from manni.documents.source_map import start_of
from manni.documents.yaml.core import resolve_plain
from manni.documents.yaml.reader import UNREADABLE, parse, read

if TYPE_CHECKING:
    from manni.base.json_types import Json
    from manni.documents.faults import DocumentFault
    from manni.documents.lines import Lines
    from manni.documents.source_map import Node
    from manni.model.findings import Fix, Span

# How many characters of single lines are read as YAML on their own, to tell sound from loose.
_MAX_ALONE = 1 << 16

# A value of one line; where it holds what no YAML may hold, YAML is to trip over it.
_VALUE = r":[ \t]++(?P<value>[^\x00-\x08\x0a-\x1f]++)(?=[\r\n]|\Z)"
_LINES = {
    Reading.CLAUDE: re.compile(rf"(?<![^\r\n])(?P<key>[A-Za-z_-]++){_VALUE}"),
    Reading.LENIENT: re.compile(rf"(?<![^\r\n])(?P<key>[A-Za-z_$][\w.$-]*+)[ \t]*+{_VALUE}"),
}
_SPECIAL = re.compile(r"[{}\[\]*&#!|>%@`]|: ")
_BLOCK_HEADER = re.compile(r"[|>][-+0-9]*+(?:[ \t]++#.*+)?")
_GOES_ON = re.compile(r"(?:[ \t]*+(?:#[^\r\n]*+)?[\r\n])*+[ \t]++[^\s#]")
_GOES_ON_IN_BLOCK = re.compile(r"(?:[ \t]*+[\r\n])*+[ \t]++\S")
_COMMENT = re.compile(r"[ \t]#")
_PLAINLY_QUOTED = re.compile(r"""\"[^"\\]*+\"|'[^']*+'""")


@dataclass(frozen=True, slots=True)
class LenientRead:
    """What it took to read a front matter that is no YAML.

    Attributes:
        fault: where it is no YAML.
        message: what is wrong there, in the words of the parse error that it is to other readers.
        loose: the values that are no YAML as they stand, the one at fault first: where each
            stands, and its text as it is written. Empty where nobody can tell.
        turned: the keys whose values YAML reads otherwise, and which became text too.
        fix: quotes around the loose values, so that YAML reads the front matter; None where
            nobody can tell.
    """

    fault: Span
    message: str
    loose: tuple[tuple[Span, str], ...] = ()
    turned: tuple[str, ...] = ()
    fix: Fix | None = None


class Reread(NamedTuple):
    """A front matter that YAML refuses.

    Attributes:
        value: what it holds.
        node: where that stands; see `source_map.Node`.
        facts: works out what it took.
    """

    value: dict[str, Json]
    node: Node
    facts: Callable[[], LenientRead]


class _Line(NamedTuple):
    """A top-level value on the line of its key, by 0-based offsets, and its text."""

    key: str
    start: int
    end: int
    text: str


def reread(lines: Lines, reading: Reading, diagnosed: Callable[[], DocumentFault]) -> Reread | None:
    """Read a block that is no YAML the way its host does; None when that fails too.

    It is parsed once more at most.

    Args:
        lines: the block.
        reading: one that is not `Reading.YAML`.
        diagnosed: makes the fault that the block is as YAML, asked when the facts are.
    """
    candidates = _one_liners(lines.text, _LINES[reading])
    choose = _quoted_by_claude if reading is Reading.CLAUDE else _read_as_text
    hidden = {line.start: line for line in choose(candidates)}
    if not hidden:
        return None
    try:
        value, node = parse(_hide(lines.text, hidden.values()))
    except UNREADABLE:
        return None
    if not isinstance(value, dict):
        return None
    texts = [hidden.get(start_of(at)) for at in node[2::2]]
    if sum(line is not None for line in texts) < len(hidden):
        return None  # one of the lines is inside of something else
    meant = {
        key: item if line is None else line.text
        for (key, item), line in zip(value.items(), texts, strict=True)
    }
    return Reread(meant, node, partial(_facts, lines, diagnosed, tuple(hidden.values())))


def _one_liners(text: str, pattern: re.Pattern[str]) -> Iterator[_Line]:
    """The top-level values that end on the line of their key."""
    for match in pattern.finditer(text):
        value = match["value"].rstrip(" \t")
        goes_on = _GOES_ON_IN_BLOCK if _is_block_header(value) else _GOES_ON
        if value and not goes_on.match(text, match.end()):
            start = match.start("value")
            yield _Line(match["key"], start, start + len(value), value)


def _quoted_by_claude(lines: Iterable[_Line]) -> Iterator[_Line]:
    for line in lines:
        text = line.text
        quoted = len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]
        if not quoted and _SPECIAL.search(text):
            yield line


def _read_as_text(lines: Iterable[_Line]) -> Iterator[_Line]:
    """Those that YAML does not read as a constant, a comment, or a whole quoted text or list."""
    left = _MAX_ALONE
    for line in lines:
        text = line.text
        if text[0] == "#" or _is_block_header(text) or _is_constant(text):
            continue
        if text[0] in "\"'[{":
            left -= len(text)
            if left < 0 or _PLAINLY_QUOTED.fullmatch(text) or _alone(text) is not None:
                continue
        yield line


def _is_block_header(text: str) -> bool:
    return text[:1] in ("|", ">") and _BLOCK_HEADER.fullmatch(text) is not None


def _is_constant(text: str) -> bool:
    if text[0] not in "~nNtTfF":
        return False
    value = resolve_plain(_COMMENT.split(text, 1)[0].rstrip(" \t"))
    return value is None or isinstance(value, bool)


def _alone(text: str) -> tuple[Json] | None:
    """What YAML reads on a line of its own; None when that is no YAML."""
    try:
        value = read(f"k: {text}")
    except UNREADABLE:
        return None
    return (value["k"],) if isinstance(value, dict) and "k" in value else None


def _hide(text: str, lines: Iterable[_Line]) -> str:
    """The text with a word of the same length in the place of each value."""
    parts: list[str] = []
    at = 0
    for line in lines:
        parts += (text[at : line.start], "x" * (line.end - line.start))
        at = line.end
    return "".join((*parts, text[at:]))


def _facts(
    lines: Lines, diagnosed: Callable[[], DocumentFault], hidden: tuple[_Line, ...]
) -> LenientRead:
    from manni.documents.yaml.quoting import quote
    from manni.model.findings import Edit, Fix, Span

    finding = diagnosed().finding
    fault = finding.span or Span(1, 1, 1, 1)
    loose: list[tuple[Span, str]] = []
    turned: list[str] = []
    left = _MAX_ALONE
    for line in hidden:
        left -= len(line.text)
        if left < 0:
            return LenientRead(fault, finding.message, turned=tuple(turned))
        alone = _alone(line.text)
        if alone is None:
            loose.append((lines.span(line.start, line.end), line.text))
        elif alone != (line.text,):
            turned.append(line.key)
    loose.sort(key=lambda each: each[0].line != fault.line)
    edits = tuple(Edit(span, quote(text)) for span, text in loose)
    words = "Quote the value" if len(edits) == 1 else "Quote the values"
    fix = Fix(words, edits) if edits else None
    return LenientRead(fault, finding.message, tuple(loose), tuple(turned), fix)
