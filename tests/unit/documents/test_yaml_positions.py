"""Where YAML values stand: what is worked out for one pointer equals a walk over them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from yaml import events
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # its stub forgets to export it

from manni.base.json_types import Json, spell
from manni.documents.source_map import Mark
from manni.documents.yaml.core import resolve_plain, resolve_tagged
from manni.documents.yaml.positions import Positions
from manni.documents.yaml.reader import UNREADABLE, read_marked
from manni.documents.yaml.text import hide


class Eager:
    """The marks of a whole text, made while it is read."""

    def __init__(self, text: str) -> None:
        readable, self._hidden = hide(text)
        self._following = CParser(readable).get_event
        self._anchors: dict[str | None, list[tuple[Json, Mark]]] = {}
        self._following()
        self._following()
        self.value, self.mark = self._read(self._following())

    def _read(self, event: Any) -> tuple[Json, Mark]:
        start, end = event.start_mark.index, event.end_mark.index
        if isinstance(event, events.AliasEvent):
            value, mark = self._anchors[event.anchor][0]
            return value, Mark(start, end, mark.children)
        # The latest anchor of a name counts from where it starts.
        named = self._anchors[event.anchor] = []
        if isinstance(event, events.MappingStartEvent):
            found = self._mapping(event)
        elif isinstance(event, events.SequenceStartEvent):
            found = self._sequence(event)
        else:
            found = self._scalar(event), Mark(start, end)
        named.append(found)
        return found

    def _scalar(self, event: Any) -> Json:
        text = event.value.translate(self._hidden)
        if event.tag is not None:
            return resolve_tagged(event.tag, text)
        return resolve_plain(text) if event.implicit[0] else text

    def _mapping(self, event: Any) -> tuple[Json, Mark]:
        members: dict[str, Json] = {}
        root = Mark(event.start_mark.index, event.start_mark.index, {})
        while not isinstance(following := self._following(), events.MappingEndEvent):
            name, key = self._read(following)
            value, mark = self._read(self._following())
            members[spell(name)] = value
            assert root.children is not None
            root.children[spell(name)] = Mark(key.start, mark.end, mark.children)
            root.end = mark.end
        if event.flow_style:
            root.end = self._end(following)
        return members, root

    def _end(self, event: Any) -> int:
        end: int = event.end_mark.index
        return end

    def _sequence(self, event: Any) -> tuple[Json, Mark]:
        items: list[Json] = []
        root = Mark(event.start_mark.index, event.start_mark.index, {})
        while not isinstance(following := self._following(), events.SequenceEndEvent):
            value, mark = self._read(following)
            assert root.children is not None
            root.children[str(len(items))] = mark
            items.append(value)
            root.end = mark.end
        if event.flow_style:
            root.end = self._end(following)
        return items, root


def paths(mark: Mark, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for token, child in (mark.children or {}).items():
        yield from paths(child, (*path, token))


def check(text: str) -> None:
    """Hold every position, asked for in two orders, against the eager ones."""
    value, positions = read_marked(text)
    assert positions is not None
    eager = Eager(text)
    assert repr(value) == repr(eager.value)
    assert positions.root == (eager.mark.start, eager.mark.end)
    every = list(paths(eager.mark))
    for found, order in ((positions, every), (read_marked(text)[1], reversed(every))):
        assert found is not None
        for path in order:
            check_path(found, eager.mark, path)


def check_path(positions: Positions, mark: Mark, path: tuple[str, ...]) -> None:
    assert positions.extent([*path]) == mark.extent([*path])
    for nothing in ("", "nothing", "0", "00", "01", "-1", "+0", "٠", "9" * 5000):
        for more in ([nothing], [nothing, "a"]):
            assert positions.extent([*path, *more]) == mark.extent([*path, *more])


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\n",
        "null\n",
        "- a\n- - b\n  - c\n-\n",
        "a:\n- 1\n- 2\nb: {c: [d, {e: f}], g: }\nh:\n",
        "a: &x\n  b: c\nd: *x\ne: [*x, *x]\n",
        "a: &x {b: [1, 2]}\nc: &y\n  d: *x\n  e: f\ng: *y\n",
        "&k a: &v b\nc: {*k : *v}\n",
        "a: &x [&x b, *x]\nc: *x\n",
        "a: &x 1\n*x : {y: *x}\n",
        "? [a, b]\n: c\n? {d: e}\n: - f\n? |\n  block\n: >-\n  folded\n  text\n",
        "1: a\n0x10: b\n1.50: c\n~: d\ntrue: e\n",
        "a: !!map {b: !!str 1}\nc: !t\n  - &d d\n",
        "a: [b: c, ? d, e: ]\n",
        "a: [?x, :y]\nb: {?k: v}\n",
        "a: |+\n  text\n\n\nb: 'quoted\n  twice'\n\n",
        "a:\r\n  - b\r\n  - c\r\rd: e\r",
        '"key": "\\u00e9"\n\'k\': "a\n  b"\n# comment\n',
    ],
)
def test_each_position_is_that_of_an_eager_walk(text: str) -> None:
    check(text)


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=6)
SCALARS = st.none() | st.booleans() | st.integers() | TEXT
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4)
)


@settings(max_examples=150, deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=3), st.sampled_from([None, '"', "|"]), st.booleans())
def test_positions_of_any_value_are_those_of_an_eager_walk(
    values: list[Json], style: str | None, flow: bool
) -> None:
    # What occurs twice is dumped as an alias the second time.
    shared = {"first": values, "again": [values, *values], "last": {"deep": values[0]}}
    text = yaml.safe_dump(
        shared, default_style=style, default_flow_style=flow, allow_unicode=True, sort_keys=False
    )
    check(text)


PIECES = st.sampled_from("ab:-?{}[],'\"#~&*!| \n") | st.sampled_from(
    [": ", "- ", "&a ", "*a", "\n", "\n  ", "key: ", "[x, ", "]\n", "{y: z}", "k: v\n", "\n- "]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=20))
def test_positions_of_any_text_are_those_of_an_eager_walk(pieces: list[str]) -> None:
    text = "".join(pieces)
    try:
        positions = read_marked(text)[1]
    except UNREADABLE:
        return
    if positions is not None:
        check(text)


def test_many_positions_of_one_mapping_take_no_longer_than_it_is_long() -> None:
    text = "".join(f"k{index}: {index}\n" for index in range(20_000))
    positions = read_marked(text)[1]
    assert positions is not None
    for index in range(20_000):
        extent = positions.extent([f"k{index}"])
        assert extent is not None
        assert text[slice(*extent)] == f"k{index}: {index}"
