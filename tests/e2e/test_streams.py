"""The command line as a process: its streams, and how it ends."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROCESS = [sys.executable, "-m", "manni"]
VALIDATE = ["meta", "validate", "--no-config", "-s", "anthropic:claude-skill:2.1"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three thousand pages, of which each second has a mistake."""
    top = tmp_path_factory.mktemp("pages")
    for number in range(3000):
        effort = "highest" if number % 2 else "low"
        text = f"---\nname: s{number}\neffort: {effort}\n---\n"
        (top / f"{number:04}.md").write_text(text, encoding="utf-8")
    return top


@pytest.mark.parametrize("format_", ["pretty", "json", "sarif", "github", "junit"])
def test_everything_is_written_before_the_end(format_: str, pages: Path, tmp_path: Path) -> None:
    command = [*PROCESS, *VALIDATE, ".", "-f", format_]
    piped = subprocess.run(command, cwd=pages, capture_output=True, check=False)
    with (tmp_path / "report").open("wb") as file:
        to_file = subprocess.run(command, cwd=pages, stdout=file, check=False)
    assert (piped.returncode, to_file.returncode) == (1, 1)
    assert piped.stdout == (tmp_path / "report").read_bytes()
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


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_change_no_verdict(closed: str, pages: Path) -> None:
    command = shlex.join([*PROCESS, *VALIDATE, "."])
    done = subprocess.run(
        ["sh", "-c", f"{command} {closed}"], cwd=pages, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == b""
    assert done.stdout == b"" or done.stdout.endswith(b"1500 errors\n")


@pytest.mark.parametrize("whole_group", [False, True])
def test_an_interrupt_is_one_sentence_and_leaves_nothing(whole_group: bool, pages: Path) -> None:
    code = (
        "import os, sys, time\n"
        "from manni.engine.check import Checker\n"
        "def check(self, target):\n"
        "    os.write(int(sys.argv[1]), b'.')\n"
        "    time.sleep(60)\n"
        "Checker.check = check\n"
        "from manni.cli.main import process\n"
        "process(sys.argv[2:])\n"
    )
    reading, writing = os.pipe()
    started = subprocess.Popen(
        [sys.executable, "-c", code, str(writing), *VALIDATE, ".", "--jobs", "3"],
        cwd=pages,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=[writing],
        start_new_session=True,
    )
    os.close(writing)
    with os.fdopen(reading, "rb") as judging:
        assert judging.read(3) == b"..."  # all three processes are at work
        if whole_group:
            os.killpg(started.pid, signal.SIGINT)
        else:
            started.send_signal(signal.SIGINT)
        assert judging.read() == b""  # all of them have ended
    assert started.communicate() == (b"", b"manni: interrupted.\n")
    assert started.returncode == 130


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
