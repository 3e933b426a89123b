from __future__ import annotations

import os
import time
from threading import Lock

import pytest

from manni.base.errors import OperationalError, SchemaError
from manni.engine.pool import ENOUGH_WORK, MOST_CHUNKS, _processes, _size, map_all

STARTER = os.getpid()


def no_process_is_left() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


class Meeting:
    """Where helpers wait until the starter has seen that each has taken an item."""

    def __init__(self, helpers: int) -> None:
        self._left = helpers
        self._ready, self._go = os.pipe(), os.pipe()
        self._met = False

    def wait(self) -> None:
        if self._met:
            return
        self._met = True
        if os.getpid() == STARTER:
            for _ in range(self._left):
                os.read(self._ready[0], 1)
            os.write(self._go[1], b"." * self._left)
        else:
            os.write(self._ready[1], b".")
            os.read(self._go[0], 1)


@pytest.mark.parametrize(
    ("work", "expected"),
    [(0, 1), (1, 1), (ENOUGH_WORK, 1), (2 * ENOUGH_WORK, 2), (5 * ENOUGH_WORK, 5), (10**6, 8)],
)
def test_each_process_has_enough_work(
    work: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert _processes(None, work) == expected


@pytest.mark.parametrize(
    ("jobs", "work", "expected"), [(1, 10, 1), (4, 10, 4), (4, 3, 3), (4, 0, 1)]
)
def test_as_many_processes_as_asked_for(jobs: int, work: int, expected: int) -> None:
    assert _processes(jobs, work) == expected


@pytest.mark.parametrize("processes", [1, 2, 7, 7999])
@pytest.mark.parametrize("work", [0, 2, 399, 7999, 799_999, 10**7])
def test_chunks_are_neither_too_large_nor_too_many(work: int, processes: int) -> None:
    size = _size(work, processes)
    assert -(-work // size) <= MOST_CHUNKS
    assert size == 1 or size <= max(100, -(-work // MOST_CHUNKS))


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("items", [0, 1, 7, 1050])
def test_each_item_is_done_once_and_in_order(items: int, jobs: int) -> None:
    assert map_all(lambda item: item**2, range(items), jobs=jobs) == [n**2 for n in range(items)]


@pytest.mark.parametrize("jobs", [1, 3])
def test_progress_is_told_by_the_starter(jobs: int) -> None:
    told: list[tuple[int, int]] = []
    map_all(str, range(1050), jobs=jobs, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (1050, 1050)


class Odd(Exception):  # noqa: N818 - an error only of this test
    """It can be taken apart for sending, and not be put together again."""

    def __init__(self, one: str, *, other: str) -> None:
        super().__init__(f"{one} and {other}")


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_first_error_in_order_comes_back_as_it_is(jobs: int) -> None:
    def fail(item: int) -> None:
        if item in {30, 70}:
            raise SchemaError("it is wrong", where=f"a.json:{item}")

    with pytest.raises(SchemaError) as caught:
        map_all(fail, range(90), jobs=jobs)
    assert (str(caught.value), caught.value.where) == ("a.json:30: it is wrong", "a.json:30")
    assert no_process_is_left()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("about a lock", Lock()), r"ValueError: \('about a lock'"),
        (Odd("one", other="two"), "Odd: one and two"),
    ],
)
def test_what_cannot_be_sent_is_named(error: Exception, said: str) -> None:
    meeting = Meeting(1)

    def fail(_item: int) -> None:
        meeting.wait()
        if os.getpid() != STARTER:
            raise error

    with pytest.raises(RuntimeError, match=said):
        map_all(fail, range(2), jobs=2)


def test_all_processes_do_their_share() -> None:
    meeting = Meeting(2)

    def work(_item: int) -> int:
        meeting.wait()
        return os.getpid()

    assert len(set(map_all(work, range(900), jobs=3))) == 3
    assert no_process_is_left()


def test_no_process_outlives_an_interrupt_of_the_starter() -> None:
    meeting = Meeting(2)

    def work(_item: int) -> None:
        meeting.wait()
        if os.getpid() == STARTER:
            raise KeyboardInterrupt
        time.sleep(60)

    with pytest.raises(KeyboardInterrupt):
        map_all(work, range(3), jobs=3)
    assert no_process_is_left()


def test_a_process_that_dies_is_reported() -> None:
    meeting = Meeting(2)

    def die(_item: int) -> None:
        meeting.wait()
        if os.getpid() != STARTER:
            os._exit(3)

    with pytest.raises(OperationalError, match="a process of the run died"):
        map_all(die, range(10), jobs=3)
    assert no_process_is_left()


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
    assert map_all(str, range(50), jobs=4) == [str(number) for number in range(50)]
    assert os.listdir("/proc/self/fd") == before
    assert no_process_is_left()


def test_a_process_ends_when_its_starter_has_gone() -> None:
    reading, writing = os.pipe()
    starter = os.fork()
    if starter == 0:
        starter = os.getpid()

        def work(_item: int) -> str:
            if os.getpid() == starter:
                time.sleep(60)
            os.write(writing, b".")
            time.sleep(0.01)
            return "more than a pipe holds" * 10_000

        try:
            map_all(work, range(30_000), jobs=2)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as working:
        assert working.read(1) == b"."
        os.kill(starter, 9)
        os.waitpid(starter, 0)
        # It can be read to its end when the helper has ended too.
        assert len(working.read()) < 25_000
