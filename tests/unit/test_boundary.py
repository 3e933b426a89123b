from __future__ import annotations

from pathlib import Path

import pytest

from manni import baseline
from manni.boundary import confined, leaves_boundary
from manni.documents import DocumentFault, read_file
from manni.errors import ConfigError, SchemaError
from manni.schema_files import read_file as read_schema


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
