"""Where each value of a text stands: a tree of offsets beside the tree of values."""

from __future__ import annotations

from dataclasses import dataclass

from manni.findings import Place, Span
from manni.positions import Lines
from manni.values import Json, escape_token, pointer_tokens, spell


@dataclass(slots=True)
class Mark:
    """The extent of one value: 0-based offsets in code points, end exclusive.

    Attributes:
        start: where its key starts, for a member of a mapping; else where it starts itself.
        end: where the value ends.
        children: the marks inside, by JSON Pointer reference token; None for a scalar.
    """

    start: int
    end: int
    children: dict[str, Mark] | None = None


class Metadata:
    """The metadata of one artifact, with a position for every JSON Pointer.

    It is a `findings.Locator`.

    Args:
        value: the metadata.
        root: the span of the root.
        lines: the text that the marks refer to; None when there are none.
        mark: the mark of the root, or None when nothing is known of positions.
    """

    __slots__ = ("_lines", "_mark", "_root", "value")

    def __init__(
        self,
        value: dict[str, Json],
        *,
        root: Span,
        lines: Lines | None = None,
        mark: Mark | None = None,
    ) -> None:
        self.value = value
        self._root = root
        self._lines = lines
        self._mark = mark

    def place(self, pointer: str) -> Place:
        """Where a finding about the value at `pointer` points; see `findings.Locator.place`.

        The span starts at the key of a member or at the start of a list item. It ends with the
        value where that is on the same line, else at the end of that line.
        """
        found = mark = self._mark
        for token in pointer_tokens(pointer):
            if mark is None or mark.children is None:
                break
            mark = mark.children.get(token)
            found = mark or found
        if found is None or found is self._mark or self._lines is None:
            return Place(self._root)
        return Place(self._lines.span(found.start, found.end))

    def identity(self, pointer: str) -> str:
        """The pointer with list indices replaced by ids; see `findings.Locator.identity`.

        An id is a string or a number; it is escaped like any reference token.
        """
        value: Json = self.value
        result = []
        for token in pointer_tokens(pointer):
            value, name = _step(value, token)
            result.append(f"/{escape_token(name)}")
        return "".join(result)


def _step(value: Json, token: str) -> tuple[Json, str]:
    """The value at a token, and the name it has in an identity."""
    if isinstance(value, dict):
        return value.get(token), token
    if not isinstance(value, list) or not (token.isascii() and token.isdigit()):
        return None, token
    # No list is as long as a number of more digits than this.
    index = int(token) if len(token) < 10 else len(value)
    item = value[index] if index < len(value) else None
    name = item.get("id") if isinstance(item, dict) else None
    if isinstance(name, (str, int, float)) and not isinstance(name, bool):
        return item, spell(name)
    return item, token
