"""Reading, decoding and linking schemas."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manni.base.errors import SchemaError
from manni.schemas import loader as schema_files
from manni.schemas.dialects import DEFAULT_DIALECT
from manni.schemas.loader import is_id, link, looks_like_schema, parse, read_file

FILE = "file:///repo/schemas/page.json"
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def failure(data: bytes, label: str = "s.json") -> str:
    with pytest.raises(SchemaError) as caught:
        parse(data, label)
    return str(caught.value)


def linked(document: dict[str, Any], uri: str = FILE) -> dict[str, Any]:
    return link(document, uri, "page.json")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "s.json:1:1: the schema is not JSON: expecting value"),
        (b'{\n  "a": 1,\n  b}', "s.json:3:3: the schema is not JSON: expecting property name"),
        (b"<html>", "s.json:1:1: the schema is not JSON: expecting value"),
        (b"\xff\xfe{}", "s.json: a schema is JSON in UTF-8, and this is not UTF-8"),
        (b"[]", "s.json: a schema is a JSON object, and this is another value"),
        (b"true", "s.json: a schema is a JSON object, and this is another value"),
        (b'{"maximum": NaN}', "s.json: the schema is not JSON: NaN is not a JSON value"),
        (b'{"$schema": 5}', "s.json: its $schema is 5; the known dialects are "),
        (b'{"$schema": "draft-07"}', 's.json: its $schema is "draft-07"; the known dialects are '),
        (b'{"a":' * 300 + b"1" + b"}" * 300, "s.json: the schema nests deeper than 100 levels"),
        (b"[" * 200_000, "s.json: the schema nests deeper than 100 levels"),
    ],
)
def test_what_is_no_schema(data: bytes, message: str) -> None:
    assert failure(data).startswith(message)


def test_an_endless_number_is_refused() -> None:
    assert failure(b'{"maximum": ' + b"9" * 10_000 + b"}").startswith("s.json: the schema is not")


@pytest.mark.parametrize("name", ["s.yaml", "s.yml"])
def test_yaml_is_told_to_be_converted(name: str) -> None:
    expected = f"{name}:1:1: schemas are JSON files; convert this one from YAML"
    assert failure(b"type: object\n", name) == expected


def test_a_byte_order_mark_is_skipped() -> None:
    assert parse(b'\xef\xbb\xbf{"type": "object"}', "s.json") == {"type": "object"}


@given(st.binary(max_size=200))
@settings(max_examples=100)
def test_any_bytes_are_a_schema_or_an_error(data: bytes) -> None:
    try:
        result: object = parse(data, "s.json")
    except SchemaError as error:
        result = str(error)
    assert isinstance(result, dict) or str(result).startswith("s.json")


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "big").write_bytes(b" " * (schema_files.MAX_BYTES + 1))
    expected = {
        "pipe": "this is not a regular file",
        ".": "this is a directory; name a JSON schema in it",
        "absent": "there is no such schema file",
        "big/below": "there is no such schema file",
        "loop": "the schema file cannot be read: too many levels of symbolic links",
        "big": "this is larger than 5 MB",
        "nul\0": "no file can have such a name",
        "n" * 5000: "the schema file cannot be read: file name too long",
    }
    for name, message in expected.items():
        with pytest.raises(SchemaError) as caught:
            read_file(tmp_path / name, "s")
        assert str(caught.value) == f"s: {message}"


def test_an_unreadable_file_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(SchemaError, match="cannot be read: permission denied"):
        read_file(tmp_path / "s.json", "s.json")


@pytest.mark.parametrize(
    ("own", "written", "meant"),
    [
        # A file is where it is, whatever it calls itself.
        (None, "#/$defs/a", "#/$defs/a"),
        (None, "../other/a%20b.json#/a", "../other/a%20b.json#/a"),
        (None, "page.json#/$defs/a", f"{FILE}#/$defs/a"),
        (None, "manni:evals:1.0.0-proposal.4#/a", "manni:evals:1.0.0-proposal.4#/a"),
        (None, "my_vendor:page:1.0", "id:my_vendor:page:1.0"),
        (None, "", "#"),
        (None, "a b%é.json#/^a", "a%20b%25%C3%A9.json#/%5Ea"),
        ("https://example.com/s/page.json", "common.json", "file:///repo/schemas/common.json"),
        ("https://example.com/s/page.json", "https://example.com/s/page.json#/a", f"{FILE}#/a"),
        ("https://example.com/s/v1.json", "v1.json#/a", f"{FILE}#/a"),
        (
            "https://example.com/s/page.json",
            "https://example.com/s/sub/common.json",
            "file:///repo/schemas/sub/common.json",
        ),
        (
            "https://example.com/s/page.json",
            "https://example.com/other.json",
            "https://example.com/other.json",
        ),
        ("acme:page:1.0", "common.json", "common.json"),
        ("acme:page:1.0", "acme:page:1.0#/a", f"{FILE}#/a"),
        ("renamed.json", "renamed.json#/a", f"{FILE}#/a"),
    ],
)
def test_the_files_beside_a_schema_are_meant(own: str | None, written: str, meant: str) -> None:
    named = {} if own is None else {"$id": own}
    document = linked({**named, "properties": {"$ref": {"items": [{"$ref": written}]}}})
    assert document["properties"]["$ref"]["items"][0]["$ref"] == meant
    assert document["$id"] == FILE


def test_a_fetched_schema_has_no_files_beside_it() -> None:
    url = "https://example.com/s/page.json"
    other = "https://other.example/common.json"
    document = linked({"$id": "https://other.example/x.json", "$ref": other}, url)
    assert document == {"$id": url, "$ref": other}


def test_values_are_no_references() -> None:
    document = {"enum": [{"$ref": FILE, "$id": "http://["}], "properties": {"$id": True}}
    assert linked(document) == {**document, "$id": FILE}


@pytest.mark.parametrize("ref", ["part.json#/$defs/a", "https://example.com/a/part.json#/$defs/a"])
@pytest.mark.parametrize("named", ["part.json", "https://example.com/a/part.json"])
def test_a_reference_to_an_embedded_schema_is_no_file(ref: str, named: str) -> None:
    part = {"$id": named, "$defs": {"a": {"const": 1}}, "$ref": "#/$defs/a"}
    own = "https://example.com/a/main.json"
    document = linked({"$id": own, "$defs": {"x": part}, "$ref": ref})
    registry = jsonschema_rs.Registry([(FILE, document)])
    found = registry.resolver(FILE).lookup(document["$ref"])
    assert found.contents == {"const": 1}


def test_the_dialect_decides_what_names_a_schema() -> None:
    old = linked({"$schema": DRAFT_4, "id": "x.json", "$id": "y.json"})
    assert (old["id"], old["$id"]) == (FILE, "y.json")
    new = linked({"$schema": DRAFT_7, "id": "x.json"})
    assert (new["id"], new["$id"]) == ("x.json", FILE)


def test_a_plain_name_at_the_root_stays() -> None:
    document = {"$schema": DRAFT_7, "$id": "#here", "items": {"$ref": "#here"}}
    assert linked(document) == document


def test_the_deepest_schema_can_be_linked() -> None:
    nested = b'{"not":' * (schema_files.MAX_DEPTH - 1) + b"{}" + b"}" * (schema_files.MAX_DEPTH - 1)
    assert linked(parse(nested, "s.json"))["$id"] == FILE
    assert "nests deeper" in failure(b'{"not":' + nested + b"}")


def test_linking_copies() -> None:
    document = {"$id": "x.json", "allOf": [{"$ref": "y.json"}]}
    linked(document)
    assert document == {"$id": "x.json", "allOf": [{"$ref": "y.json"}]}


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"properties": {"a/b": {"$ref": "http://["}}}, "/properties/a~1b/$ref"),
        ({"$id": "http://["}, "/$id"),
        ({"$defs": {"a": {"$id": "http://["}}}, "/$defs/a/$id"),
        ({"allOf": [True, {"$dynamicRef": "//[x"}]}, "/allOf/1/$dynamicRef"),
    ],
)
def test_what_is_no_uri_is_an_error_with_its_place(document: dict[str, Any], place: str) -> None:
    with pytest.raises(SchemaError, match="is not a URI reference") as caught:
        linked(document)
    assert str(caught.value).startswith(f"page.json: at {place}: ")


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["$ref", "$id", "id", "properties", "allOf", "enum", "x"]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
@settings(max_examples=100)
def test_linking_any_object_ends_well(value: object) -> None:
    try:
        result = linked({"x": value})["$id"]
    except SchemaError as error:
        result = str(error)
    assert result == FILE or "is not a URI reference" in result


@pytest.mark.parametrize(
    ("document", "answer"),
    [
        ({"type": "object"}, True),
        ({"type": ["object", "null"]}, True),
        ({"$schema": DEFAULT_DIALECT}, True),
        ({"properties": {}}, True),
        ({}, False),
        ({"message": "Not Found", "status": "404"}, False),
        ({"type": "about:blank", "title": "Not Found", "status": 404}, False),
        ({"type": []}, False),
        ({"id": 7, "description": "an error", "default": None}, False),
    ],
)
def test_an_error_envelope_is_no_schema(document: dict[str, Any], answer: bool) -> None:
    assert looks_like_schema(document) is answer


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("manni:evals:1.0.0-proposal.4", True),
        ("acme:page:1", True),
        ("acme:page", False),
        ("a:b:c:d", False),
        ("a::c", False),
        ("dir/a:b:c", False),
        ("a:b\\c:d", False),
        ("a:b:c.json", False),
        ("a: b:c", False),
    ],
)
def test_the_form_of_an_id(reference: str, answer: bool) -> None:
    assert is_id(reference) is answer
