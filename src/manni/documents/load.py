"""From a document to its metadata: JSON values, and a position for each.

Whatever the language of the front matter, what leaves this module are the values of JSON, so that
nothing later knows the format. Positions are worked out when they are asked for: most documents
never are.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from manni.base.json_types import Json, escape_token, pointer_tokens, spell
from manni.documents.document import Document, Format
from manni.documents.faults import BlockFault, of_block
from manni.documents.lines import Lines
from manni.documents.source_map import Parts, SourceMap, end_of, of_node, start_of
from manni.model.findings import Place, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Json", "Metadata", "load"]


class Metadata:
    """The metadata of one artifact, with a position for every JSON Pointer.

    It is a `findings.Locator`.

    Args:
        value: the metadata.
        root: the span of the root.
        lines: the text that it was read from; None when there is none.
        source_map: makes the map of the value in that text, asked when something is placed; it has
            None where positions cannot be had.
    """

    __slots__ = ("_lines", "_map", "_root", "_source_map", "value")

    def __init__(
        self,
        value: dict[str, Json],
        *,
        root: Span,
        lines: Lines | None = None,
        source_map: Callable[[], SourceMap | None] | None = None,
    ) -> None:
        self.value = value
        self._root = root
        self._lines = lines
        self._source_map = source_map
        self._map: SourceMap | None = None

    def place(self, pointer: str) -> Place:
        """Where a finding about the value at `pointer` points; see `findings.Locator.place`.

        The span starts at the key of a member or at the start of a list item. It ends with the
        value where that is on the same line, else at the end of that line.
        """
        source_map = self._made_map()
        if source_map is None or self._lines is None:
            return Place(self._root)
        extent = source_map.extent(pointer_tokens(pointer))
        return Place(self._root if extent is None else self._lines.span(*extent))

    def parts(self, pointer: str) -> Parts | None:
        """Where the value at `pointer` and its key stand, as offsets in the block of the document.

        None for the root, for what does not exist, and where nobody can tell.
        """
        source_map = self._made_map()
        return (
            None
            if source_map is None or not pointer
            else source_map.parts_at(pointer_tokens(pointer))
        )

    def maps(self) -> Iterator[SourceMap]:
        """The map of every value but the root, each before those inside of it."""
        source_map = self._made_map()
        return iter(()) if source_map is None else source_map.walk()

    def _made_map(self) -> SourceMap | None:
        if self._source_map is not None:
            self._map, self._source_map = self._source_map(), None
        return self._map

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


def load(document: Document) -> Metadata:
    """The metadata of a document; empty when it has no front matter.

    Raises:
        DocumentFault: the front matter cannot be read; its one finding says where and why.
    """
    if document.format is None:
        return Metadata({}, root=Span(1, 1, 1, 1))
    lines = Lines(document.block, document.first_line)
    if document.format is _YAML:
        value, source_map = _read_yaml(lines)
    else:
        read = _read_toml if document.format is _TOML else _read_json
        try:
            value, source_map = read(document.block)
        except BlockFault as fault:
            raise of_block(lines, fault) from fault
    return Metadata(value, root=_root(document), lines=lines, source_map=source_map)


_YAML, _TOML = Format.YAML, Format.TOML

_Read = tuple[dict[str, Json], "Callable[[], SourceMap | None] | None"]


def _read_yaml(lines: Lines) -> _Read:
    """The value of a YAML block, which its one parse also has positions for."""
    from manni.documents.yaml.reader import UNREADABLE, parse

    try:
        value, node = parse(lines.text)
    except UNREADABLE as error:
        from manni.documents.yaml.diagnosis import diagnose

        raise diagnose(lines, error) from error
    if value is None:
        return {}, None
    if not isinstance(value, dict):
        from manni.documents.yaml.diagnosis import not_a_mapping

        raise not_a_mapping(lines, value, start_of(node), end_of(node))
    return value, partial(of_node, value, node)


def _read_toml(text: str) -> _Read:
    from manni.documents.toml import read, source_map

    return read(text), partial(source_map, text)


def _read_json(text: str) -> _Read:
    from manni.documents.json import read, source_map

    if not text.strip():
        return {}, None
    value = read(text)
    return value, partial(source_map, text)


def _root(document: Document) -> Span:
    """The root stands for the whole block: its place is the opening fence, which is a line."""
    line = _FIRST_LINE.match(document.head)
    end = line.end() if line else 0
    return _FENCE if end == 3 else Span(1, 1, 1, end + 1)


_FIRST_LINE = re.compile(r"[^\r\n]{0,4096}")
_FENCE = Span(1, 1, 1, 4)
