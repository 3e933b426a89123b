from __future__ import annotations

import errno
import os
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from manni.action.workspace import Workspace


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    path = tmp_path / "outside"
    path.mkdir()
    return path


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "ws").mkdir()
    return Workspace.at(str(tmp_path / "ws"))


def files(workspace: Workspace) -> set[str]:
    return {str(path.relative_to(workspace.root)) for path in workspace.root.rglob("*")}


def test_inside_resolves_what_exists(workspace: Workspace, outside: Path) -> None:
    (workspace.root / "sub").mkdir()
    (workspace.root / "link").symlink_to("sub")
    (workspace.root / "away").symlink_to(outside)
    assert workspace.directory("link") == workspace.root / "sub"
    assert workspace.inside(workspace.root / "sub", "..") == workspace.root
    with pytest.raises(ValueError, match="is not in the subpath"):
        workspace.directory("away")
    with pytest.raises(ValueError, match="is not in the subpath"):
        workspace.directory("..")
    with pytest.raises(FileNotFoundError):
        workspace.directory("none")
    (workspace.root / "file").touch()
    with pytest.raises(NotADirectoryError):
        workspace.directory("file")


@pytest.mark.parametrize(
    ("named", "path"),
    [("a", "a"), ("./a/../b", "b"), ("a//b/", "a/b"), (".", "."), ("ä b/c", "ä b/c")],
)
def test_relative_paths(workspace: Workspace, named: str, path: str) -> None:
    assert workspace.relative(named) == PurePosixPath(path)


def test_absolute_paths_count_when_they_are_inside(workspace: Workspace, tmp_path: Path) -> None:
    assert workspace.relative(str(workspace.root / "a/b")) == PurePosixPath("a/b")
    (tmp_path / "alias").symlink_to(workspace.root)
    alias = Workspace.at(str(tmp_path / "alias"))
    assert alias.relative(str(tmp_path / "alias" / "a")) == PurePosixPath("a")
    assert alias.relative(str(workspace.root / "a")) == PurePosixPath("a")


def test_write_makes_directories_and_replaces(workspace: Workspace) -> None:
    workspace.write(PurePosixPath("a/b/c.txt"), "one, and long\n")
    workspace.write(PurePosixPath("a/b/c.txt"), "ä\ud800\n")
    written = workspace.root / "a/b/c.txt"
    assert written.read_bytes() == "ä\\ud800\n".encode()
    assert written.stat().st_mode & 0o777 == 0o644 & ~_umask()
    assert files(workspace) == {"a", "a/b", "a/b/c.txt"}


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_write_replaces_a_link_and_leaves_its_target(workspace: Workspace, outside: Path) -> None:
    target = outside / "precious"
    target.write_text("precious")
    (workspace.root / "log").symlink_to(target)
    workspace.write(PurePosixPath("log"), "new")
    assert target.read_text() == "precious"
    assert not (workspace.root / "log").is_symlink()
    assert (workspace.root / "log").read_text() == "new"


def test_write_goes_through_no_linked_directory(workspace: Workspace, outside: Path) -> None:
    (workspace.root / "reports").symlink_to(outside)
    with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
        workspace.write(PurePosixPath("reports/log"), "new")
    (workspace.root / "deep").mkdir()
    (workspace.root / "deep/reports").symlink_to(outside)
    with pytest.raises(OSError, match=r"Not a directory|Too many levels"):
        workspace.write(PurePosixPath("deep/reports/log"), "new")
    assert list(outside.iterdir()) == []


def test_write_replaces_a_pipe_without_opening_it(workspace: Workspace) -> None:
    os.mkfifo(workspace.root / "log")
    workspace.write(PurePosixPath("log"), "new")
    assert (workspace.root / "log").read_text() == "new"


def test_a_directory_is_not_replaced_and_nothing_is_left_behind(workspace: Workspace) -> None:
    (workspace.root / "log").mkdir()
    with pytest.raises(IsADirectoryError):
        workspace.write(PurePosixPath("log"), "new")
    assert files(workspace) == {"log"}


def refuse_creation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be created, as on a read-only file system."""
    real = os.open

    def fake(path: Any, flags: int, *rest: Any, **options: Any) -> int:
        if flags & os.O_CREAT:
            raise OSError(errno.EROFS, "Read-only file system")
        return real(path, flags, *rest, **options)

    monkeypatch.setattr(os, "open", fake)


def test_a_read_only_workspace_lets_an_existing_file_be_written(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace.root / "log").write_text("old and longer than new")
    refuse_creation(monkeypatch)
    workspace.write(PurePosixPath("log"), "new")
    assert (workspace.root / "log").read_text() == "new"
    with pytest.raises(OSError, match="Read-only"):
        workspace.write(PurePosixPath("other"), "new")


def test_writing_in_place_follows_no_link_and_opens_no_pipe(
    workspace: Workspace, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = outside / "precious"
    target.write_text("precious")
    (workspace.root / "link").symlink_to(target)
    os.mkfifo(workspace.root / "pipe")
    refuse_creation(monkeypatch)
    for name in ("link", "pipe"):
        with pytest.raises(OSError, match="Read-only"):
            workspace.write(PurePosixPath(name), "new")
    assert target.read_text() == "precious"


def test_a_file_that_is_a_mount_is_written_in_place(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace.root / "log").write_text("old")

    def busy(*_: Any, **__: Any) -> None:
        raise OSError(errno.EBUSY, "Device or resource busy")

    monkeypatch.setattr(os, "replace", busy)
    workspace.write(PurePosixPath("log"), "new")
    assert (workspace.root / "log").read_text() == "new"
    assert files(workspace) == {"log"}
