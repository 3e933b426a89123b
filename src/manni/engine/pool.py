"""The artifacts of a run, judged one after the other or by several processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from manni.discovery.target import Target
from manni.engine.check import Judge, Outcome

Progress = Callable[[int, int], None]
"""Told how many artifacts are judged, and of how many."""

ENOUGH_WORK = 200
"""How many artifacts each process must have before starting another one pays."""

_CHUNK = 100

_Chunks = Sequence[Sequence[Target]]
_Done = tuple[int, "list[Outcome] | Exception"]


def judge_all(
    judge: Judge, targets: Sequence[Target], *, jobs: int | None, progress: Progress | None = None
) -> list[Outcome]:
    """What is to be said of each artifact, in the order given.

    Args:
        judge: of the run.
        targets: the artifacts.
        jobs: how many processes; None takes the usable cores when there is enough work.
        progress: called as the run goes on.

    Raises:
        OperationalError: there can be no verdict, or a process died.
    """
    processes = _processes(jobs, len(targets))
    size = _CHUNK if processes == 1 else _size(len(targets), processes)
    chunks = [targets[start : start + size] for start in range(0, len(targets), size)]
    starter = os.getpid()

    def report(number: int) -> None:
        if progress is not None and os.getpid() == starter:
            progress(min(number * size, len(targets)), len(targets))

    work = partial(_work, judge, chunks, report)
    if processes == 1:
        done = list(work(iter(range(len(chunks)))))
    else:
        from manni.engine.forks import spread

        done = spread(work, len(chunks), processes)
    report(len(chunks))
    outcomes: list[Outcome] = []
    for _, came in sorted(done, key=lambda each: each[0]):
        if isinstance(came, Exception):
            raise came
        outcomes += came
    return outcomes


def _processes(jobs: int | None, work: int) -> int:
    # Only a forked process inherits what is loaded already, and only on Linux is forking safe.
    if not sys.platform.startswith("linux"):
        return 1
    if jobs is None:
        return max(1, min(len(os.sched_getaffinity(0)), work // ENOUGH_WORK))
    return max(1, min(jobs, work))


def _size(work: int, processes: int) -> int:
    """How many artifacts a chunk has, so that each process gets some and there are not too many."""
    # One process is the rule for small runs, which should not pay for what they do not use.
    from manni.engine.forks import MOST_PIECES

    return max(1, min(_CHUNK, -(-work // processes)), -(-work // MOST_PIECES))


def _work(
    judge: Judge, chunks: _Chunks, report: Callable[[int], None], numbers: Iterator[int]
) -> Iterator[_Done]:
    """Judge the chunks of these numbers; an error stands for its chunk and ends the work."""
    for number in numbers:
        report(number)
        try:
            yield number, [judge.judge(target) for target in chunks[number]]
        except Exception as error:  # noqa: BLE001 - raised again, in order
            # The first error in order counts, so only chunks that are taken already matter.
            yield number, error
            for _ in numbers:
                pass
