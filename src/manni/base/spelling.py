"""Near misses: the name that a misspelled word was most likely meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_COMPARED_NAMES = 500
_COMPARED_LENGTH = 80
_SIMILAR = 0.7


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name that `word` is most likely a misspelling of, or None when none is near.

    A name that differs in case and separators alone is the nearest there is.
    """
    return _nearest(word, tuple(names))


@lru_cache(maxsize=4096)
def _nearest(word: str, names: tuple[str, ...]) -> str | None:
    if not word or len(word) > _COMPARED_LENGTH or word in names:
        return None
    folded = _folded(word)
    letters = set(folded)
    best, best_ratio = None, _SIMILAR
    for name in names[:_COMPARED_NAMES]:
        other = _folded(name)
        if other == folded:
            return name
        if not _may_be_similar(folded, letters, other):
            continue
        ratio = _ratio(folded, other)
        if ratio > best_ratio:
            best, best_ratio = name, ratio
    return best


def _folded(word: str) -> str:
    return word.lower().replace("_", "-").replace(" ", "-")


def _may_be_similar(word: str, letters: set[str], other: str) -> bool:
    """A cheap upper bound, so that the costly comparison is left to likely names."""
    shorter, longer = sorted((len(word), len(other)))
    if longer > _COMPARED_LENGTH or 2 * shorter < _SIMILAR * (shorter + longer):
        return False
    return len(letters.intersection(other)) * 2 > len(letters)


def _ratio(word: str, other: str) -> float:
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, word, other, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() > _SIMILAR else 0.0
