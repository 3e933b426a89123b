"""The tree that a glob is parsed to: segments of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class GlobError(ValueError):
    """A pattern that cannot be used; the message says why, without the pattern."""


class Look(Enum):
    """What must not match ahead of a negated group, for the group to match."""

    WHOLE = "one of the branches, up to the end of the path"
    REST = "one of the branches, and what follows the group"
    PREFIX = "one of the branches"


@dataclass(frozen=True, slots=True)
class Text:
    """Literal characters without `/`."""

    text: str


@dataclass(frozen=True, slots=True)
class Class:
    """One character but `/`, in one of the ranges, or in none of them when negated."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool


class Wild(Enum):
    """The wildcards without content."""

    ANY = "one character but /"
    STAR = "any number of characters but /"
    SLASH = "/"
    DIRECTORIES = "any number of whole segments, each with its /"
    BELOW = "nothing, or / and anything"
    BENEATH = "/ and anything"
    EVERYTHING = "anything"
    STARS = "** before it is known whether it is a whole segment"


@dataclass(frozen=True, slots=True)
class Group:
    """One of the branches; it may be missing when `optional`, and come again when `repeats`."""

    branches: tuple[Nodes, ...]
    optional: bool = False
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Negation:
    """Anything within a segment, unless one of the branches is ahead.

    Attributes:
        branches: what must not be ahead.
        look: how far they are looked for.
        crosses: whether it matches across segments, as it does when a branch holds `/`.
    """

    branches: tuple[Nodes, ...]
    look: Look
    crosses: bool


@dataclass(frozen=True, slots=True)
class Braces:
    """Alternatives that become patterns of their own, or a group when inside of a group."""

    branches: tuple[Nodes, ...]


Node = Text | Class | Wild | Group | Negation | Braces
Nodes = tuple[Node, ...]

Segment = Nodes | None
"""The nodes of one segment, or None for a `**`."""


@dataclass(frozen=True, slots=True)
class Glob:
    """A parsed pattern.

    Attributes:
        source: the pattern as written.
        alternatives: the brace-free patterns that it stands for, each a tuple of segments.
        is_glob: whether it holds anything but literal characters.
    """

    source: str
    alternatives: tuple[tuple[Segment, ...], ...]
    is_glob: bool


def flatten(segments: Sequence[Segment]) -> Nodes:
    """The segments as one sequence of nodes, `**` spelled as what it crosses."""
    nodes: list[Node] = []
    last = len(segments) - 1
    for index, segment in enumerate(segments):
        if segment is None:
            nodes.append(Wild.DIRECTORIES if index < last else _final(segments))
            continue
        nodes.extend(segment)
        if index < last and (index + 1 < last or segments[last] is not None):
            nodes.append(Wild.SLASH)
    return tuple(nodes)


def _final(segments: Sequence[Segment]) -> Wild:
    if len(segments) == 1:
        return Wild.EVERYTHING
    return Wild.BENEATH if ends_in_star(segments[-2]) else Wild.BELOW


def ends_in_star(segment: Segment) -> bool:
    """Whether a final `**` after this segment must match something.

    `docs/**` matches `docs` itself, but `docs/*/**` matches nothing directly below `docs`.
    """
    return bool(segment) and segment is not None and segment[-1] is Wild.STAR


def holds_slash(nodes: Nodes) -> bool:
    """Whether matching these nodes may go beyond one segment."""
    return any(
        node in _CROSSING
        or (isinstance(node, Group) and any(map(holds_slash, node.branches)))
        or (isinstance(node, Negation) and node.crosses)
        for node in nodes
    )


_CROSSING = frozenset({Wild.SLASH, Wild.DIRECTORIES, Wild.BELOW, Wild.BENEATH, Wild.EVERYTHING})
