"""From a document to its metadata: JSON values, and a position for each.

Whatever the language of the front matter, what leaves this module are the values of JSON, so that
nothing later knows the format. Positions are worked out when they are asked for: most documents
never are.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, TypeGuard

from manni.base.json_types import Json, escape_token, pointer_tokens, spell
from manni.documents.document import Document, Format, Reading
from manni.documents.faults import BlockFault, DocumentFault, of_block
from manni.documents.lines import Lines
from manni.documents.source_map import Parts, SourceMap, end_of, of_node, start_of
from manni.model.findings import Place, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from yaml import YAMLError

    from manni.documents.readings import LenientRead

__all__ = ["Json", "Metadata", "load"]


class Metadata:
    """The metadata of one artifact, with a position for every JSON Pointer.

    It is a `findings.Locator`.

    Args:
        whole: the value of the front matter.
        root: the span of the root.
        lines: the text that it was read from; None when there is none.
        source_map: makes the map of the value in that text, asked when something is placed; it has
            None where positions cannot be had.
        facts: works out what it took to read it; None for what its format allows.

    Attributes:
        whole: the value of the front matter: a mapping or, where `load` was to allow that, a list.
        value: the same mapping; empty where the front matter is a list.
    """

    __slots__ = ("_facts", "_lenient", "_lines", "_map", "_root", "_source_map", "value", "whole")

    def __init__(
        self,
        whole: dict[str, Json] | list[Json],
        *,
        root: Span,
        lines: Lines | None = None,
        source_map: Callable[[], SourceMap | None] | None = None,
        facts: Callable[[], LenientRead] | None = None,
    ) -> None:
        self.whole = whole
        self.value: dict[str, Json] = whole if isinstance(whole, dict) else {}
        self._facts = facts
        self._lenient: LenientRead | None = None
        self._root = root
        self._lines = lines
        self._source_map = source_map
        self._map: SourceMap | None = None

    @property
    def lenient(self) -> LenientRead | None:
        """What it took to read front matter that is no YAML; None for all other.

        It is worked out when it is first asked for.
        """
        if self._facts is not None:
            self._lenient, self._facts = self._facts(), None
        return self._lenient

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
        value: Json = self.whole
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


_YAML, _TOML = Format.YAML, Format.TOML

_Read = tuple[dict[str, Json], "Callable[[], SourceMap | None] | None"]


def load(document: Document, reading: Reading = Reading.YAML, *, lists: bool = False) -> Metadata:
    """The metadata of a document; empty when it has no front matter.

    Args:
        document: the artifact, cut at its fences.
        reading: how its host reads YAML; TOML and JSON are what they are.
        lists: whether YAML front matter may be a list of one or more mappings.

    Raises:
        DocumentFault: the front matter cannot be read; its one finding says where and why.
    """
    if document.format is None:
        return Metadata({}, root=Span(1, 1, 1, 1))
    lines = Lines(document.block, document.first_line)
    root = _root(document)
    if document.format is _YAML:
        return _of_yaml(lines, root, reading, lists=lists)
    read = _read_toml if document.format is _TOML else _read_json
    try:
        value, source_map = read(document.block)
    except BlockFault as fault:
        raise of_block(lines, fault) from fault
    return Metadata(value, root=root, lines=lines, source_map=source_map)


def _of_yaml(lines: Lines, root: Span, reading: Reading, *, lists: bool) -> Metadata:
    """The metadata of a YAML block, which its one parse also has positions for."""
    from manni.documents.yaml.reader import UNREADABLE, parse

    facts = None
    try:
        value, node = parse(lines.text)
    except UNREADABLE as error:
        again = None
        diagnosed = partial(_diagnosed, lines, error)
        if reading is not Reading.YAML:
            from manni.documents.readings import reread

            again = reread(lines, reading, diagnosed)
        if again is None:
            raise diagnosed() from error
        value, node, facts = again
    if value is None:
        return Metadata({}, root=root, lines=lines)
    if not isinstance(value, dict) and not (lists and _is_list_of_mappings(value)):
        from manni.documents.yaml.diagnosis import not_a_mapping

        raise not_a_mapping(lines, value, start_of(node), end_of(node))
    source_map = partial(of_node, value, node)
    return Metadata(value, root=root, lines=lines, source_map=source_map, facts=facts)


def _diagnosed(lines: Lines, error: YAMLError | BlockFault) -> DocumentFault:
    from manni.documents.yaml.diagnosis import diagnose

    return diagnose(lines, error)


def _is_list_of_mappings(value: Json) -> TypeGuard[list[Json]]:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


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
