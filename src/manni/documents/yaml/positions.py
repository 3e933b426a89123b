"""Where the values of a YAML document stand, told from the events that it was read from.

Most documents are never asked for a position, so nothing is worked out before one is.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from manni.base.json_types import Json
from manni.documents.source_map import Extent, Parts

Node: TypeAlias = Any
"""What stands for a value in the text.

For a scalar it is its event; for a list or mapping, a list of its start event, the nodes inside
(of a mapping: key, value, key, value) and its end event; for an alias, a pair of its event and the
node that it names. One is made for every value of every document, whence no classes of our own.
"""


class Positions:
    """The positions of the values of one document; it is a `marks.Extents`.

    Args:
        value: the value of the document, which must stay as it was read.
        node: of that value.
    """

    __slots__ = ("_members", "_node", "_value")

    def __init__(self, value: Json, node: Node) -> None:
        self._value = value
        self._node = node
        # By the identity of a mapping's node: where in it the value of each key is.
        self._members: dict[int, dict[str, int]] = {}

    @property
    def root(self) -> Extent:
        """The extent of the whole value."""
        return start_of(self._node), end_of(self._node)

    def extent(self, tokens: list[str]) -> Extent | None:
        """See `marks.Extents`."""
        first, node, _ = self._reach(tokens)
        return None if first is None else (start_of(first), end_of(node))

    def parts(self, tokens: list[str]) -> Parts | None:
        """See `marks.Extents`."""
        first, node, reached = self._reach(tokens)
        if first is None or reached < len(tokens):
            return None
        key = None if first is node else (start_of(first), end_of(first))
        return Parts(key, (start_of(node), end_of(node)))

    def _reach(self, tokens: list[str]) -> tuple[Node, Node, int]:
        """The key, or else the item, and the value that tokens lead to; how many of them did."""
        value, node = self._value, self._node
        first: Node = None
        reached = 0
        for token in tokens:
            inside = node[1] if type(node) is tuple else node
            if isinstance(value, dict):
                places = self._members.get(id(inside)) or self._places(value, inside)
                at = places.get(token)
                if at is None:
                    break
                value = value[token]
                first = inside[at - 1]
            elif isinstance(value, list):
                at = _place(token, len(value))
                if at is None:
                    break
                value = value[at - 1]
                first = inside[at]
            else:
                break
            node = inside[at]
            reached += 1
        return first, node, reached

    def _places(self, members: dict[str, Json], node: Node) -> dict[str, int]:
        places = dict(zip(members, range(2, len(node), 2), strict=True))
        self._members[id(node)] = places
        return places


def _place(token: str, length: int) -> int | None:
    """Where in the node of a list of this length the item of a reference token is."""
    if not (token.isascii() and token.isdigit()) or len(token) > len(str(length)):
        return None
    index = int(token)
    # An index has one spelling, without leading zeros (RFC 6901, section 4).
    return index + 1 if index < length and str(index) == token else None


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
