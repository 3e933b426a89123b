"""The artifacts of a run spread over processes, when there is enough work for it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence

from manni.errors import OperationalError
from manni.judging import Judge, Verdict
from manni.targets import Target

Progress = Callable[[int, int], None]
"""Told how many artifacts are judged, and of how many."""

ENOUGH_WORK = 2_000
"""How many artifacts a run must have before starting processes pays."""

_CHUNK = 250

# Set just before the processes are forked, so that they inherit it instead of having it sent.
_inherited: list[Judge] = []


def judge_all(
    judge: Judge, targets: Sequence[Target], *, jobs: int | None, progress: Progress | None = None
) -> list[Verdict]:
    """The verdict on each artifact, in the order given.

    Args:
        judge: of the run.
        targets: the artifacts.
        jobs: how many processes; None takes the usable cores when there is enough work.
        progress: called as the run goes on.

    Raises:
        OperationalError: there can be no verdict, or a process died.
    """
    verdicts: list[Verdict] = []
    for verdict in _stream(judge, targets, _processes(jobs, len(targets))):
        verdicts.append(verdict)
        if progress is not None:
            progress(len(verdicts), len(targets))
    return verdicts


def _processes(jobs: int | None, work: int) -> int:
    # Only a forked process inherits what is loaded already, and only on Linux is forking safe.
    if not sys.platform.startswith("linux"):
        return 1
    if jobs is None:
        return len(os.sched_getaffinity(0)) if work >= ENOUGH_WORK else 1
    return min(jobs, max(1, work))


def _stream(judge: Judge, targets: Sequence[Target], processes: int) -> Iterator[Verdict]:
    if processes == 1:
        yield from map(judge.judge, targets)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    size = max(1, min(_CHUNK, -(-len(targets) // processes)))
    chunks = [targets[start : start + size] for start in range(0, len(targets), size)]
    _inherited.append(judge)
    try:
        with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
            for verdicts in pool.map(_judge_chunk, chunks):
                yield from verdicts
    except BrokenProcessPool:
        raise OperationalError(
            "a process of the run died, perhaps for want of memory; try --jobs 1"
        ) from None
    finally:
        _inherited.pop()


def _judge_chunk(targets: Sequence[Target]) -> list[Verdict]:
    [judge] = _inherited
    return [judge.judge(target) for target in targets]
