"""A mended file is written whole, and only over what was checked."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from manni.base.boundary import confined
from manni.fixes.writing import NotWritten, write


def test_bytes_and_mode(tmp_path: Path) -> None:
    path = tmp_path / "SKILL.md"
    path.write_bytes(b"old\r\n\xff")
    path.chmod(0o640)
    write(path, b"old\r\n\xff", b"new\r\n\xff", root=tmp_path)
    assert path.read_bytes() == b"new\r\n\xff"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("now", [b"other", b"ol", b"old and more", b""])
def test_a_file_that_changed_is_left_alone(tmp_path: Path, now: bytes) -> None:
    path = tmp_path / "f"
    path.write_bytes(now)
    with pytest.raises(NotWritten, match="changed"):
        write(path, b"old", b"new", root=tmp_path)
    assert path.read_bytes() == now


@pytest.mark.parametrize("replaced", [True, False])
def test_a_file_that_changes_while_the_new_one_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replaced: bool
) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")

    def meanwhile(_: int) -> None:
        if replaced:
            (tmp_path / "g").write_bytes(b"old")
            (tmp_path / "g").rename(path)
        else:
            path.write_bytes(b"theirs")

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(NotWritten, match="changed"):
        write(path, b"old", b"new", root=tmp_path)
    assert path.read_bytes() == (b"old" if replaced else b"theirs")
    assert list(tmp_path.iterdir()) == [path]


def test_links_are_kept_and_followed_only_inside(tmp_path: Path) -> None:
    inside, outside = tmp_path / "repo", tmp_path / "outside"
    inside.mkdir()
    for target in (inside / "real", outside):
        target.write_bytes(b"old")
    (inside / "link").symlink_to("real")
    (inside / "leak").symlink_to("../outside")
    write(inside / "link", b"old", b"new", root=inside)
    assert (inside / "link").is_symlink()
    assert (inside / "real").read_bytes() == b"new"
    with pytest.raises(NotWritten, match="out of the repository"):
        write(inside / "leak", b"old", b"new", root=inside)
    assert outside.read_bytes() == b"old"


def test_a_directory_that_is_a_link_may_not_lead_out(tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "f").write_bytes(b"old")
    (tmp_path / "repo" / "d").symlink_to("../elsewhere")
    with pytest.raises(NotWritten, match="out of the repository"):
        write(tmp_path / "repo" / "d" / "f", b"old", b"new", root=tmp_path / "repo")
    assert (tmp_path / "elsewhere" / "f").read_bytes() == b"old"


def test_a_confined_run_writes_nothing_outside(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")
    (tmp_path / "workspace").mkdir()
    with confined(tmp_path / "workspace"), pytest.raises(NotWritten):
        write(path, b"old", b"new", root=None)
    assert path.read_bytes() == b"old"


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(NotWritten, match="write-protected"):
        write(path, b"old", b"new", root=tmp_path)
    with pytest.raises(NotWritten, match="no such file"):
        write(tmp_path / "gone", b"old", b"new", root=tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotWritten):
        write(tmp_path / "pipe", b"old", b"new", root=tmp_path)


# The process is killed before and after each step of writing: the file is old or new.

KILLED = """
import os, signal, sys
from pathlib import Path
from manni.fixes.writing import write
step, late, path = sys.argv[1], sys.argv[2] == "late", Path(sys.argv[3])
owner, name = {"fsync": (os, "fsync"), "chmod": (Path, "chmod"), "replace": (Path, "replace")}[step]
real = getattr(owner, name)
def dying(*arguments):
    if late:
        real(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(owner, name, dying)
write(path, path.read_bytes(), b"new" * 100000, root=path.parent)
"""


@pytest.mark.parametrize("late", ["early", "late"])
@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_killed_at_any_step_a_file_is_old_or_new(tmp_path: Path, step: str, late: str) -> None:
    path = tmp_path / "f.md"
    path.write_bytes(b"old" * 100000)
    run = subprocess.run([sys.executable, "-c", KILLED, step, late, path], check=False)
    assert run.returncode == -signal.SIGKILL
    written = (step, late) == ("replace", "late")
    assert path.read_bytes() == (b"new" if written else b"old") * 100000
    assert [left for left in tmp_path.glob("*.md") if left != path] == []
