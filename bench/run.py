"""Measure the tool and print what was measured; nothing is asserted.

Everything is timed as a user meets it: whole commands, the median of several rounds. Where `agnix`
(another linter of agent artifacts) is installed, it runs over the same files.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import container
import corpus
import walk

ROUNDS = 5
MANNI = str(Path(sys.executable).with_name("manni"))
HOST = ("-s", "anthropic:claude-skill:2.1")
EVALS = (*HOST, "-s", "manni:artifact-evals:1.0.0")


def seconds(command: Sequence[str], cwd: Path, rounds: int = ROUNDS) -> float:
    """The median wall time of a command; whether it finds anything does not matter."""
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(command, cwd=cwd, check=False, capture_output=True)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def start_up(directory: Path) -> None:
    """Print how long one file takes, beside the interpreter and PyYAML alone."""
    page = directory / "SKILL.md"
    page.write_text("---\nname: a\ndescription: b\n---\n", encoding="utf-8")
    yaml = seconds([sys.executable, "-c", "import yaml"], directory)
    print(f"{'python -c import yaml':28}{yaml:8.3f} s")
    one = (MANNI, "meta", "validate", page.name, "--no-config", *HOST)
    for name, command in (
        ("manni meta schemas", (MANNI, "meta", "schemas")),
        ("one file, pretty", one),
        ("one file, SARIF", (*one, "-f", "sarif")),
    ):
        taken = seconds(command, directory)
        print(f"{name:28}{taken:8.3f} s  {taken / yaml:5.1f} times import yaml")


def corpora(directory: Path, counts: Sequence[int]) -> None:
    """Print the time a file for short and eval-heavy front matter, and the growth."""
    agnix = shutil.which("agnix")
    for count in counts:
        for evals, schemas in ((False, HOST), (True, EVALS)):
            name = f"{count} {'eval-heavy' if evals else 'short'}"
            place = corpus.write(directory / name.replace(" ", "-"), count, evals=evals)
            rounds = ROUNDS if count <= 10_000 else 1
            command = (MANNI, "meta", "validate", "-q", "skills", "--no-config", *schemas)
            taken = seconds(command, place, rounds)
            line = f"{name:28}{taken:8.2f} s  {taken / count * 1e6:7.0f} us a file"
            if agnix:
                other = seconds(
                    [agnix, "--format", "sarif", "--max-files", "0", "."], place, rounds
                )
                line += f"  {taken / other:5.2f} of agnix"
            print(line)
            shutil.rmtree(place)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{'largest process':28}{peak:8.0f} MB")


def main() -> None:
    """Print every measurement; those of 100,000 files only with `--full`."""
    print(f"{len(os.sched_getaffinity(0))} cores, Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory() as name:
        start_up(Path(name))
        corpora(Path(name), (1_000, 10_000, 100_000) if "--full" in sys.argv else (1_000, 10_000))
    walk.main([])
    container.main()


if __name__ == "__main__":
    main()
