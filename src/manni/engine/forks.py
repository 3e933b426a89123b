"""Numbered pieces of work shared with forked processes.

Processes are forked, so that they start with everything that is loaded already. They take the
numbers of pieces from one pipe, until it is empty, and each sends what came of its pieces through
a pipe of its own; the process that started them works as they do.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from signal import SIGKILL
from typing import Any, BinaryIO, NoReturn

from manni.base.errors import OperationalError

MOST_PIECES = 4_000
"""How many pieces there may be: all of their numbers have to fit into a pipe at once."""

_NUMBER_SIZE = 4
_END = pickle.dumps(None)

Done = tuple[int, Any]
"""The number of a piece, and what came of it."""

Work = Callable[[Iterator[int]], Iterator[Done]]
"""Does the pieces of the numbers that it takes."""


def spread(work: Work, pieces: int, processes: int) -> list[Done]:
    """Have several processes do the work, this one among them.

    Args:
        work: must be ready to be called in each process.
        pieces: how many there are, at most `MOST_PIECES`.
        processes: how many, at least 1.

    Returns:
        What came of all pieces, in no certain order.

    Raises:
        OperationalError: a process died.
        ValueError: there are too many pieces.
    """
    if pieces > MOST_PIECES:
        raise ValueError("there are too many pieces for a pipe to hold their numbers")
    helpers: list[_Helper] = []
    with _numbers(pieces) as numbers:
        try:
            with suppress(OSError):  # where no more pipes or processes are to be had, fewer do it
                while len(helpers) < processes - 1:
                    helpers.append(_start(work, numbers, helpers))
            done = list(work(numbers))
            for helper in helpers:
                done += helper.results()
        finally:
            for helper in helpers:
                helper.end()
    return done


@contextmanager
def _numbers(count: int) -> Iterator[Iterator[int]]:
    """The numbers below `count`, each given to one of the processes that ask."""
    reading, writing = os.pipe()
    os.write(writing, b"".join(number.to_bytes(_NUMBER_SIZE) for number in range(count)))
    os.close(writing)
    try:
        taken = iter(lambda: os.read(reading, _NUMBER_SIZE), b"")
        yield map(int.from_bytes, taken)
    finally:
        os.close(reading)


@dataclass(frozen=True, slots=True)
class _Helper:
    """A process that shares the work."""

    pid: int
    stream: BinaryIO

    def results(self) -> Iterator[Done]:
        """What came of its pieces.

        Raises:
            OperationalError: it died.
        """
        try:
            while (done := pickle.load(self.stream)) is not None:  # noqa: S301 - of our own
                yield done
        except (EOFError, pickle.UnpicklingError):
            raise OperationalError(
                "a process of the run died, perhaps for want of memory; try --jobs 1"
            ) from None

    def end(self) -> None:
        """Leave nothing of it behind, whatever it is doing."""
        self.stream.close()
        with suppress(ProcessLookupError):
            os.kill(self.pid, SIGKILL)
        os.waitpid(self.pid, 0)


def _start(work: Work, numbers: Iterator[int], others: Sequence[_Helper]) -> _Helper:
    starter = os.getpid()
    reading, writing = os.pipe()
    try:
        pid = os.fork()
        if pid == 0:
            _help(work, _while_wanted(numbers, starter), reading, writing, others)
    except OSError:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    return _Helper(pid, os.fdopen(reading, "rb"))


def _while_wanted(numbers: Iterator[int], starter: int) -> Iterator[int]:
    """The numbers that a helper takes, until nobody is left to send anything to."""
    for number in numbers:
        if os.getppid() != starter:
            return
        yield number


def _help(
    work: Work, numbers: Iterator[int], reading: int, writing: int, others: Sequence[_Helper]
) -> NoReturn:
    """The whole life of a helping process. It must never return to what its starter was doing."""
    try:
        # A pipe whose reading end a helper holds would never tell that its reader has gone.
        os.close(reading)
        for other in others:
            other.stream.close()
        # Kept until the end: nobody reads the pipe before, and it does not hold much.
        frames = [_frame(done) for done in work(numbers)]
        with os.fdopen(writing, "wb") as stream:
            stream.writelines(frames)
            stream.write(_END)
    finally:
        os._exit(0)


def _frame(done: Done) -> bytes:
    number, came = done
    try:
        frame = pickle.dumps(done, pickle.HIGHEST_PROTOCOL)
        if isinstance(came, Exception):
            pickle.loads(frame)  # noqa: S301 - of our own, and not all that is sent also arrives
    except Exception:  # noqa: BLE001 - an error may hold whatever cannot be sent
        return pickle.dumps((number, RuntimeError(f"{type(came).__name__}: {came}")))
    return frame
