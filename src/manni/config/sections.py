"""The sections of a config, from nodes to values, with every rule that they follow."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from manni.base.spelling import nearest
from manni.base.text import shorten, visible
from manni.config.reader import Node, describe
from manni.discovery.globs import GlobError, check
from manni.model.config import (
    MANIFEST_PAGE,
    Collection,
    DocEvals,
    DocumentRefs,
    Manifest,
    Override,
    SchemaRef,
    SchemaTrust,
)

COLLECTION_KEYS = ("name", "paths", "exclude", "url", "externalMetadata")
MANIFEST_KEYS = ("file", "keys", "join", "tokenEnv")
OVERRIDE_KEYS = ("files", "collection", "schemas", "strict")
SCHEMA_KEYS = ("ref", "source", "integrity")
TRUST_KEYS = ("documentRefs", "hosts")

_INTEGRITY = re.compile("sha256-[0-9A-Fa-f]{64}")
_SCHEMA_ID = re.compile(r"[^:/\\]+:[^:/\\]+:[^:/\\]+")
_VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_HOST = re.compile(r"[A-Za-z0-9._-]+(?::[0-9]+)?|\[[0-9A-Fa-f:.]+\](?::[0-9]+)?")


def read_collections(node: Node) -> tuple[Collection, ...]:
    """The section `collections`."""
    collections: list[Collection] = []
    taken: dict[str, Collection] = {}
    for item in node.items("a list of collections"):
        collection = _collection(item)
        earlier = taken.setdefault(collection.name.casefold(), collection)
        if earlier is not collection:
            raise item.members()["name"].error(
                f"is taken by the collection on line {earlier.line}, `{visible(earlier.name)}`; "
                "names must differ by more than letter case"
            )
        collections.append(collection)
    if not collections:
        raise node.error("must be a list of collections, with at least one item")
    return tuple(collections)


def _collection(node: Node) -> Collection:
    members = node.section(COLLECTION_KEYS, required=("name", "paths"))
    if "url" in members:
        members["url"].text()
    exclude = members.get("exclude")
    manifests = members.get("externalMetadata")
    return Collection(
        name=_collection_name(members["name"]),
        paths=patterns(members["paths"], least=1),
        line=node.line,
        exclude=patterns(exclude) if exclude else (),
        manifests=read_manifests(manifests) if manifests else (),
    )


def _collection_name(node: Node) -> str:
    name = node.text()
    if name.casefold() == "docs":
        raise node.error("must not be `docs`, a name that the family reserves")
    if name.casefold().startswith("sqlite_"):
        raise node.error("must not start with `sqlite_`, which the family reserves")
    return name


def patterns(node: Node, *, least: int = 0) -> tuple[str, ...]:
    """A list of patterns, each of which could match something."""
    return tuple(map(_pattern, _listed(node, "a list of patterns", least)))


def _listed(node: Node, wanted: str, least: int) -> Iterable[Node]:
    items = tuple(node.items(wanted))
    if len(items) < least:
        raise node.error(f"must be {wanted}, with at least one item")
    return items


def _pattern(node: Node) -> str:
    pattern = node.text()
    try:
        check(pattern)
    except GlobError as error:
        raise node.error(
            f"has the pattern `{visible(shorten(pattern, 60))}`, which {error}"
        ) from error
    return pattern


def read_manifests(node: Node) -> tuple[Manifest, ...]:
    """The key `externalMetadata` of a collection."""
    manifests: list[Manifest] = []
    owners: dict[str, int] = {}
    keyless: Manifest | None = None
    for item in node.items("a list of manifests"):
        manifest = _manifest(item)
        if manifest.keys is None:
            if keyless:
                raise item.error(
                    f"lacks `keys` as the manifest on line {keyless.line} does; "
                    "only one manifest of a collection may"
                )
            keyless = manifest
        for key in manifest.keys or ():
            if key in owners:
                raise item.members()["keys"].error(
                    f"holds `{visible(key)}`, which the manifest on line {owners[key]} owns; "
                    "a key has one owner in a collection"
                )
            owners[key] = manifest.line
        manifests.append(manifest)
    return tuple(manifests)


def _manifest(node: Node) -> Manifest:
    members = node.section(MANIFEST_KEYS, required=("file",))
    keys, join, token = (members.get(key) for key in ("keys", "join", "tokenEnv"))
    manifest = Manifest(
        file=_manifest_file(members["file"]),
        line=node.line,
        keys=_owned_keys(keys) if keys else None,
        join=join.text() if join else "path",
        token_env=token.text("the name of an environment variable") if token else None,
    )
    if token:
        if not manifest.is_url:
            raise token.error("is for manifests with a URL; this one is a file")
        if not _VARIABLE.fullmatch(manifest.token_env or ""):
            raise token.mismatch("the name of an environment variable")
    return manifest


def _manifest_file(node: Node) -> str:
    file = node.text("a path or a URL")
    pages = file.count(MANIFEST_PAGE)
    if pages > 1:
        raise node.error(f"may hold {MANIFEST_PAGE} once, not {pages} times")
    if "://" in file:
        _manifest_url(node, file)
        if pages:
            raise node.error(f"may hold {MANIFEST_PAGE} in a path only, not in a URL")
    return file


def _manifest_url(node: Node, url: str) -> None:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError as error:
        raise node.mismatch("a path or a well-formed URL") from error
    if not host:
        raise node.mismatch("a path or a URL with a host")
    if parts.scheme == "http" and not is_loopback(host):
        raise node.error("must be an https:// URL; http:// is for this machine alone (127.0.0.1)")
    if parts.scheme not in ("http", "https"):
        raise node.error(f"must be a path or an https:// URL, not {describe(url)}")


def is_loopback(host: str) -> bool:
    """Whether a host name or address without brackets is this machine."""
    if host.casefold() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _owned_keys(node: Node) -> tuple[str, ...]:
    keys = node.texts("a list of keys", least=1)
    for key in keys:
        if key == "$schema":
            raise node.error("must not hold `$schema`; a manifest does not choose schemas")
        if keys.count(key) > 1:
            raise node.error(f"holds `{visible(key)}` twice")
    return keys


def read_overrides(node: Node, collections: tuple[Collection, ...]) -> tuple[Override, ...]:
    """The key `meta.overrides`, whose entries may name these collections."""
    names = tuple(collection.name for collection in collections)
    return tuple(_override(item, names) for item in node.items("a list of overrides"))


def _override(node: Node, names: tuple[str, ...]) -> Override:
    members = node.section(OVERRIDE_KEYS, required=("schemas",))
    files, collection, strict = (members.get(key) for key in ("files", "collection", "strict"))
    if (files is None) == (collection is None):
        found = "both `files` and `collection`" if files else "neither `files` nor `collection`"
        raise node.error(f"has {found}; it needs exactly one of them")
    schemas = read_schemas(members["schemas"])
    if not schemas:
        raise members["schemas"].error("must be a list of schemas, with at least one item")
    return Override(
        schemas=schemas,
        line=node.line,
        files=_files(files) if files else (),
        collection=_declared(collection, names) if collection else None,
        strict=strict.flag() if strict else None,
    )


def _files(node: Node) -> tuple[str, ...]:
    if isinstance(node.value, str):
        return (_pattern(node),)
    return tuple(map(_pattern, _listed(node, "a pattern or a list of patterns", 1)))


def _declared(node: Node, names: tuple[str, ...]) -> str:
    name = node.text("the name of a collection")
    if name not in names:
        guess = nearest(name, names)
        hint = f", did you mean `{visible(guess)}`?" if guess else ""
        listed = ", ".join(f"`{visible(known)}`" for known in names[:20])
        known = f"the collections are {listed}" if names else "the config declares none"
        raise node.error(f"is {describe(name)}, the name of no collection{hint} ({known})")
    return name


def read_schemas(node: Node) -> tuple[SchemaRef, ...]:
    """A list of schemas: references, or mappings with a `ref`."""
    return tuple(map(_schema, node.items("a list of schemas")))


def _schema(node: Node) -> SchemaRef:
    if isinstance(node.value, str):
        return SchemaRef(node.text(), node.line)
    if not isinstance(node.value, dict):
        raise node.mismatch("a reference or a mapping with a `ref`")
    members = node.section(SCHEMA_KEYS, required=("ref",))
    ref = members["ref"].text("a reference")
    source, integrity = members.get("source"), members.get("integrity")
    return SchemaRef(
        ref=ref,
        line=node.line,
        source=source.text() if source else None,
        integrity=_integrity(integrity, ref) if integrity else None,
    )


def _integrity(node: Node, ref: str) -> str:
    pin = node.text("`sha256-` and 64 hex digits")
    if not _INTEGRITY.fullmatch(pin):
        raise node.mismatch("`sha256-` and 64 hex digits")
    if "://" in ref or is_schema_id(ref):
        raise node.error(f"is for local files only, and {describe(ref)} is no path")
    return pin.lower()


def is_schema_id(ref: str) -> bool:
    """Whether a reference has the form `vendor:name:version`."""
    return not ref.endswith(".json") and _SCHEMA_ID.fullmatch(ref) is not None


def read_trust(node: Node) -> SchemaTrust:
    """The key `meta.schemaTrust`."""
    members = node.section(TRUST_KEYS)
    refs, hosts = members.get("documentRefs"), members.get("hosts")
    return SchemaTrust(
        document_refs=DocumentRefs(refs.choice(DocumentRefs)) if refs else DocumentRefs.ANY,
        hosts=tuple(map(_host, hosts.items("a list of host names"))) if hosts else None,
    )


def _host(node: Node) -> str:
    host = node.text("a host name")
    if not _HOST.fullmatch(host):
        raise node.error(
            f"must be a host name alone, such as `schemas.example.com`, not {describe(host)}"
        )
    return host.lower()


def read_docevals(node: Node) -> DocEvals | None:
    """The names that a sibling tool's section defines; its mistakes are that tool's to report."""
    if node.value is not None and not isinstance(node.value, dict):
        return None
    members = node.members()
    evals, suites = (members.get(key) for key in ("evals", "suites"))
    return DocEvals(evals=_names(evals), suites=_names(suites))


def _names(node: Node | None) -> frozenset[str]:
    return frozenset(node.value) if node and isinstance(node.value, dict) else frozenset()
