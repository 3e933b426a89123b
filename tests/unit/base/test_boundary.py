from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manni.base.boundary import confined, leaves_boundary
from manni.base.errors import ConfigError, SchemaError
from manni.documents.front_matter import DocumentFault, read_file
from manni.reports import baseline
from manni.schemas.loader import read_file as read_schema


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "file").write_text("{}", encoding="utf-8")
    (tmp_path / "in" / "link").symlink_to("../inner/file")
    return tmp_path / "in" / "link"


def test_only_what_is_inside(tmp_path: Path, outside: Path) -> None:
    assert not leaves_boundary(outside)
    with confined(tmp_path / "in"):
        assert leaves_boundary(outside)
        assert leaves_boundary(tmp_path / "inner")
        assert leaves_boundary(tmp_path / "in" / ".." / "inner" / "file")
        assert not leaves_boundary(tmp_path / "in")
        assert not leaves_boundary(tmp_path / "in" / "absent")
    assert not leaves_boundary(outside)


def test_every_reader_asks(tmp_path: Path, outside: Path) -> None:
    with confined(tmp_path / "in"):
        with pytest.raises(DocumentFault, match="leads out of the workspace"):
            read_file(outside)
        with pytest.raises(SchemaError, match="leads out of the workspace"):
            read_schema(outside, "link")
        with pytest.raises(ConfigError, match="leads out of the workspace"):
            baseline.read(outside, required=False)
    assert read_file(outside) == read_schema(outside, "link") == b"{}"


NAMES = st.sampled_from(["a", "b", "out", "up", "loop", "self", "..", ".", "", "absent"])


@pytest.fixture(scope="module")
def maze(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Directories two deep, with links that lead in, out, up, round and nowhere."""
    top = tmp_path_factory.mktemp("maze")
    for directory in ("in", "in/a", "in/a/b", "in/b", "in/b/a", "outside", "outside/a"):
        (top / directory).mkdir()
        (top / directory / "file").touch()
        (top / directory / "out").symlink_to(top / "outside")
        (top / directory / "up").symlink_to("..")
        (top / directory / "loop").symlink_to("loop")
        (top / directory / "self").symlink_to(".")
    return top


@given(st.lists(st.lists(NAMES, max_size=6), max_size=8))
def test_what_is_known_changes_nothing(maze: Path, tries: list[list[str]]) -> None:
    inside = os.path.realpath(maze / "in")
    with confined(maze / "in"):
        for names in tries:
            path = "/".join([str(maze), "in", *names, "file"])
            real = os.path.realpath(path)
            assert leaves_boundary(path) == (os.path.commonpath([real, inside]) != inside)
