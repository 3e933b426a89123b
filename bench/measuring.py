"""Timing whole commands as a user meets them."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command takes: the median wall time, and its largest process in megabytes."""

    seconds: float
    megabytes: float


def cost(command: Sequence[str], cwd: Path, rounds: int) -> Cost:
    """Run a command several times; whether it finds anything does not matter."""
    return costs([command], cwd, rounds)[0]


def costs(commands: Sequence[Sequence[str]], cwd: Path, rounds: int) -> list[Cost]:
    """Run commands in turn, so that whatever else the machine does meets all of them alike."""
    taken = [[_once(command, cwd) for command in commands] for _ in range(rounds)]
    return [
        Cost(
            statistics.median(each.seconds for each in runs),
            max(each.megabytes for each in runs),
        )
        for runs in zip(*taken, strict=True)
    ]


def _once(command: Sequence[str], cwd: Path) -> Cost:
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(seconds, usage.ru_maxrss / 1024)
