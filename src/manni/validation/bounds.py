"""Bounds on what one document may take: no schema of a repository makes a run hang.

The engine that decides cannot be interrupted. So it runs a schema of a repository only where the
schema and the document cannot come to much; all else is left to the explanation, which looks at
the clock at every step.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeVar

from manni.base.errors import SchemaError
from manni.validation.graph import Linked, of_any_member, subschemas_in_place, subschemas_of_members
from manni.validation.patterns import Pattern, PatternLimitError, is_linear

MAX_DEPTH = 1_000
"""How deep a document may nest to be given to an engine whose stack is not ours."""

MAX_WORK = 50_000_000
"""How many keywords a schema may come to on a document to be run without looking at the clock."""

MAX_BACKTRACKING = 500
"""How many searches that may go back are run without looking at the clock."""

_T = TypeVar("_T")

_DEEP_STACK = 256 * 2**20
_DEEP_FRAMES = 100_000
_INFINITY = float("inf")
_ENOUGH = 10**15


class Bounds:
    """What a linked schema may come to.

    Args:
        root: the linked schema.
        nodes: from `in_order`.
    """

    def __init__(self, root: Linked, nodes: list[dict[str, Linked]]) -> None:
        self._root = root
        self._nodes = nodes
        self._work: dict[int, int] = {}
        patterns = [node["pattern"] for node in nodes if "pattern" in node]
        patterns += [one for node in nodes for one, _ in node.get("patternProperties", ())]
        self.slow_patterns: list[Pattern] = [one for one in patterns if not is_linear(one.source)]

    def allow(self, count: int, depth: int) -> bool:
        """Whether a document of so many values may be run without looking at the clock."""
        if count * len(self.slow_patterns) > MAX_BACKTRACKING:
            return False
        if depth not in self._work:
            self._work[depth] = _most_work(self._nodes, self._root, depth)
        return count * self._work[depth] <= MAX_WORK

    def are_met_by(self, value: Any) -> bool:
        """Whether no pattern takes too many steps on a text in the document."""
        try:
            for pattern in self.slow_patterns:
                for text in _texts(value):
                    pattern.matches(text)
        except PatternLimitError:
            return False
        return True


def in_order(root: Linked, reference: str) -> list[dict[str, Linked]]:
    """Every linked schema that is an object, each once, behind those that it applies in place.

    Raises:
        SchemaError: a subschema leads back to itself without moving to a member of the value.
    """
    nodes = {id(node): node for node in _all_nodes(root)}
    in_place = {
        number: [id(each) for each in subschemas_in_place(node) if isinstance(each, dict)]
        for number, node in nodes.items()
    }
    try:
        return [nodes[number] for number in TopologicalSorter(in_place).static_order()]
    except CycleError:
        raise SchemaError(
            "a $ref in it leads back to itself without end; "
            "let one of the references on the way describe a member of the value",
            where=reference,
        ) from None


def _all_nodes(root: Linked) -> Iterator[dict[str, Linked]]:
    met: set[int] = set()
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, dict) and id(node) not in met:
            met.add(id(node))
            yield node
            pending += subschemas_in_place(node)
            pending += subschemas_of_members(node)


def _most_work(nodes: list[dict[str, Linked]], root: Linked, depth: int) -> int:
    """How many keywords may run for one value, at most: schemas multiply where references meet.

    Args:
        nodes: from `in_order`.
        root: the linked schema.
        depth: how deep the document nests.
    """
    inner: dict[int, int] = {}
    for _ in range(depth + 1):
        work: dict[int, int] = {}
        for node in nodes:
            total = len(node) + len(node.get("enum", ())) + len(node.get("patternProperties", ()))
            in_place = _sum(work, subschemas_in_place(node))
            # Both look at what was applied in place once more, to learn what it described.
            again = ("unevaluatedProperties" in node) + ("unevaluatedItems" in node)
            total += in_place * (1 + 2 * again)
            described = node.get("properties", {}).values()
            total += max((inner.get(id(each), 1) for each in described), default=0)
            total += _sum(inner, of_any_member(node))
            work[id(node)] = min(total, _ENOUGH)
        inner = work
    return inner.get(id(root), 1)


def _sum(work: dict[int, int], schemas: Iterable[Linked]) -> int:
    return sum(work.get(id(each), 1) for each in schemas)


def measured(value: Any) -> tuple[int, int]:
    """How many values there are, and how deep they nest; -1 where one is no number in JSON."""
    if isinstance(value, float):
        return 1, 0 if -_INFINITY < value < _INFINITY else -1
    count, depth, level = 1, 0, [value]
    while level:
        inner = []
        for each in level:
            members: Any = ()
            if isinstance(each, dict):
                members = each.values()
            elif isinstance(each, list):
                members = each
            count += len(members)
            for member in members:
                kind = type(member)
                if kind is dict or kind is list:
                    inner.append(member)
                elif kind is float and not -_INFINITY < member < _INFINITY:
                    return count, -1
        depth += 1
        level = inner
    return count, depth


def _texts(value: Any) -> Iterator[str]:
    """Every string in a value, and every key."""
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            yield from each
            pending += each.values()
        elif isinstance(each, list):
            pending += each


def with_deep_stack(work: Callable[[], _T], reference: str) -> _T:
    """Run deep but finite work in a thread that has the stack for it."""
    import threading
    from concurrent.futures import ThreadPoolExecutor

    limit, size = sys.getrecursionlimit(), threading.stack_size(_DEEP_STACK)
    sys.setrecursionlimit(max(limit, _DEEP_FRAMES))
    try:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(work).result()
    except RecursionError:
        raise SchemaError(
            "it nests too deep for this document; make it flatter", where=reference
        ) from None
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
