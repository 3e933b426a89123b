"""A memory of what was worked out before, of bounded size."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Recent(Generic[_T]):
    """Keeps what was put in last, and forgets the oldest when there is too much.

    Args:
        limit: of the sizes of all that is kept together.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._total = 0
        self._kept: OrderedDict[Hashable, tuple[_T, int]] = OrderedDict()

    def get(self, key: Hashable) -> _T | None:
        """What is kept under the key, or None."""
        found = self._kept.get(key)
        return found[0] if found else None

    def keep(self, key: Hashable, value: _T, *, size: int) -> None:
        """Keep a value, of some size, under a key that holds none; one too large is not kept."""
        if size > self._limit:
            return
        self._kept[key] = (value, size)
        self._total += size
        while self._total > self._limit:
            _, (_, forgotten) = self._kept.popitem(last=False)
            self._total -= forgotten
