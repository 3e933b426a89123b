"""What no schema can say of a config: how its values agree with each other and with globs.

Every function takes a config, or a part of one, that its schema has accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from manni.base.json_types import escape_token
from manni.base.spelling import nearest
from manni.base.text import shorten, visible
from manni.config.source import ConfigSource, Mistake
from manni.discovery import globs
from manni.discovery.kinds import BY_ID, unknown_kind

_SHOWN = 60
_SHOWN_NAMES = 20


def broken_rules(source: ConfigSource) -> Iterator[Mistake]:
    """The rules that a config breaks although its schema accepts it."""
    collections = source.value.get("collections", [])
    for pointer, pattern in _patterns(source.value):
        yield from _glob(source, pointer, pattern)
    yield from _names(source, collections)
    for index, collection in enumerate(collections):
        yield from _manifests(source, collection, f"/collections/{index}/externalMetadata")
    names = tuple(collection["name"] for collection in collections)
    for pointer, name in _named(source.value):
        if name not in names:
            yield source.mistake(pointer, _undeclared(name, names))
    for pointer, kind in _kinds(source.value):
        if kind not in BY_ID:
            yield source.mistake(pointer, unknown_kind(kind))


def _is_loopback(host: str) -> bool:
    """Whether a host name or address without brackets is this machine."""
    if host.casefold() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _patterns(config: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every glob of a config, with its JSON Pointer."""
    for index, collection in enumerate(config.get("collections", [])):
        for key in ("paths", "exclude"):
            yield from _listed(f"/collections/{index}/{key}", collection.get(key, []))
    for index, override in enumerate(_list(config, "meta", "overrides")):
        pointer, files = f"/meta/overrides/{index}/files", override.get("files", [])
        yield from [(pointer, files)] if isinstance(files, str) else _listed(pointer, files)
    for pattern in (config.get("action") or {}).get("per-file-ignores", {}):
        yield (f"/action/per-file-ignores/{escape_token(pattern)}", pattern)


def _listed(pointer: str, values: Iterable[str]) -> Iterator[tuple[str, str]]:
    return ((f"{pointer}/{index}", value) for index, value in enumerate(values))


def _list(config: dict[str, Any], section: str, key: str) -> list[Any]:
    found: list[Any] = (config.get(section) or {}).get(key, [])
    return found


def _glob(source: ConfigSource, pointer: str, pattern: str) -> Iterator[Mistake]:
    try:
        globs.check(pattern)
    except globs.GlobError as error:
        shown = visible(shorten(pattern, _SHOWN))
        yield source.mistake(pointer, f"has the pattern `{shown}`, which {error}")


def _names(source: ConfigSource, collections: list[Any]) -> Iterator[Mistake]:
    taken: dict[str, int] = {}
    for index, name in enumerate(collection["name"] for collection in collections):
        earlier = taken.setdefault(name.casefold(), index)
        if earlier != index:
            other = visible(collections[earlier]["name"])
            yield source.mistake(
                f"/collections/{index}/name",
                f"is taken by the collection on line {source.line(f'/collections/{earlier}')}, "
                f"`{other}`; names must differ by more than letter case",
            )


def _manifests(source: ConfigSource, collection: dict[str, Any], at: str) -> Iterator[Mistake]:
    owners: dict[str | None, int] = {}
    for index, manifest in enumerate(collection.get("externalMetadata", [])):
        here = f"{at}/{index}"
        wrong = _wrong_url(manifest["file"]) if "://" in manifest["file"] else None
        if wrong:
            yield source.mistake(f"{here}/file", wrong)
        for key in manifest.get("keys", [None]):
            earlier = owners.setdefault(key, index)
            line = source.line(f"{at}/{earlier}")
            if earlier != index and key is None:
                yield source.mistake(
                    here,
                    f"lacks `keys` as the manifest on line {line} does; "
                    "only one manifest of a collection may",
                )
            elif earlier != index:
                yield source.mistake(
                    f"{here}/keys",
                    f"holds `{visible(key)}`, which the manifest on line {line} owns; "
                    "a key has one owner in a collection",
                )


def _wrong_url(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        return "must be a path or a well-formed URL"
    if not host:
        return "must be a path or a URL with a host"
    if parts.scheme != "https" and not _is_loopback(host):
        return "must be an https:// URL; http:// is for this machine alone (127.0.0.1)"
    return None


def _named(config: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every place that names a collection, as a JSON Pointer, with the name."""
    for section, key in (("meta", "overrides"), ("action", "collections")):
        for index, entry in enumerate(_list(config, section, key)):
            if "collection" in entry:
                yield (f"/{section}/{key}/{index}/collection", entry["collection"])


def _kinds(config: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every place that names a kind, as a JSON Pointer, with the id."""
    yield from _listed("/action/kinds", _list(config, "action", "kinds"))
    for index, entry in enumerate(_list(config, "action", "collections")):
        yield (f"/action/collections/{index}/kind", entry["kind"])


def _undeclared(name: str, names: tuple[str, ...]) -> str:
    guess = nearest(name, names)
    hint = f", did you mean `{visible(guess)}`?" if guess else ""
    listed = ", ".join(f"`{visible(known)}`" for known in names[:_SHOWN_NAMES])
    known = f"the collections are {listed}" if names else "the config declares none"
    return f"is `{visible(shorten(name, _SHOWN))}`, the name of no collection{hint} ({known})"
