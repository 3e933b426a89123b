"""A function of many items, done one after the other or shared by several processes.

Processes are forked, so that they inherit all that is loaded already. They take numbers of chunks
from one pipe until it is empty, the process that started them too, and each sends what came of its
chunks through a pipe of its own. `concurrent.futures` was measured in its place: on 10,000 short
skills and two processes it made a whole run cost 14 to 18 % more, for its imports and its queues.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from operator import itemgetter
from typing import Any, BinaryIO, NoReturn, TypeVar

from manni.base.errors import OperationalError

_T = TypeVar("_T")
_R = TypeVar("_R")

Progress = Callable[[int, int], None]
"""Told how many items are done, and of how many."""

ENOUGH_WORK = 200
"""How many items each process must have before starting another one pays."""

MOST_CHUNKS = 4_000
"""How many chunks there may be: all of their numbers have to fit into a pipe at once."""

_CHUNK = 100
_NUMBER_SIZE = 4

_Done = tuple[int, "list[Any] | Exception"]
_Work = Callable[[Iterator[int]], Iterator[_Done]]


def map_all(
    function: Callable[[_T], _R],
    items: Sequence[_T],
    *,
    jobs: int | None,
    progress: Progress | None = None,
) -> list[_R]:
    """What the function gives for each item, in the order given.

    Args:
        function: each process inherits it and all that it holds; only what it gives is sent.
        items: inherited likewise.
        jobs: how many processes; None takes the usable cores when there is enough work.
        progress: called in this process as the work goes on.

    Raises:
        OperationalError: a process died.
        Exception: what the function raised for the first of the items that it raised for.
    """
    processes = _processes(jobs, len(items))
    size = _size(len(items), processes)
    starts = range(0, len(items), size)
    starter = os.getpid()

    def work(numbers: Iterator[int]) -> Iterator[_Done]:
        for number in numbers:
            start = starts[number]
            if progress is not None and os.getpid() == starter:
                progress(start, len(items))
            try:
                yield number, list(map(function, items[start : start + size]))
            except Exception as error:  # noqa: BLE001 - raised again, in order
                # The first error in order counts, so only chunks that are taken already matter.
                yield number, error
                for _ in numbers:
                    pass

    numbers = range(len(starts))
    done = list(work(iter(numbers)) if processes == 1 else _shared(work, numbers, processes))
    if progress is not None:
        progress(len(items), len(items))
    results: list[_R] = []
    for _, came in sorted(done, key=itemgetter(0)):
        if isinstance(came, Exception):
            raise came
        results += came
    return results


def _processes(jobs: int | None, work: int) -> int:
    # Only a forked process inherits what is loaded already, and only on Linux is forking safe.
    if not sys.platform.startswith("linux"):
        return 1
    if jobs is None:
        return max(1, min(len(os.sched_getaffinity(0)), work // ENOUGH_WORK))
    return max(1, min(jobs, work))


def _size(work: int, processes: int) -> int:
    """How many items a chunk has, so that each process gets some and there are not too many."""
    return max(1, min(_CHUNK, -(-work // processes)), -(-work // MOST_CHUNKS))


@dataclass(frozen=True, slots=True)
class _Helper:
    """A process that shares the work."""

    pid: int
    stream: BinaryIO


def _shared(work: _Work, chunks: Sequence[int], processes: int) -> Iterator[_Done]:
    """What came of all chunks, in no certain order; in the end no other process is left."""
    from signal import SIGKILL

    reading, writing = os.pipe()
    os.write(writing, b"".join(number.to_bytes(_NUMBER_SIZE) for number in chunks))
    os.close(writing)
    numbers = map(int.from_bytes, iter(lambda: os.read(reading, _NUMBER_SIZE), b""))
    helpers: list[_Helper] = []
    try:
        with suppress(OSError):  # where no more pipes or processes are to be had, fewer do it
            while len(helpers) < processes - 1:
                helpers.append(_start(work, numbers, helpers))
        yield from work(numbers)
        for helper in helpers:
            yield from _received(helper.stream)
    finally:
        os.close(reading)
        for helper in helpers:
            helper.stream.close()
            with suppress(ProcessLookupError):
                os.kill(helper.pid, SIGKILL)
            os.waitpid(helper.pid, 0)


def _received(stream: BinaryIO) -> Iterator[_Done]:
    import pickle

    try:
        while (done := pickle.load(stream)) is not None:  # noqa: S301 - of our own
            yield done
    except (EOFError, pickle.UnpicklingError):
        raise OperationalError(
            "a process of the run died, perhaps for want of memory; try --jobs 1"
        ) from None


def _start(work: _Work, numbers: Iterator[int], others: Sequence[_Helper]) -> _Helper:
    starter = os.getpid()
    reading, writing = os.pipe()
    try:
        pid = os.fork()
        if pid == 0:
            # Nobody is left to send anything to when the starter has gone.
            wanted = takewhile(lambda _: os.getppid() == starter, numbers)
            _help(work(wanted), reading, writing, others)
    except OSError:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    return _Helper(pid, os.fdopen(reading, "rb"))


def _help(done: Iterator[_Done], reading: int, writing: int, others: Sequence[_Helper]) -> NoReturn:
    """The whole life of a helping process. It must never return to what its starter was doing."""
    try:
        # A pipe whose reading end a helper holds would never tell that its reader has gone.
        os.close(reading)
        for other in others:
            other.stream.close()
        # Kept until the end: nobody reads the pipe before, and it does not hold much.
        frames = list(map(_frame, done))
        with os.fdopen(writing, "wb") as stream:
            stream.writelines([*frames, _frame(None)])
    finally:
        os._exit(0)


def _frame(done: _Done | None) -> bytes:
    import pickle

    try:
        frame = pickle.dumps(done, pickle.HIGHEST_PROTOCOL)
        if done is not None and isinstance(done[1], Exception):
            pickle.loads(frame)  # noqa: S301 - of our own, and not all that is sent also arrives
    except Exception as error:  # noqa: BLE001 - an error may hold whatever cannot be sent
        number, came = done or (0, error)
        return pickle.dumps((number, RuntimeError(f"{type(came).__name__}: {came}")))
    return frame
