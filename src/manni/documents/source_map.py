"""Where each value of a text stands: a tree of offsets beside the tree of values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from manni.base.json_types import Json, escape_token, pointer_tokens, spell
from manni.documents.lines import Lines
from manni.model.findings import Place, Span

Extent: TypeAlias = "tuple[int, int]"
"""Where something starts and ends: 0-based offsets in code points, end exclusive."""


class Parts(NamedTuple):
    """Where a value itself stands, and its key where it is a member of a mapping."""

    key: Extent | None
    value: Extent


class Extents(Protocol):
    """The extents of the values of one text."""

    def parts(self, tokens: list[str]) -> Parts | None:
        """The extents of the value that reference tokens lead to, and of its key.

        None where they lead to none, and where the two cannot be told apart.
        """
        ...

    def extent(self, tokens: list[str]) -> Extent | None:
        """The extent of the value that reference tokens lead to.

        It starts with the key of a member. Tokens that name nothing lead to the nearest parent.
        None for the root, which stands for the whole text.
        """
        ...


@dataclass(slots=True)
class Mark:
    """The extent of one value, and of those inside; it is an `Extents`.

    Attributes:
        start: where its key starts, for a member of a mapping; else where it starts itself.
        end: where the value ends.
        children: the marks inside, by JSON Pointer reference token; None for a scalar.
    """

    start: int
    end: int
    children: dict[str, Mark] | None = None

    def parts(self, _tokens: list[str]) -> None:
        """None: see `Extents`."""

    def extent(self, tokens: list[str]) -> Extent | None:
        """See `Extents`."""
        found = self
        for token in tokens:
            child = found.children.get(token) if found.children else None
            if child is None:
                break
            found = child
        return None if found is self else (found.start, found.end)


class Metadata:
    """The metadata of one artifact, with a position for every JSON Pointer.

    It is a `findings.Locator`.

    Args:
        value: the metadata.
        root: the span of the root.
        lines: the text that the extents refer to; None when there are none.
        extents: of its values, asked only for what is placed; None when there are none.
    """

    __slots__ = ("_extents", "_lines", "_root", "value")

    def __init__(
        self,
        value: dict[str, Json],
        *,
        root: Span,
        lines: Lines | None = None,
        extents: Extents | None = None,
    ) -> None:
        self.value = value
        self._root = root
        self._lines = lines
        self._extents = extents

    def place(self, pointer: str) -> Place:
        """Where a finding about the value at `pointer` points; see `findings.Locator.place`.

        The span starts at the key of a member or at the start of a list item. It ends with the
        value where that is on the same line, else at the end of that line.
        """
        if self._extents is None or self._lines is None:
            return Place(self._root)
        extent = self._extents.extent(pointer_tokens(pointer))
        return Place(self._root if extent is None else self._lines.span(*extent))

    def parts(self, pointer: str) -> Parts | None:
        """Where the value at `pointer` and its key stand, as offsets in the block of the document.

        None for the root, for what does not exist, and where nobody can tell.
        """
        return self._extents.parts(pointer_tokens(pointer)) if self._extents else None

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
