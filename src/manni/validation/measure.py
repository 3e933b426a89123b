"""The size of a document, and room on the stack for what nests deep."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from manni.base.errors import SchemaError

_T = TypeVar("_T")

_DEEP_STACK = 256 * 2**20
_DEEP_FRAMES = 100_000
_INFINITY = float("inf")


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


def texts(value: Any) -> Iterator[str]:
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
