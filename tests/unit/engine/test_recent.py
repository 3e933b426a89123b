from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from manni.engine.recent import Recent


def test_the_oldest_are_forgotten_first() -> None:
    recent: Recent[str] = Recent(limit=10)
    for name in "abc":
        recent.keep(name, name.upper(), size=4)
    assert [recent.get(name) for name in "abc"] == [None, "B", "C"]


def test_what_is_too_large_is_not_kept() -> None:
    recent: Recent[str] = Recent(limit=10)
    recent.keep("a", "A", size=11)
    assert recent.get("a") is None
    recent.keep("b", "B", size=10)
    recent.keep("c", "C", size=11)
    assert (recent.get("b"), recent.get("c")) == ("B", None)


@given(st.lists(st.integers(0, 12), max_size=30))
def test_no_more_is_kept_than_the_limit(sizes: list[int]) -> None:
    recent: Recent[int] = Recent(limit=20)
    for number, size in enumerate(sizes):
        recent.keep(number, size, size=size)
    kept = [number for number in range(len(sizes)) if recent.get(number) is not None]
    assert sum(sizes[number] for number in kept) <= 20
    assert kept == list(range(len(sizes) - len(kept), len(sizes)))
