"""How long finding the artifacts of a large repository takes, beside a bare `os.walk`.

Run it as `python bench/walk.py [DIRECTORY]`; the tree is made in the directory, or in a temporary
one, and used again when it is there.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from manni.config.load import load_config
from manni.discovery.targets import resolve_targets
from manni.engine.settings import Settings

DIRECTORIES = 5_000
FILES = 100_000
MATCHES = 1_000
ROUNDS = 7


@dataclass(frozen=True)
class WalkMeasure:
    """Medians in seconds; memory is the growth while resolving, in bytes."""

    resolving: float
    walking: float
    found: int
    memory: int

    @property
    def ratio(self) -> float:
        """How many times longer than `os.walk` resolving takes."""
        return self.resolving / self.walking


def make_tree(top: Path, *, files: int = FILES) -> None:
    """Directories three deep, `files` files in them, and a `SKILL.md` in every fifth one."""
    if (top / "manni.config.yaml").exists():
        return
    each = files // DIRECTORIES
    for number in range(DIRECTORIES):
        directory = top / f"area{number % 10}" / f"team{number % 250}" / f"skill{number}"
        directory.mkdir(parents=True)
        for index in range(each):
            is_match = index == 0 and number % (DIRECTORIES // MATCHES) == 0
            (directory / ("SKILL.md" if is_match else f"file{index}.py")).touch()
    (top / ".git").mkdir()
    (top / ".gitignore").write_text("*.pyc\nbuild/\n/dist\n", encoding="utf-8")
    (top / "manni.config.yaml").write_text(
        "collections:\n  - name: skills\n    paths: ['**/SKILL.md']\n", encoding="utf-8"
    )


def measure(top: Path) -> WalkMeasure:
    """Measure a tree that `make_tree` made."""
    config = load_config(top / "manni.config.yaml")
    settings = Settings(cwd=top)

    def resolve() -> int:
        return len(resolve_targets(settings, config, top).items)

    def walk() -> int:
        return sum(len(names) for _, _, names in os.walk(top))

    found = resolve()
    walk()
    pairs = [(_seconds(resolve), _seconds(walk)) for _ in range(ROUNDS)]
    tracemalloc.start()
    resolve()
    _, memory = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return WalkMeasure(
        resolving=statistics.median(first for first, _ in pairs),
        walking=statistics.median(second for _, second in pairs),
        found=found,
        memory=memory,
    )


def _seconds(function: Callable[[], int]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def main(arguments: list[str]) -> None:
    """Print the figures for the usual tree, and the memory for one with a quarter of the files."""
    with tempfile.TemporaryDirectory() as temporary:
        top = Path(arguments[0] if arguments else temporary).absolute()
        full, lean = top / "full", top / "lean"
        make_tree(full)
        make_tree(lean, files=FILES // 4)
        result, smaller = measure(full), measure(lean)
    print(f"{FILES} files in {DIRECTORIES} directories, {result.found} of them artifacts")
    print(f"resolving  {result.resolving * 1000:7.1f} ms")
    print(f"os.walk    {result.walking * 1000:7.1f} ms")
    print(f"ratio      {result.ratio:7.2f}")
    print(f"memory     {result.memory / 1e6:7.2f} MB")
    print(f"           {smaller.memory / 1e6:7.2f} MB with {FILES // 4} files")


if __name__ == "__main__":
    main(sys.argv[1:])
