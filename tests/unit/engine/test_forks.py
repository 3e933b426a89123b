from __future__ import annotations

import os
import time
from collections.abc import Iterator
from threading import Lock

import pytest

from manni.base.errors import OperationalError, SchemaError
from manni.engine.forks import MOST_PIECES, Done, spread

STARTER = os.getpid()


def _squares(numbers: Iterator[int]) -> Iterator[Done]:
    for number in numbers:
        yield number, number**2


@pytest.mark.parametrize("processes", [1, 2, 5])
@pytest.mark.parametrize("pieces", [0, 1, 7, MOST_PIECES])
def test_each_piece_is_done_once(pieces: int, processes: int) -> None:
    done = spread(_squares, pieces, processes)
    assert sorted(done) == [(number, number**2) for number in range(pieces)]


class Meeting:
    """Where helpers wait until the starter has seen that each has taken a piece."""

    def __init__(self, helpers: int) -> None:
        self._helpers = helpers
        self._ready, self._go = os.pipe(), os.pipe()

    def wait(self) -> None:
        if os.getpid() == STARTER:
            for _ in range(self._helpers):
                os.read(self._ready[0], 1)
            os.write(self._go[1], b"." * self._helpers)
        else:
            os.write(self._ready[1], b".")
            os.read(self._go[0], 1)


def test_helpers_do_their_share() -> None:
    meeting = Meeting(2)

    def work(numbers: Iterator[int]) -> Iterator[Done]:
        for place, number in enumerate(numbers):
            if place == 0:
                meeting.wait()
            yield number, os.getpid()

    done = spread(work, 40, 3)
    assert sorted(number for number, _ in done) == list(range(40))
    assert len({process for _, process in done}) == 3


def test_too_many_pieces_are_refused() -> None:
    with pytest.raises(ValueError, match="too many pieces"):
        spread(_squares, MOST_PIECES + 1, 2)


def test_an_error_comes_back_as_it_is() -> None:
    error = SchemaError("it is wrong", where="a.json:3")

    def work(numbers: Iterator[int]) -> Iterator[Done]:
        for number in numbers:
            yield number, error

    for _, came in spread(work, 20, 2):
        assert isinstance(came, SchemaError)
        assert (str(came), came.where) == ("a.json:3: it is wrong", "a.json:3")


class Odd(Exception):  # noqa: N818 - an error only of this test
    """It can be taken apart for sending, and not be put together again."""

    def __init__(self, one: str, *, other: str) -> None:
        super().__init__(f"{one} and {other}")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("about a lock", Lock()), "ValueError: ('about a lock'"),
        (Odd("one", other="two"), "Odd: one and two"),
    ],
)
def test_what_cannot_be_sent_is_named(error: Exception, said: str) -> None:
    meeting = Meeting(1)

    def work(numbers: Iterator[int]) -> Iterator[Done]:
        for place, number in enumerate(numbers):
            if place == 0:
                meeting.wait()
            yield number, None if os.getpid() == STARTER else error

    sent = [came for _, came in spread(work, 10, 2) if came is not None]
    assert sent
    assert all(str(came).startswith(said) for came in sent)


def test_a_helper_that_dies_is_reported() -> None:
    def work(numbers: Iterator[int]) -> Iterator[Done]:
        if os.getpid() != STARTER:
            os._exit(3)
        yield from _squares(numbers)

    with pytest.raises(OperationalError, match="a process of the run died"):
        spread(work, 10, 3)


def test_what_can_be_started_does_all_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    fork = os.fork
    started: list[bool] = []

    def refuse() -> int:
        if started:
            raise BlockingIOError("no more processes")
        started.append(True)
        return fork()

    monkeypatch.setattr(os, "fork", refuse)
    before = os.listdir("/proc/self/fd")
    done = spread(_squares, 50, 4)
    assert sorted(done) == [(number, number**2) for number in range(50)]
    assert os.listdir("/proc/self/fd") == before


def test_a_helper_ends_when_its_starter_has_gone() -> None:
    reading, writing = os.pipe()

    def work(numbers: Iterator[int]) -> Iterator[Done]:
        for number in numbers:
            if os.getpid() == starter:
                os._exit(0)
            os.write(writing, b".")
            time.sleep(0.01)
            yield number, "more than a pipe holds" * 10_000

    starter = os.fork()
    if starter == 0:
        starter = os.getpid()
        try:
            spread(work, 300, 2)
        finally:
            os._exit(1)
    os.close(writing)
    os.waitpid(starter, 0)
    with os.fdopen(reading, "rb") as taken:
        # It can be read to its end when the helper has ended too.
        assert len(taken.read()) < 290


def test_no_helper_outlives_an_error_of_the_starter() -> None:
    reading, writing = os.pipe()

    def work(numbers: Iterator[int]) -> Iterator[Done]:
        if os.getpid() == STARTER:
            assert os.read(reading, 1) + os.read(reading, 1) == b".."
            raise KeyboardInterrupt
        os.write(writing, b".")
        time.sleep(60)
        yield from _squares(numbers)

    with pytest.raises(KeyboardInterrupt):
        spread(work, 10, 3)
    os.close(writing)
    with os.fdopen(reading, "rb") as left:
        assert left.read() == b""  # nobody holds the other end any more
