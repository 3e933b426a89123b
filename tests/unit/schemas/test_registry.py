"""Registering schemas by their ids."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from manni.base.errors import SchemaError
from manni.schemas.registry import register, strict_id


def write(path: Path, **document: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_files_and_directories(tmp_path: Path) -> None:
    one = write(tmp_path / "one.json", **{"$id": "acme:one:1.0"})
    two = write(tmp_path / "schemas" / "deep" / "two.json", **{"$id": "acme:two:1.0"})
    old = write(
        tmp_path / "schemas" / "old.json",
        **{"$schema": "http://json-schema.org/draft-04/schema#", "id": "acme:old:1.0"},
    )
    write(tmp_path / "schemas" / "common.json", type="string")
    write(tmp_path / "schemas" / "node_modules" / "x.json", **{"$id": "acme:x:1.0"})
    (tmp_path / "schemas" / "notes.txt").write_text("not JSON", encoding="utf-8")
    found = register(["one.json", "./schemas"], tmp_path)
    assert found == {"acme:one:1.0": one, "acme:two:1.0": two, "acme:old:1.0": old}


def test_a_file_that_is_registered_twice_is_one(tmp_path: Path) -> None:
    write(tmp_path / "schemas" / "one.json", **{"$id": "acme:one:1.0"})
    assert list(register(["schemas", "schemas/one.json"], tmp_path)) == ["acme:one:1.0"]


def test_two_files_with_one_id(tmp_path: Path) -> None:
    write(tmp_path / "s" / "a.json", **{"$id": "acme:one:1.0"})
    write(tmp_path / "s" / "b.json", **{"$id": "acme:one:1.0"})
    with pytest.raises(SchemaError) as caught:
        register(["s"], tmp_path)
    assert str(caught.value) == "s/b.json: the $id 'acme:one:1.0' is also that of s/a.json"


@pytest.mark.parametrize("vendor", ["manni", "anthropic", "agentskills"])
def test_reserved_vendors(vendor: str, tmp_path: Path) -> None:
    write(tmp_path / "a.json", **{"$id": f"{vendor}:mine:1.0"})
    with pytest.raises(SchemaError, match=f"a.json: .*'{vendor}', which is reserved"):
        register(["a.json"], tmp_path)


@pytest.mark.parametrize("own", [None, 5, "https://example.com/a.json", "acme:a", "a\x1b:b:c"])
def test_a_named_file_needs_an_id(own: object, tmp_path: Path) -> None:
    write(tmp_path / "a.json", **{"$id": own})
    with pytest.raises(SchemaError, match=r"a\.json: a registered schema needs a "):
        register(["a.json"], tmp_path)


def test_what_cannot_be_registered(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "bad.json").write_text("{,}", encoding="utf-8")
    for entry, message in {
        "absent": "absent: there is no such schema file",
        "s": "s/bad.json:1:2: the schema is not JSON",
        "nul\0": r"nul\\x00.*(cannot be opened|no file can have such a name)",
    }.items():
        with pytest.raises(SchemaError, match=message):
            register([entry], tmp_path)


def test_the_strict_companion() -> None:
    assert strict_id("acme:page:1.0-beta.2") == "acme:page-strict:1.0-beta.2"
