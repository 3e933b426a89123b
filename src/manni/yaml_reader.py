"""YAML 1.2 with the core schema, read through the libyaml parser.

libyaml gives events with positions; what they mean is decided here.

Two readers share one walk over the events: `read` gives values alone, `read_marked` the position
of each as well. Both stop at the first fault with a `YamlFault`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from yaml import MarkedYAMLError, YAMLError, events
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # its stub forgets to export it

from manni.marks import Mark
from manni.values import MAX_DEPTH, Json, children, spell
from manni.yaml_core import resolve_plain, resolve_tagged
from manni.yaml_text import Hidden, accommodate, hide

if TYPE_CHECKING:
    from collections.abc import Callable

# The stubs call every mark and anchor optional, and this parser always sets the marks.
_Event = Any

MAX_ALIASES = 100
"""How many aliases may be expanded, those inside of expanded values included."""

MAX_EXPANDED = 100_000
"""How many values the expansion of aliases may add."""

MAX_KEY = 10_000
"""How long a list or mapping may be that is spelled as a key: each level of nesting doubles it."""

# How often a text is read anew to get around what only libyaml refuses.
_MIN_ATTEMPTS = 50
_CHARACTERS_OF_ATTEMPTS = 20_000_000


class Problem(StrEnum):
    """What YAML allows and metadata cannot be."""

    ALIASES = "more than 100 alias expansions"
    DEPTH = "nesting deeper than 100"
    DOCUMENTS = "a second document"
    DUPLICATE = "a duplicate key"
    EXPANDED = "aliases that expand to very many values"
    KEY = "a list or mapping as a key, and a large one"
    RECURSIVE = "an alias inside of what it names"
    UNKNOWN = "an alias that names nothing"


class YamlFault(Exception):  # noqa: N818 - it is a fault of the document
    """A problem met while reading well-formed YAML.

    Attributes:
        problem: which one.
        start: the offset where it starts.
        end: the offset where it ends.
        name: the key or anchor that it is about.
        first: the offset of the earlier key, for a duplicate.
    """

    def __init__(
        self, problem: Problem, start: int, end: int, *, name: str = "", first: int = 0
    ) -> None:
        super().__init__(problem.value)
        self.problem = problem
        self.start = start
        self.end = end
        self.name = name
        self.first = first


def read(text: str) -> Json:
    """The value of a YAML document; null when it is empty.

    Args:
        text: a block without document markers.

    Raises:
        YamlFault: it cannot be metadata.
        yaml.YAMLError: it is not YAML.
    """
    composer = _Composer(*hide(text), marking=False)
    composer.run()
    return composer.value


def read_marked(text: str) -> tuple[Json, Mark | None]:
    """Like `read`, and with the mark of the root, which is None when the document is empty.

    It also accepts what only libyaml refuses, so its verdict is the final one.
    """
    text, hidden = hide(text)
    attempts = max(_MIN_ATTEMPTS, _CHARACTERS_OF_ATTEMPTS // (len(text) + 1))
    while True:
        composer = _Composer(text, hidden, marking=True)
        try:
            composer.run()
        except MarkedYAMLError as error:
            easier = accommodate(text, hidden, error) if attempts else None
            if easier is None:
                raise
        else:
            return composer.value, composer.mark
        text, hidden = easier
        attempts -= 1


def last_scalar(text: str) -> tuple[int, int] | None:
    """The extent of the last scalar before a text stops being YAML."""
    following = CParser(hide(text)[0]).get_event
    last: _Event = None
    try:
        while (event := following()) is not None:
            if type(event) is events.ScalarEvent:
                last = event
    except YAMLError:
        pass
    return (last.start_mark.index, last.end_mark.index) if last else None


class _Anchor:
    """A value that aliases can name.

    Attributes:
        aliases: how many expansions it takes; while it is open, how many there were before it.
        measure: how many values it holds and how many levels, once an alias asked.
    """

    __slots__ = ("aliases", "mark", "measure", "open", "value")

    def __init__(self, aliases: int) -> None:
        self.open = True
        self.aliases = aliases
        self.value: Json = None
        self.mark: Mark | None = None
        self.measure: tuple[int, int] | None = None


class _Frame:
    """A list or mapping whose end has not been met.

    Attributes:
        key: the key that waits for its value.
        key_start: the offset where that key starts.
        starts: the offset of every key met, for duplicates.
        start: the offset where the list or mapping starts.
        end: the offset where its last value ended.
        marks: what is known of the values inside.
    """

    __slots__ = (
        "anchor", "end", "flow", "items", "key", "key_start", "marks", "members", "start", "starts"
    )  # fmt: skip

    def __init__(self, event: _Event, members: dict[str, Json] | None) -> None:
        self.members = members
        self.items: list[Json] = []
        self.anchor: _Anchor | None = None
        self.flow = event.flow_style
        self.key: str | None = None
        self.key_start = 0
        self.starts: dict[str, int] = {}
        self.start = self.end = event.start_mark.index
        self.marks: dict[str, Mark] = {}


class _Composer:
    """One walk over the events of a document, building its value.

    Args:
        text: the document, as libyaml can read it.
        hidden: what it hides.
        marking: whether to keep positions; without them a duplicate key has no places.
    """

    def __init__(self, text: str, hidden: Hidden, *, marking: bool) -> None:
        self.value: Json = None
        self.mark: Mark | None = None
        self._hidden = hidden
        self._next = CParser(text).get_event
        self._marking = marking
        self._frames: list[_Frame] = []
        self._anchors: dict[str, _Anchor] = {}
        self._aliases = 0
        self._expanded = 0

    def run(self) -> None:
        """Read the whole document; raises like `read`."""
        following = self._next
        following()
        if type(following()) is events.StreamEndEvent:
            return
        handlers: dict[type, Callable[[Any], None]] = {
            events.ScalarEvent: self._scalar,
            events.MappingStartEvent: self._start_mapping,
            events.MappingEndEvent: self._end,
            events.SequenceStartEvent: self._start_sequence,
            events.SequenceEndEvent: self._end,
            events.AliasEvent: self._alias,
        }
        event: _Event = following()
        while type(event) is not events.DocumentEndEvent:
            handlers[type(event)](event)
            event = following()
        event = following()
        if type(event) is not events.StreamEndEvent:
            raise _fault(Problem.DOCUMENTS, event)

    def _scalar(self, event: _Event) -> None:
        text: str = event.value
        if self._hidden:
            text = text.translate(self._hidden)
        value: Json = text
        if event.tag is not None:
            value = resolve_tagged(event.tag, text)
        elif event.implicit[0]:
            value = resolve_plain(text)
        mark = _mark(event, None) if self._marking else None
        if event.anchor is not None:
            self._close(self._open(event.anchor), value, mark)
        self._add(value, event, mark)

    def _start_mapping(self, event: _Event) -> None:
        self._start(event, {})

    def _start_sequence(self, event: _Event) -> None:
        self._start(event, None)

    def _start(self, event: _Event, members: dict[str, Json] | None) -> None:
        if len(self._frames) >= MAX_DEPTH:
            raise _fault(Problem.DEPTH, event)
        frame = _Frame(event, members)
        if event.anchor is not None:
            frame.anchor = self._open(event.anchor)
        self._frames.append(frame)

    def _end(self, event: _Event) -> None:
        frame = self._frames.pop()
        value: Json = frame.items if frame.members is None else frame.members
        mark = None
        if self._marking:
            # A block ends where its last value does: libyaml only notices at what follows.
            end = event.end_mark.index if frame.flow else frame.end
            mark = Mark(frame.start, end, frame.marks)
        if frame.anchor is not None:
            self._close(frame.anchor, value, mark)
        self._add(value, event, mark)

    def _add(self, value: Json, event: _Event, mark: Mark | None) -> None:
        """Put a complete value where it belongs: the root, a list, a key, or a key's value."""
        if not self._frames:
            self.value = value
            self.mark = mark
            return
        frame = self._frames[-1]
        if mark is not None:
            frame.end = mark.end
        if frame.members is None:
            if mark is not None:
                frame.marks[str(len(frame.items))] = mark
            frame.items.append(value)
        elif frame.key is None:
            name = value if type(value) is str else spell(value)
            if len(name) > MAX_KEY and isinstance(value, (dict, list)):
                raise _fault(Problem.KEY, event, mark)
            self._add_key(frame, name, event, mark)
        else:
            if mark is not None:
                frame.marks[frame.key] = Mark(frame.key_start, mark.end, mark.children)
            frame.members[frame.key] = value
            frame.key = None

    def _add_key(self, frame: _Frame, name: str, event: _Event, mark: Mark | None) -> None:
        if frame.members is not None and name in frame.members:
            first = frame.starts.get(name, 0)
            raise _fault(Problem.DUPLICATE, event, mark, name=name, first=first)
        frame.key = name
        if mark is not None:
            frame.key_start = frame.starts[name] = mark.start

    def _open(self, name: str) -> _Anchor:
        anchor = self._anchors[name] = _Anchor(self._aliases)
        return anchor

    def _close(self, anchor: _Anchor, value: Json, mark: Mark | None) -> None:
        anchor.open = False
        anchor.value = value
        anchor.mark = mark
        anchor.aliases = self._aliases - anchor.aliases

    def _alias(self, event: _Event) -> None:
        name = event.anchor.translate(self._hidden)
        anchor = self._anchors.get(event.anchor)
        if anchor is None:
            raise _fault(Problem.UNKNOWN, event, name=name)
        if anchor.open:
            raise _fault(Problem.RECURSIVE, event, name=name)
        self._aliases += 1 + anchor.aliases
        if self._aliases > MAX_ALIASES:
            raise _fault(Problem.ALIASES, event, name=name)
        size, levels = anchor.measure = anchor.measure or _measure(anchor.value)
        self._expanded += size
        if self._expanded > MAX_EXPANDED:
            raise _fault(Problem.EXPANDED, event, name=name)
        if len(self._frames) + levels > MAX_DEPTH:
            raise _fault(Problem.DEPTH, event)
        mark = None
        if self._marking:
            mark = _mark(event, anchor.mark.children if anchor.mark else None)
        self._add(anchor.value, event, mark)


def _mark(event: _Event, inside: dict[str, Mark] | None) -> Mark:
    return Mark(event.start_mark.index, event.end_mark.index, inside)


def _fault(
    problem: Problem,
    event: _Event,
    mark: Mark | None = None,
    *,
    name: str = "",
    first: int = 0,
) -> YamlFault:
    start = mark.start if mark else event.start_mark.index
    end = mark.end if mark else event.end_mark.index
    return YamlFault(problem, start, end, name=name, first=first)


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
