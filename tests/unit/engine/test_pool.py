from __future__ import annotations

import os
from pathlib import Path

import pytest

from manni.discovery.target import Target
from manni.engine.check import Circumstances, Judge, Outcome
from manni.engine.forks import MOST_PIECES
from manni.engine.pool import ENOUGH_WORK, _processes, _size, judge_all
from manni.schemas.selection import Selector


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


@pytest.mark.parametrize("processes", [2, 7, 7999])
@pytest.mark.parametrize("work", [2, 399, 7999, 799_999, 10**7])
def test_chunks_are_neither_too_large_nor_too_many(work: int, processes: int) -> None:
    size = _size(work, processes)
    assert -(-work // size) <= MOST_PIECES
    assert size == 1 or size <= max(100, -(-work // MOST_PIECES))


@pytest.mark.parametrize("jobs", [1, 3])
def test_progress_is_told_by_the_starter_alone(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Judge, "judge", lambda _self, _target: Outcome())
    targets = [Target(None, str(number), None, str(number)) for number in range(1050)]
    judge = Judge(Selector(cwd=tmp_path), None, Circumstances())
    # Whatever process writes, it writes here.
    with (tmp_path / "told").open("a+", encoding="utf-8", buffering=1) as told:

        def progress(done: int, total: int) -> None:
            told.write(f"{os.getpid()} {done}/{total}\n")

        assert judge_all(judge, targets, jobs=jobs, progress=progress) == [Outcome()] * 1050
        told.seek(0)
        lines = [line.split() for line in told]
    assert {process for process, _ in lines} == {str(os.getpid())}
    assert lines[-1][1] == "1050/1050"
    counts = [int(count.partition("/")[0]) for _, count in lines]
    assert counts == sorted(counts)
