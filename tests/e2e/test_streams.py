"""The command line as a process: its streams, and how it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROCESS = [sys.executable, "-c", "import sys; from manni.cli import process; process(sys.argv[1:])"]
VALIDATE = ["meta", "validate", "--no-config", "-s", "anthropic:claude-skill:2.1"]


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    for number in range(3000):
        effort = "highest" if number % 2 else "low"
        text = f"---\nname: s{number}\neffort: {effort}\n---\n"
        (tmp_path / f"{number:04}.md").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("format_", ["pretty", "json", "sarif", "github", "junit"])
def test_everything_is_written_before_the_end(format_: str, pages: Path) -> None:
    command = [*PROCESS, *VALIDATE, ".", "-f", format_]
    piped = subprocess.run(command, cwd=pages, capture_output=True, check=False)
    with (pages / "report").open("wb") as file:
        to_file = subprocess.run(command, cwd=pages, stdout=file, check=False)
    assert (piped.returncode, to_file.returncode) == (1, 1)
    assert piped.stdout == (pages / "report").read_bytes()
    assert piped.stdout.endswith(b"\n")
    assert piped.stderr == b""


@pytest.mark.parametrize(("effort", "code"), [("low", 0), ("highest", 1)])
def test_the_exit_code_is_that_of_the_run(effort: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"---\nname: a\neffort: {effort}\n---\n", encoding="utf-8")
    assert (
        subprocess.run([*PROCESS, *VALIDATE, "a.md"], cwd=tmp_path, check=False).returncode == code
    )


def test_a_full_disk_is_one_sentence(pages: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROCESS, *VALIDATE, "."], cwd=pages, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr == (b"manni: standard output cannot be written: no space left on device\n")


def test_a_reader_that_leaves_is_no_error(pages: Path) -> None:
    process = subprocess.Popen(
        [*PROCESS, *VALIDATE, ".", "-f", "json"],
        cwd=pages,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 2
