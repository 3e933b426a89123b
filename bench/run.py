"""Measure the tool and print what was measured; nothing is asserted.

Everything but the table of stages is timed as a user meets it: whole commands, the median of
several rounds. Where `agnix` (another linter of agent artifacts) is on the PATH, it runs over the
same files in turn with this tool.

    python bench/run.py [--quick]     with --quick, nothing of 100,000 files
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import container
import corpus
import stages
import walk
from measuring import Cost, cost, costs

ROUNDS = 5
SLICES = 8
MANNI = str(Path(sys.executable).with_name("manni"))
HOST = ("anthropic:claude-skill:2.1",)
SCHEMAS = {"short": HOST, "eval-heavy": (*HOST, "manni:artifact-evals:1.0.0")}


def command(kind: str, *options: str) -> list[str]:
    """The command that checks a corpus of this kind."""
    schemas = [argument for schema in SCHEMAS[kind] for argument in ("-s", schema)]
    return [MANNI, "meta", "validate", "-q", "skills", "--no-config", *schemas, *options]


def show(name: str, taken: Cost, *notes: str) -> None:
    """Print one row."""
    print(f"{name:28}{taken.seconds:8.3f} s  {'  '.join(notes)}")


def start_up(directory: Path) -> None:
    """Print how long one file takes, beside the interpreter with PyYAML alone."""
    page = directory / "SKILL.md"
    page.write_text("---\nname: a\ndescription: b\n---\n", encoding="utf-8")
    one = [MANNI, "meta", "validate", page.name, "--no-config", "-s", *HOST]
    commands = {
        "python -c 'import yaml'": [sys.executable, "-c", "import yaml"],
        "manni meta schemas": [MANNI, "meta", "schemas"],
        "one file, pretty": one,
        "one file, SARIF": [*one, "-f", "sarif"],
    }
    taken = costs(list(commands.values()), directory, 4 * ROUNDS)
    for name, each in zip(commands, taken, strict=True):
        ratio = each.seconds / taken[0].seconds
        show(name, each, f"{ratio:5.2f} times the first", f"{each.megabytes:4.0f} MB")


def whole_runs(directory: Path, counts: list[int]) -> None:
    """Print what runs over more and more files take, and how that grows."""
    agnix = shutil.which("agnix")
    before: dict[str, float] = {}
    for count in counts:
        rounds = ROUNDS if count <= 10_000 else 3
        for kind in SCHEMAS:
            place = corpus.write(directory / f"{kind}-{count}", count, evals=kind != "short")
            own = [command(kind), command(kind, "-f", "sarif")]
            others = [[agnix, "--format", "sarif", "--max-files", "0", "."]] if agnix else []
            pretty, sarif, *other = costs([*own, *others], place, rounds)
            for name, taken in ((kind, pretty), (f"{kind}, SARIF", sarif)):
                notes = [f"{taken.seconds / count * 1e6:6.1f} us a file"]
                notes.append(f"{taken.megabytes:4.0f} MB")
                notes += (f"{taken.seconds / each.seconds:5.2f} of agnix" for each in other)
                if name in before:
                    notes.append(f"{taken.seconds / before[name]:5.2f} times the tenth of it")
                before[name] = taken.seconds
                show(f"{count} {name}", taken, *notes)
            if count != 10_000:
                shutil.rmtree(place)


def processes(directory: Path) -> None:
    """Print what 10,000 files take by the number of processes."""
    for kind in SCHEMAS:
        place = directory / f"{kind}-10000"
        for jobs in (1, 2, 4):
            taken = cost(command(kind, "--jobs", str(jobs)), place, ROUNDS)
            show(f"10000 {kind}, --jobs {jobs}", taken)


def slices(directory: Path) -> None:
    """Print the slices that a matrix of jobs would check, each a command of its own."""
    place = directory / "eval-heavy-10000"
    alone = command("eval-heavy", "--jobs", "1")
    whole = cost(alone, place, 1)
    show("10000 eval-heavy, --jobs 1", whole)
    for index in range(1, SLICES + 1):
        taken = cost([*alone, "--shard", f"{index}/{SLICES}"], place, 1)
        share = taken.seconds / whole.seconds
        show(f"its slice {index}/{SLICES}", taken, f"{share:.3f} of the whole")


def main() -> None:
    """Print every measurement."""
    counts = [1_000, 10_000] if "--quick" in sys.argv else [1_000, 10_000, 100_000]
    print(f"{len(os.sched_getaffinity(0))} cores, Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        print("\nStart")
        start_up(directory)
        print("\nWhole runs")
        whole_runs(directory, counts)
        print("\nProcesses")
        processes(directory)
        print("\nSlices")
        slices(directory)
        print("\nStages")
        places = {kind: directory / f"{kind}-10000" for kind in SCHEMAS}
        print("\n".join(stages.table(places, SCHEMAS)))
    print("\nFinding few artifacts among many files")
    walk.main([])
    print("\nContainer")
    container.main()


if __name__ == "__main__":
    main()
