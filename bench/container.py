"""Start to exit of the image on the examples, beside a container of it that does nothing.

Needs the image (`MANNI_IMAGE`) and an engine (`MANNI_ENGINE`, docker or podman); prints why it does
not measure when one is missing. Nothing is asserted.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 15


def seconds(command: Sequence[str]) -> float:
    """The median of several runs, in seconds, after one that fills the caches."""
    taken = []
    for _ in range(ROUNDS + 1):
        start = time.perf_counter()
        subprocess.run(command, capture_output=True, check=False)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken[1:])


def main() -> None:
    """Measure and print."""
    image, engine = os.environ.get("MANNI_IMAGE"), os.environ.get("MANNI_ENGINE", "docker")
    if not image or not shutil.which(engine):
        print("container: not measured; set MANNI_IMAGE and MANNI_ENGINE")
        return
    run = [engine, "run", "--rm", "--pull=never", "--network=none"]
    nothing = ["--entrypoint", "/usr/bin/python3.13", image, "-I", "-S", "-c", "pass"]
    with tempfile.TemporaryDirectory() as directory:
        shutil.copytree(ROOT / "examples", directory, dirs_exist_ok=True)
        workspace = ["--volume", f"{directory}:/github/workspace", "--workdir", "/github/workspace"]
        environ = ["--env", "GITHUB_WORKSPACE=/github/workspace"]
        bare = seconds([*run, *workspace, *environ, *nothing])
        step = seconds([*run, *workspace, *environ, image])
    print(f"container that does nothing  {bare:.3f} s")
    print(f"the action on the examples   {step:.3f} s")
    print(f"limit: 2 x bare + 0.35 s     {2 * bare + 0.35:.3f} s")


if __name__ == "__main__":
    main()
