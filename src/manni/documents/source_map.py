"""Where each value of a text stands: a tree of offsets beside the tree of values.

Most documents are never asked for a position, so a level of the tree is made when one in it is
asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from manni.base.json_types import Json

Extent: TypeAlias = "tuple[int, int]"
"""Where something starts and ends: 0-based offsets in code points, end exclusive."""


class Parts(NamedTuple):
    """Where a value itself stands, and its key where it is a member of a mapping."""

    key: Extent | None
    value: Extent


Node: TypeAlias = Any
"""What stands for a value in a YAML or JSON text.

For a scalar it is its event; for a list or mapping, a list of its start event, the nodes inside
(of a mapping: key, value, key, value) and its end event; for an alias, a pair of its event and the
node that it names. One is made for every value of every document, whence no classes of our own.
"""


class SourceMap:
    """The extent of one value, and of those inside.

    Args:
        start: where its key starts, for a member of a mapping; else where it starts itself.
        end: where the value ends.
        inside: makes the maps of the values inside, by JSON Pointer reference token.
        parts: of it; None where the key and the value cannot be told apart.
    """

    __slots__ = ("_inside", "children", "end", "parts", "start")

    def __init__(
        self,
        start: int,
        end: int,
        inside: Callable[[], dict[str, SourceMap]] | None = None,
        parts: Parts | None = None,
    ) -> None:
        self.parts = parts
        self.start = start
        self.end = end
        self.children: dict[str, SourceMap] = {}
        self._inside = inside

    def extent(self, tokens: list[str]) -> Extent | None:
        """The extent of the value that reference tokens lead to.

        It starts with the key of a member. Tokens that name nothing lead to the nearest parent.
        None for the root, which stands for the whole text.
        """
        found, _ = self._reach(tokens)
        return None if found is self else (found.start, found.end)

    def parts_at(self, tokens: list[str]) -> Parts | None:
        """The parts of the value that reference tokens lead to; None where they lead to none."""
        found, reached = self._reach(tokens)
        return found.parts if reached == len(tokens) else None

    def walk(self) -> Iterator[SourceMap]:
        """The maps of all values inside, each before those inside of it."""
        maps = [self]
        while maps:
            found = maps.pop()
            if found is not self:
                yield found
            maps += reversed(found.opened().values())

    def reach_of_end(self) -> int:
        """Where the last of the values inside ends, or the value itself if that is later.

        Only tables of TOML have values beyond their end.
        """
        return max([self.end, *(child.end for child in self.walk())])

    def opened(self) -> dict[str, SourceMap]:
        """The maps of the values directly inside, by reference token."""
        if self._inside is not None:
            self.children, self._inside = self._inside(), None
        return self.children

    def _reach(self, tokens: list[str]) -> tuple[SourceMap, int]:
        """The map that tokens lead to, as far as they do, and how many of them did."""
        found = self
        for reached, token in enumerate(tokens):
            child = found.opened().get(token)
            if child is None:
                return found, reached
            found = child
        return found, len(tokens)


def of_node(value: Json, node: Node, key: Node = None) -> SourceMap:
    """The map of a value that was read from events.

    Args:
        value: the value, which must stay as it was read.
        node: what stands for it.
        key: what stands for its key, for a member of a mapping.
    """
    inside = partial(_inside, value, node[1] if type(node) is tuple else node)
    start, end = start_of(node), end_of(node)
    if key is None:
        return SourceMap(start, end, inside, Parts(None, (start, end)))
    parts = Parts((start_of(key), end_of(key)), (start, end))
    return SourceMap(start_of(key), end, inside, parts)


def _inside(value: Json, node: Node) -> dict[str, SourceMap]:
    if isinstance(value, dict):
        pairs = zip(value.items(), node[1::2], node[2::2], strict=False)
        return {name: of_node(item, at, key) for (name, item), key, at in pairs}
    if isinstance(value, list):
        return {
            str(index): of_node(item, at)
            for index, (item, at) in enumerate(zip(value, node[1:], strict=False))
        }
    return {}


def start_of(node: Node) -> int:
    """The offset at which a value starts, its anchor and tag included."""
    event = node[0] if type(node) in (list, tuple) else node
    start: int = event.start_mark.index
    return start


def end_of(node: Node) -> int:
    """The offset at which a value ends.

    A block ends where its last value does: libyaml only notices at what follows.
    """
    while type(node) is list:
        if node[0].flow_style:
            node = node[-1]
        elif len(node) > 2:
            node = node[-2]
        else:
            return start_of(node)
    event = node[0] if type(node) is tuple else node
    end: int = event.end_mark.index
    return end
