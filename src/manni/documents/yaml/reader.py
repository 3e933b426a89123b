"""YAML 1.2 with the core schema, read through the libyaml parser.

libyaml gives events with positions; what they mean is decided here, in one walk over them. It
builds the values and keeps the events, so that the position of any value can be told later without
reading the text again. It stops at the first fault with a `YamlFault`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from yaml import MarkedYAMLError, YAMLError
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # its stub forgets to export it
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from manni.base.json_types import MAX_DEPTH, Json, children, spell
from manni.documents.faults import DEEP, BlockFault, DuplicateKey, show
from manni.documents.source_map import Node, end_of, start_of
from manni.documents.yaml.core import RESOLVED_STARTS, resolve_plain, resolve_tagged
from manni.documents.yaml.text import Hidden, accommodate, hide, join_pairs

if TYPE_CHECKING:
    from collections.abc import Callable

# The stubs call every mark and anchor optional, and this parser always sets the marks.
_Event = Any

_Frame: TypeAlias = (
    "tuple[list[Node], list[Json], dict[str, Json] | None, str | None, _Anchor | None]"
)

MAX_ALIASES = 100
"""How many aliases may be expanded, those inside of expanded values included."""

MAX_EXPANDED = 100_000
"""How many values the expansion of aliases may add."""

MAX_KEY = 10_000
"""How long a list or mapping may be that is spelled as a key: each level of nesting doubles it."""

# How often a text is read anew to get around what only libyaml refuses.
_MIN_ATTEMPTS = 50
_CHARACTERS_OF_ATTEMPTS = 20_000_000

YamlFault = BlockFault
"""Well-formed YAML that metadata cannot be."""

UNREADABLE = (YAMLError, YamlFault)
"""What is raised for a text that is no metadata."""


class UnknownAlias(YamlFault):
    """An alias that names no anchor above it."""


def read(text: str) -> Json:
    """The value of a YAML document; null when it is empty.

    Args:
        text: a block without document markers.

    Raises:
        YamlFault: it cannot be metadata.
        yaml.YAMLError: it is not YAML.
    """
    return parse(text)[0]


def parse(text: str) -> tuple[Json, Node]:
    """Like `read`, and with what stands for the value; an empty document has None for it."""
    text, hidden = hide(text)
    attempts = max(_MIN_ATTEMPTS, _CHARACTERS_OF_ATTEMPTS // (len(text) + 1))
    while True:
        try:
            return _compose(text, hidden)
        except MarkedYAMLError as error:
            easier = accommodate(text, hidden, error) if attempts else None
            if easier is None:
                raise
        text, hidden = easier
        attempts -= 1


def parse_json(text: str) -> tuple[Json, Node]:
    """Like `parse`, for a text that is JSON: its line breaks and tabs stand between tokens only."""
    return _compose(*join_pairs(*hide(text.translate(_BETWEEN_TOKENS)), 0, len(text)))


_BETWEEN_TOKENS = {ord(char): " " for char in "\t\r\n"}


class _Anchor:
    """A value that aliases can name.

    Attributes:
        open: whether its end is still to come.
        value: it, once it has ended.
        node: what stands for it in the text, likewise.
        aliases: how many expansions it takes; while it is open, how many there were before it.
        measure: how many values it holds and how many levels, once an alias asked.
    """

    __slots__ = ("aliases", "measure", "node", "open", "value")

    def __init__(self, aliases: int) -> None:
        self.open = True
        self.aliases = aliases
        self.value: Json = None
        self.node: Node = None
        self.measure: tuple[int, int] | None = None


class _Anchors:
    """The anchors met so far, and how much their aliases have added.

    Args:
        hidden: what the text hides.
    """

    __slots__ = ("_aliases", "_expanded", "_hidden", "_named")

    def __init__(self, hidden: Hidden) -> None:
        self._hidden = hidden
        self._named: dict[str, _Anchor] = {}
        self._aliases = 0
        self._expanded = 0

    def open(self, name: str) -> _Anchor:
        """The value of this name starts."""
        anchor = self._named[name] = _Anchor(self._aliases)
        return anchor

    def close(self, anchor: _Anchor, value: Json, node: Node) -> None:
        """The value is complete."""
        anchor.open = False
        anchor.value = value
        anchor.node = node
        anchor.aliases = self._aliases - anchor.aliases

    def named(self, event: _Event, depth: int) -> _Anchor:
        """What an alias names, which it may expand this deep in the document.

        Raises:
            YamlFault: it may not.
        """
        name = event.anchor.translate(self._hidden)
        anchor = self._named.get(event.anchor)
        if anchor is None:
            raise UnknownAlias(
                f"the alias {show('*' + name)} names no anchor above it; put the value in quotes "
                "if it is text",
                *_extent(event),
            )
        if anchor.open:
            message = "this alias stands inside of the very value it names; remove it"
            raise YamlFault(message, *_extent(event))
        self._aliases += 1 + anchor.aliases
        if self._aliases > MAX_ALIASES:
            message = "this is more than 100 aliases (*name); write the values out"
            raise YamlFault(message, *_extent(event))
        size, levels = anchor.measure = anchor.measure or _measure(anchor.value)
        self._expanded += size
        if self._expanded > MAX_EXPANDED:
            message = "the aliases up to here stand for too many values; write less of them"
            raise YamlFault(message, *_extent(event))
        if depth + levels > MAX_DEPTH:
            raise YamlFault(DEEP, *_extent(event))
        return anchor


def _compose(text: str, hidden: Hidden) -> tuple[Json, Node]:
    """The value of a document and its node; raises like `read`.

    Args:
        text: the document, as libyaml can read it.
        hidden: what it hides.
    """
    following = CParser(text).get_event
    following()
    if type(following()) is StreamEndEvent:
        return None, None
    value, node = _walk(following, _Anchors(hidden), hidden)
    event = following()
    if type(event) is not StreamEndEvent:
        raise YamlFault(_SECOND, *_extent(event))
    return value, node


_SECOND = (
    "a second document starts here, and front matter is a single one; remove this line, or what "
    "follows the fence on it if it was meant as the closing one"
)


def _walk(  # noqa: C901, PLR0912, PLR0915 - it is run for every event, so it calls little
    following: Callable[[], _Event], anchors: _Anchors, hidden: Hidden
) -> tuple[Json, Node]:
    """The value of a document and its node, from the events up to its end."""
    # The innermost list (where `members` is None) or mapping that has not ended; at first, a list
    # around the whole document. The frames are those around it.
    node: list[Node] = []
    items: list[Json] = []
    members: dict[str, Json] | None = None
    key: str | None = None
    anchor: _Anchor | None = None
    frames: list[_Frame] = []
    inner: Node
    value: Json
    while True:
        event = following()
        kind = type(event)
        if kind is ScalarEvent:
            inner = event
            text: str = event.value
            if hidden:
                text = text.translate(hidden)
            value = text
            if event.tag is not None:
                value = resolve_tagged(event.tag, text)
            elif text[:1] in RESOLVED_STARTS and event.implicit[0]:
                value = resolve_plain(text)
            if event.anchor is not None:
                anchors.close(anchors.open(event.anchor), value, event)
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            inner = node
            node.append(event)
            value = items if members is None else members
            if anchor is not None:
                anchors.close(anchor, value, node)
            node, items, members, key, anchor = frames.pop()
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            if len(frames) >= MAX_DEPTH:
                raise YamlFault(DEEP, *_extent(event))
            frames.append((node, items, members, key, anchor))
            node, items, key = [event], [], None
            members = {} if kind is MappingStartEvent else None
            anchor = None if event.anchor is None else anchors.open(event.anchor)
            continue
        elif kind is AliasEvent:
            named = anchors.named(event, len(frames))
            inner = (event, named.node)
            value = named.value
        else:
            return items[0], node[0]
        node.append(inner)
        if members is None:
            items.append(value)
        elif key is None:
            key = value if type(value) is str else _name(value, inner)
            if key in members:
                raise _duplicate(key, members, node)
        else:
            members[key] = value
            key = None


def _name(value: Json, node: Node) -> str:
    """The name of a member whose key is no string."""
    name = spell(value)
    if len(name) > MAX_KEY and isinstance(value, (dict, list)):
        message = "a list or mapping this large cannot be a key; use a short text as the key"
        raise YamlFault(message, start_of(node), end_of(node))
    return name


def _duplicate(name: str, members: dict[str, Json], node: list[Node]) -> DuplicateKey:
    """The fault of a mapping whose last key is one of its members already."""
    first = node[1 + 2 * list(members).index(name)]
    return DuplicateKey(name, start_of(first), start_of(node[-1]), end_of(node[-1]))


def _extent(event: _Event) -> tuple[int, int]:
    return event.start_mark.index, event.end_mark.index


def _measure(value: Json) -> tuple[int, int]:
    """How many values a value holds, itself included, and how many levels of nesting.

    Counting ends soon after `MAX_EXPANDED`.
    """
    size, levels = 1, 0
    level = [value]
    while size <= MAX_EXPANDED and any(isinstance(item, (dict, list)) for item in level):
        levels += 1
        level = [child for item in level for child in children(item)]
        size += len(level)
    return size, levels
