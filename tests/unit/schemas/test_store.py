"""From references to schemas, and what their `$ref`s may mean."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from manni.base.errors import SchemaError
from manni.model.config import DocumentRefs, SchemaTrust
from manni.schemas import builtin as builtins
from manni.schemas.store import Schema, SchemaStore
from manni.validation import compile_schema
from schema_sources import Locator

PUBLISHED = "https://hawkeyexl.github.io/manni/schemas/artifact-evals/1.0.0.json"


def write(path: Path, **document: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def failure(store: SchemaStore, reference: str, base: Path, **options: Any) -> str:
    with pytest.raises(SchemaError) as caught:
        store.load(reference, base, **options)
    return str(caught.value)


def look_up(schema: Schema, ref: str) -> Any:
    """What a `$ref` of a loaded schema leads to."""
    document = {"$ref": ref, "$defs": schema.document.get("$defs", {})}
    base = schema.base_uri
    registry = jsonschema_rs.Registry([(base, document)], retriever=schema.retrieve)
    return registry.resolver(base).lookup(ref).contents


def reason(schema: Schema, ref: str) -> str:
    with pytest.raises(SchemaError) as caught:
        compile_schema(replace(schema, document={"$ref": ref}))
    return str(caught.value)


@pytest.mark.parametrize("reference", ["manni:artifact-evals:1.0.0", PUBLISHED, PUBLISHED + "#"])
def test_a_built_in_schema(reference: str, tmp_path: Path) -> None:
    schema = SchemaStore(tmp_path, offline=True).load(reference, tmp_path)
    assert schema.reference == reference
    assert schema.identifier == schema.base_uri == "manni:artifact-evals:1.0.0"
    assert schema.info.reference == reference
    assert (schema.info.version, schema.info.uri) == ("1.0.0", PUBLISHED)
    assert schema.info.title
    assert not schema.registered


def test_a_file(tmp_path: Path) -> None:
    file = write(tmp_path / "s" / "a b.json", title="T\x1b", type="object")
    store = SchemaStore(tmp_path)
    schema = store.load("./s/a b.json", tmp_path)
    assert schema.reference == "./s/a b.json"
    assert schema.identifier == schema.base_uri == schema.document["$id"] == file.as_uri()
    assert (schema.info.title, schema.info.version, schema.info.uri) == ("T\\x1b", "", None)
    assert store.load("./s/a b.json", tmp_path) is schema


def test_files_are_named_relative_to_the_config(tmp_path: Path) -> None:
    write(tmp_path / "home" / "s.json", type="object")
    outside = write(tmp_path / "out.json", type="object")
    store = SchemaStore(tmp_path / "home")
    assert store.load("../s.json", tmp_path / "home" / "sub").reference == "s.json"
    assert store.load(str(tmp_path / "home" / "s.json"), tmp_path).reference == "s.json"
    assert store.load(str(outside), tmp_path).reference == str(outside)
    assert store.load("out.json", tmp_path).reference == "../out.json"


def test_a_source_is_where_a_copy_is_published(tmp_path: Path) -> None:
    write(tmp_path / "s.json", type="object")
    url = "https://example.com/s.json"
    assert SchemaStore(tmp_path).load("s.json", tmp_path, source=url).info.uri == url
    assert SchemaStore(tmp_path).load("s.json", tmp_path, source="me").info.uri is None


def test_a_registered_schema(tmp_path: Path) -> None:
    file = write(tmp_path / "page.json", **{"$id": "acme:page:2.1", "title": "Page"})
    store = SchemaStore(tmp_path, registered={"acme:page:2.1": file})
    schema = store.load("acme:page:2.1", tmp_path)
    assert (schema.reference, schema.identifier) == ("acme:page:2.1", "acme:page:2.1")
    assert schema.registered
    assert schema.info.version == "2.1"
    assert store.load("page.json", tmp_path).registered
    assert "`manni meta schemas` lists" in failure(store, "acme:pages:2.1", tmp_path)
    assert "did you mean 'acme:page:2.1'" in failure(store, "acme:pages:2.1", tmp_path)


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("absent.json", "absent.json: there is no such schema file"),
        ("manni:artifact-evals", "did you mean the id 'manni:artifact-evals:1.0.0'?"),
        ("", "a schema reference is empty"),
        (" ", "a schema reference is empty"),
        (".", ".: this is a directory"),
        ("a\0b", "a\\x00b: no file can have such a name"),
        ("\ud800.json", "\\ud800.json: no file can have such a name"),
        ("ftp://example.com/s.json", "only http and https URLs can be fetched"),
        ("https://example.com/s.json", "https://example.com/s.json: the run is offline"),
    ],
)
def test_what_no_reference_finds(reference: str, message: str, tmp_path: Path) -> None:
    assert message in failure(SchemaStore(tmp_path, offline=True), reference, tmp_path)


def test_a_reference_can_be_checked_without_reading(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    store = SchemaStore(tmp_path)
    store.check("broken.json", tmp_path)
    store.check("https://example.invalid/s.json", tmp_path)
    store.check("agentskills:skill:1.0", tmp_path)
    for reference in ("absent.json", "acme:page:1.0", "ftp://example.com/x"):
        with pytest.raises(SchemaError):
            store.check(reference, tmp_path)


def test_integrity(tmp_path: Path) -> None:
    file = write(tmp_path / "s.json", **{"$id": "acme:s:1", "type": "object"})
    digest = f"sha256-{hashlib.sha256(file.read_bytes()).hexdigest()}"
    store = SchemaStore(tmp_path, registered={"acme:s:1": file})
    assert store.load("s.json", tmp_path, integrity=digest).identifier == "acme:s:1"
    assert store.load("acme:s:1", tmp_path, integrity=digest.upper().replace("SHA", "sha"))
    wrong = "sha256-" + "0" * 64
    for reference in ("s.json", "acme:s:1"):
        message = failure(store, reference, tmp_path, integrity=wrong)
        assert digest in message
        assert wrong in message
    for reference in ("agentskills:skill:1.0", PUBLISHED):
        message = failure(store, reference, tmp_path, integrity=wrong)
        assert "over the bytes of a local file" in message


def test_the_bytes_that_are_checked_are_the_bytes_that_are_used(tmp_path: Path) -> None:
    file = write(tmp_path / "s.json", title="first")
    digest = f"sha256-{hashlib.sha256(file.read_bytes()).hexdigest()}"
    store = SchemaStore(tmp_path)
    store.load("s.json", tmp_path, integrity=digest)
    write(file, title="second")
    assert store.load("s.json", tmp_path, integrity=digest).info.title == "first"


def test_an_integrity_is_checked_before_the_schema_is_decoded(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text("{", encoding="utf-8")
    message = failure(SchemaStore(tmp_path), "s.json", tmp_path, integrity="sha256-0")
    assert message.startswith("s.json: the schema's hash is sha256-")


class TestReferences:
    """`$ref`."""

    def test_to_what_is_built_in(self, tmp_path: Path) -> None:
        write(tmp_path / "s.json", type="object")
        schema = SchemaStore(tmp_path).load("s.json", tmp_path)
        entry = builtins.find("manni:artifact-evals:1.0.0")
        assert entry is not None
        built_in = builtins.document(entry)
        assert look_up(schema, "manni:artifact-evals:1.0.0") == built_in
        assert look_up(schema, f"{PUBLISHED}#/$defs/severity") == built_in["$defs"]["severity"]
        meta = replace(schema, document={"$ref": "http://json-schema.org/draft-07/schema#"})
        assert compile_schema(meta).faults({"type": 1}, Locator())
        assert not compile_schema(meta).faults({"type": "null"}, Locator())

    def test_to_a_registered_schema_and_on_to_the_file_beside_it(self, tmp_path: Path) -> None:
        file = write(
            tmp_path / "deep" / "page.json",
            **{"$id": "acme:page:1.0", "$ref": "common.json#/$defs/a"},
        )
        write(tmp_path / "deep" / "common.json", **{"$defs": {"a": {"type": "string"}}})
        write(tmp_path / "s.json", **{"$ref": "acme:page:1.0"})
        store = SchemaStore(tmp_path, registered={"acme:page:1.0": file})
        schema = store.load("s.json", tmp_path)
        assert compile_schema(schema).faults(1, Locator())
        assert not compile_schema(schema).faults("a", Locator())

    def test_to_files_beside_a_url_named_schema(self, tmp_path: Path) -> None:
        site = "https://example.com/s"
        write(tmp_path / "a.json", **{"$id": f"{site}/a.json", "$ref": f"{site}/b.json"})
        write(tmp_path / "b.json", **{"$id": f"{site}/b.json", "const": 1})
        schema = SchemaStore(tmp_path, offline=True).load("a.json", tmp_path)
        assert look_up(schema, schema.document["$ref"])["const"] == 1

    def test_to_a_file_whose_name_has_to_be_escaped(self, tmp_path: Path) -> None:
        write(tmp_path / "a b%é.json", **{"$defs": {"^": {"const": 1}}})
        write(tmp_path / "s.json", **{"$ref": "a b%é.json#/$defs/^"})
        validator = compile_schema(SchemaStore(tmp_path).load("s.json", tmp_path))
        assert (validator.is_valid(1), validator.is_valid(2)) == (True, False)
        assert validator.notice is None

    def test_between_files_in_a_circle(self, tmp_path: Path) -> None:
        write(tmp_path / "a.json", **{"$ref": "b.json"})
        write(tmp_path / "b.json", **{"$ref": "a.json"})
        schema = SchemaStore(tmp_path).load("a.json", tmp_path)
        assert look_up(schema, "b.json")["$ref"] == "a.json"
        assert "leads back to itself" in reason(schema, "b.json")

    def test_in_the_dialect_of_the_schema_it_leads_to(self, tmp_path: Path) -> None:
        draft_4 = "http://json-schema.org/draft-04/schema#"
        nested = {"id": "x/y.json", "type": "string"}
        write(tmp_path / "old.json", **{"$schema": draft_4, "definitions": {"a": nested}})
        write(tmp_path / "s.json", **{"$ref": "old.json"})
        schema = SchemaStore(tmp_path).load("s.json", tmp_path)
        assert look_up(schema, "old.json#/definitions/a")["type"] == "string"
        old = {"$ref": "old.json", "$defs": {"b": {"$ref": "x/y.json"}}}
        compile_schema(replace(schema, document=old))

    @pytest.mark.parametrize(
        ("ref", "message"),
        [
            ("absent.json", "absent.json: there is no such schema file"),
            ("sub/../absent.json#/$defs/a", "absent.json: there is no such schema file"),
            ("yaml.json", "yaml.json:1:1: the schema is not JSON"),
            ("bad.json", "bad.json: the value at /properties is not one that JSON Schema allows"),
            ("nested.json", "nested.json: the value at /$defs/a/$id is not one that JSON"),
            ("../out.json", "../out.json: the file is outside of the repository"),
            ("link.json", "link.json: the file is outside of the repository"),
            ("/etc/passwd", "the file is outside of the repository"),
            ("file://host/s.json", "there is no built-in or registered schema of that name"),
            ("https://example.com/s.json", "a $ref is never fetched"),
            ("acme:page:1.0", "acme:page:1.0: there is no built-in or registered schema"),
            ("urn:uuid:1", "there is no built-in or registered schema of that name"),
            (".", ".: this is a directory"),
            ("a%00b.json", "no file can have such a name"),
            ("a\ud800.json", "there is no such schema file"),
            ("#/$defs/absent", "there is nothing at that place"),
        ],
    )
    def test_to_what_cannot_be_had(self, ref: str, message: str, tmp_path: Path) -> None:
        repository = tmp_path / "repository"
        outside = write(tmp_path / "out.json", type="object")
        write(repository / "s.json", **{"$ref": ref})
        write(repository / "bad.json", properties=5)
        write(repository / "nested.json", **{"$defs": {"a": {"$id": 5}}})
        (repository / "yaml.json").write_text("a: b", encoding="utf-8")
        (repository / "link.json").symlink_to(outside)
        schema = SchemaStore(repository).load("s.json", repository)
        assert message in reason(schema, schema.document["$ref"])
        assert message in reason(schema, schema.document["$ref"])

    def test_to_a_deep_schema(self, tmp_path: Path) -> None:
        deep = '{"not":' * 99 + "{}" + "}" * 99
        (tmp_path / "deep.json").write_text(deep, encoding="utf-8")
        write(tmp_path / "s.json", **{"$ref": "deep.json"})
        schema = SchemaStore(tmp_path).load("s.json", tmp_path)
        assert str(look_up(schema, schema.document["$ref"])["not"]).startswith("{'not'")

    def test_a_schema_from_elsewhere_may_refer_to_files_beside_it(self, tmp_path: Path) -> None:
        write(tmp_path / "shared" / "a.json", **{"$ref": "b.json", "$defs": {"c": {}}})
        write(tmp_path / "shared" / "b.json", const=1)
        write(tmp_path / "c.json", const=1)
        repository = tmp_path / "repository"
        repository.mkdir()
        schema = SchemaStore(repository).load("../shared/a.json", repository)
        assert look_up(schema, schema.document["$ref"])["const"] == 1
        assert "outside of the repository" in reason(schema, "../c.json")

    def test_the_root_may_lie_above_the_config(self, tmp_path: Path) -> None:
        write(tmp_path / "common.json", const=1)
        write(tmp_path / "docs" / "s.json", **{"$ref": "../common.json"})
        schema = SchemaStore(tmp_path / "docs", tmp_path).load("s.json", tmp_path / "docs")
        assert look_up(schema, schema.document["$ref"])["const"] == 1


class TestUntrusted:
    """References that artifacts supply."""

    ANY = SchemaTrust()
    LOCAL = SchemaTrust(DocumentRefs.LOCAL)

    def test_files_inside(self, tmp_path: Path) -> None:
        write(tmp_path / "s.json", type="object")
        store = SchemaStore(tmp_path)
        schema = store.load_untrusted("../s.json", tmp_path / "docs", self.LOCAL, confine=tmp_path)
        assert schema.reference == "s.json"

    def test_files_outside(self, tmp_path: Path) -> None:
        outside = write(tmp_path / "out.json", type="object")
        inside = tmp_path / "in"
        inside.mkdir()
        (inside / "link.json").symlink_to(outside)
        store = SchemaStore(inside)
        for reference in ("../out.json", "link.json", str(outside), "../absent.json"):
            with pytest.raises(SchemaError, match="the file is outside of the repository"):
                store.load_untrusted(reference, inside, self.ANY, confine=inside)

    def test_urls(self, tmp_path: Path) -> None:
        store = SchemaStore(tmp_path, offline=True)
        for trust in (self.ANY, self.LOCAL):
            assert store.load_untrusted(PUBLISHED, tmp_path, trust, confine=tmp_path)
        with pytest.raises(SchemaError, match=r"schemaTrust\.documentRefs is local"):
            store.load_untrusted("https://example.com/s", tmp_path, self.LOCAL, confine=tmp_path)
        with pytest.raises(SchemaError, match="offline"):
            store.load_untrusted("https://example.com/s", tmp_path, self.ANY, confine=tmp_path)
