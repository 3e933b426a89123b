"""Matching parsed globs: a regular expression where that is safe, a simulation where it is not.

Python's regular expressions backtrack, so a hostile pattern could run for years. A pattern is
translated only when its worst case is small; stars between fixed parts are made atomic, which
changes nothing since the first match of each part leaves the most to the rest. Everything else
is matched by following all possible places at once, which takes polynomial time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from manni.discovery.glob_nodes import (
    Class,
    Group,
    Look,
    Negation,
    Node,
    Nodes,
    Segment,
    Text,
    Wild,
    ends_in_star,
    flatten,
    holds_slash,
)

RISK_LIMIT = 10_000
"""How many ways there may be to try one segment of a path against one of a pattern."""

_STAR_RISK = 100
# No path has an empty segment.
_NOTHING = "(?!)"
_WILD_REGEX = {Wild.ANY: "[^/]", Wild.STAR: "[^/]*"}


def to_regex(segments: tuple[Segment, ...]) -> str | None:
    """The regular expression for one brace-free pattern, to be matched from the start.

    Returns:
        None when only `Simulation` may match the pattern.
    """
    if () in segments:
        return _NOTHING
    blocks: list[list[str]] = [[]]
    for segment in segments:
        if segment is None:
            blocks.append([])
            continue
        if holds_slash(segment) or _risk(segment) > RISK_LIMIT:
            return None
        blocks[-1].append(segment_regex(segment))
    needs_more = len(segments) > 1 and ends_in_star(segments[-2])
    return _join_blocks(["/".join(block) for block in blocks], "/" if needs_more else r"(?:/|\Z)")


def _join_blocks(blocks: list[str], before_end: str) -> str:
    """Blocks of segments with a `**` between each two, and what a final `**` starts with."""
    first, last = blocks[0], blocks[-1]
    if len(blocks) == 1:
        return first + r"\Z"
    regex = first
    for block in blocks[1:-1]:
        regex += f"{'/' if regex else ''}(?>(?:[^/]+/)*?{block}(?=/|\\Z))"
    if not last:
        return regex + (before_end if regex else "")
    return regex + ("/" if regex else "") + rf"(?:.*/)?{last}\Z"


def segment_regex(segment: Nodes) -> str:
    """The regular expression for a segment that stays within one, without an anchor."""
    if any(isinstance(node, Group | Negation) for node in segment):
        return _sequence_regex(segment)
    pieces: list[list[Node]] = [[]]
    for node in segment:
        if node is Wild.STAR:
            pieces.append([])
        else:
            pieces[-1].append(node)
    first, *rest = (_sequence_regex(tuple(piece)) for piece in pieces)
    if not rest:
        return first
    middle = "".join(f"(?>[^/]*?{piece})" for piece in rest[:-1] if piece)
    return f"{first}{middle}[^/]*{rest[-1]}"


def _sequence_regex(nodes: Nodes) -> str:
    parts: list[str] = []
    for index, node in enumerate(nodes):
        if isinstance(node, Negation):
            parts.append(_negation_regex(node, nodes[index + 1 :]))
        else:
            parts.append(_node_regex(node))
    return "".join(parts)


def _negation_regex(node: Negation, rest: Nodes) -> str:
    ends = {Look.WHOLE: r"\Z", Look.PREFIX: ""}
    end = _sequence_regex(rest) if node.look is Look.REST else ends[node.look]
    return f"(?!{_branches_regex(node.branches)}{end})[^/]*"


def _node_regex(node: Node) -> str:
    if isinstance(node, Text):
        return re.escape(node.text)
    if isinstance(node, Class):
        return class_regex(node)
    if isinstance(node, Group):
        return _branches_regex(node.branches) + ("?" if node.optional else "")
    if isinstance(node, Wild) and node in _WILD_REGEX:
        return _WILD_REGEX[node]
    raise AssertionError(node)


def _branches_regex(branches: tuple[Nodes, ...]) -> str:
    return f"(?:{'|'.join(map(_sequence_regex, branches))})"


def class_regex(node: Class) -> str:
    """The regular expression for one character of a class."""
    body = "".join(
        re.escape(low) if low == high else f"{re.escape(low)}-{re.escape(high)}"
        for low, high in node.ranges
    )
    return f"[^/{body}]" if node.negated else f"(?!/)[{body}]"


def _risk(nodes: Nodes) -> int:
    """How many ways a backtracking matcher may try; stars without groups are atomic."""
    if not any(isinstance(node, Group | Negation) for node in nodes):
        return 1
    risk = 1
    for node in nodes:
        risk *= _node_risk(node)
        if risk > RISK_LIMIT:
            break
    return risk


def _node_risk(node: Node) -> int:
    if node is Wild.STAR:
        return _STAR_RISK
    if isinstance(node, Group):
        if node.repeats:
            return RISK_LIMIT + 1
        return sum(map(_nested_risk, node.branches)) + node.optional
    if isinstance(node, Negation):
        return _STAR_RISK + sum(map(_nested_risk, node.branches))
    return 1


def _nested_risk(nodes: Nodes) -> int:
    risk = 1
    for node in nodes:
        risk = min(risk * _node_risk(node), RISK_LIMIT + 1)
    return risk


class Simulation:
    """Matches one path by following every place that the pattern could have reached.

    Time is polynomial in the lengths of path and pattern, whatever they hold.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._end = len(path)
        self._negations: dict[tuple[int, int], bool] = {}

    def matches(self, segments: tuple[Segment, ...]) -> bool:
        """Whether the whole path matches."""
        return self._end in self._sequence(flatten(segments), frozenset({0}))

    def _sequence(self, nodes: Nodes, places: frozenset[int]) -> frozenset[int]:
        for index, node in enumerate(nodes):
            if not places:
                break
            if isinstance(node, Negation):
                places = self._negation(node, nodes[index + 1 :], places)
            elif isinstance(node, Group):
                places = self._group(node, places)
            elif isinstance(node, Text):
                text, width = node.text, len(node.text)
                places = frozenset(
                    place + width for place in places if self._path.startswith(text, place)
                )
            elif isinstance(node, Class):
                places = self._characters(re.compile(class_regex(node), re.DOTALL), places)
            elif isinstance(node, Wild):
                places = _WALKS[node](self._path, places)
        return places

    def _characters(self, regex: re.Pattern[str], places: Iterable[int]) -> frozenset[int]:
        return frozenset(place + 1 for place in places if regex.match(self._path, place))

    def _branches(self, branches: tuple[Nodes, ...], places: frozenset[int]) -> frozenset[int]:
        return frozenset().union(*(self._sequence(branch, places) for branch in branches))

    def _group(self, node: Group, places: frozenset[int]) -> frozenset[int]:
        reached = self._branches(node.branches, places)
        if node.repeats:
            fresh = reached
            while fresh:
                fresh = self._branches(node.branches, fresh) - reached
                reached |= fresh
        return reached | places if node.optional else reached

    def _negation(self, node: Negation, rest: Nodes, places: frozenset[int]) -> frozenset[int]:
        allowed = frozenset(place for place in places if not self._ahead(node, rest, place))
        walk = _WALKS[Wild.EVERYTHING if node.crosses else Wild.STAR]
        return walk(self._path, allowed)

    def _ahead(self, node: Negation, rest: Nodes, place: int) -> bool:
        """Whether what the group excludes is ahead of this place."""
        known = self._negations.get((id(node), place))
        if known is None:
            reached = self._branches(node.branches, frozenset({place}))
            if node.look is Look.WHOLE:
                known = self._end in reached
            elif node.look is Look.REST:
                known = bool(self._sequence(rest, reached))
            else:
                known = bool(reached)
            self._negations[id(node), place] = known
        return known


def _any(path: str, places: frozenset[int]) -> frozenset[int]:
    end = len(path)
    return frozenset(place + 1 for place in places if place < end and path[place] != "/")


def _slash(path: str, places: frozenset[int]) -> frozenset[int]:
    return frozenset(place + 1 for place in places if path.startswith("/", place))


def _star(path: str, places: frozenset[int]) -> frozenset[int]:
    reached: set[int] = set()
    done = -1
    for place in sorted(places):
        if place <= done:
            continue
        slash = path.find("/", place)
        done = len(path) if slash < 0 else slash
        reached.update(range(place, done + 1))
    return frozenset(reached)


def _directories(path: str, places: frozenset[int]) -> frozenset[int]:
    if not places:
        return places
    first = min(places)
    return places.union(
        place + 1 for place in range(first, len(path)) if path[place] == "/" and place > first
    )


def _below(path: str, places: frozenset[int]) -> frozenset[int]:
    return places | _everything(path, _slash(path, places))


def _everything(path: str, places: frozenset[int]) -> frozenset[int]:
    return frozenset(range(min(places), len(path) + 1)) if places else places


_WALKS: dict[Wild, Callable[[str, frozenset[int]], frozenset[int]]] = {
    Wild.ANY: _any,
    Wild.STAR: _star,
    Wild.SLASH: _slash,
    Wild.DIRECTORIES: _directories,
    Wild.BELOW: _below,
    Wild.BENEATH: lambda path, places: _everything(path, _slash(path, places)),
    Wild.EVERYTHING: _everything,
}
