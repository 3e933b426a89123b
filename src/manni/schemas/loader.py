"""Schemas as bytes: reading files, decoding JSON, and preparing what `$ref` says.

Schemas are JSON (RFC 8259) in UTF-8. A schema that is not built in is *linked* when it is read: its
`$id` becomes the place that it was read from. A relative `$ref` therefore means the file beside the
schema, whatever the schema calls itself.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote, urljoin

from manni.base.boundary import LEAVES, leaves_boundary
from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.schemas.dialects import DATA, NAMED, TELLING, dialect_of
from manni.schemas.vocabularies import REFERENCES

MAX_BYTES = 5_000_000
"""The largest schema that is read, from a file or a URL."""

MAX_DEPTH = 100
"""How deep the values of a schema may nest."""

ID_SCHEME = "id:"
"""What stands before an id in a `$ref` whose vendor is no URI scheme (RFC 3986, section 3.1)."""

_IN_URIS = "%:/?#[]@!$&'()*+,;=~"
_STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_TYPES = frozenset(("array", "boolean", "integer", "null", "number", "object", "string"))


def read_file(path: Path, label: str) -> bytes:
    """The bytes of a schema file.

    Only a regular file is read, so that a pipe or a device cannot hold up the run.

    Args:
        path: the file.
        label: what messages call it.

    Raises:
        SchemaError: it is missing, no regular file, not readable, or larger than `MAX_BYTES`.
    """
    try:
        if leaves_boundary(path):
            raise SchemaError(LEAVES, where=label)
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise _unreadable(error, label) from None
    try:
        _check_regular(os.fstat(descriptor).st_mode, label)
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _unreadable(error, label) from None
    finally:
        os.close(descriptor)
    if len(data) > MAX_BYTES:
        raise too_large(label)
    return data


def _check_regular(mode: int, label: str) -> None:
    if stat.S_ISDIR(mode):
        raise SchemaError("this is a directory; name a JSON schema in it", where=label)
    if not stat.S_ISREG(mode):
        raise SchemaError("this is not a regular file", where=label)


def _unreadable(error: OSError | ValueError, label: str) -> SchemaError:
    if not isinstance(error, OSError):
        return SchemaError("no file can have such a name", where=label)
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return SchemaError("there is no such schema file", where=label)
    reason = (error.strerror or "it cannot be opened").lower()
    return SchemaError(f"the schema file cannot be read: {reason}", where=label)


def too_large(label: str) -> SchemaError:
    """The error about a schema that exceeds `MAX_BYTES`."""
    return SchemaError(f"this is larger than {MAX_BYTES // 1_000_000} MB", where=label)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def parse(data: bytes, label: str) -> dict[str, Any]:
    """Decode a schema.

    Args:
        data: UTF-8 JSON, with or without a byte-order mark.
        label: what messages call it.

    Raises:
        SchemaError: not JSON (with line and column, 1-based), not an object, nested deeper than
            `MAX_DEPTH`, of an unknown dialect, or with a `$ref` or `$id` that is no URI reference.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SchemaError("a schema is JSON in UTF-8, and this is not UTF-8", where=label) from None
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise _not_json(error, label) from None
    except RecursionError:
        raise _too_deep(label) from None
    except ValueError as error:
        raise SchemaError(f"the schema is not JSON: {error}", where=label) from None
    if not isinstance(document, dict):
        raise SchemaError("a schema is a JSON object, and this is another value", where=label)
    _check_depth(document, label)
    dialect_of(document, label)
    return document


def _not_json(error: json.JSONDecodeError, label: str) -> SchemaError:
    where = f"{label}:{error.lineno}:{error.colno}"
    if label.endswith((".yaml", ".yml")):
        return SchemaError("schemas are JSON files; convert this one from YAML", where=where)
    reason = error.msg[:1].lower() + error.msg[1:]
    return SchemaError(f"the schema is not JSON: {reason}", where=where)


def _too_deep(label: str) -> SchemaError:
    return SchemaError(f"the schema nests deeper than {MAX_DEPTH} levels", where=label)


def _check_depth(document: dict[str, Any], label: str) -> None:
    level: list[Any] = [document]
    for _ in range(MAX_DEPTH):
        level = [child for value in level for child in _children(value)]
        if not level:
            return
    raise _too_deep(label)


def _children(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def looks_like_schema(document: dict[str, Any]) -> bool:
    """Whether an object from the network can be meant as a schema and is no error envelope."""
    if not TELLING.isdisjoint(document):
        return True
    named = document.get("type")
    names = named if isinstance(named, list) else [named]
    return bool(names) and all(isinstance(name, str) and name in _TYPES for name in names)


def link(document: dict[str, Any], uri: str, label: str) -> dict[str, Any]:
    """A copy of a schema that is named by its place.

    The root takes `uri` as its `$id` (draft 4: `id`), so that a relative `$ref` means what is
    beside it. References to its former `$id` mean the schema itself. When that `$id` was a URL
    and the schema is a file, URLs below the same path mean the files beside it.

    Args:
        document: a schema that `parse` returned.
        uri: the absolute URI of the place it was read from, without a fragment.
        label: what messages call it.

    Raises:
        SchemaError: a `$ref` or `$id` is no URI reference (RFC 3986); the message has its place.
    """
    return _Linker(document, uri, label).linked()


class _Linker:
    """Rewrites one schema; a value that lives for one call of `link`."""

    def __init__(self, document: dict[str, Any], uri: str, label: str) -> None:
        self._document = document
        self._uri = uri
        self._label = label
        self._dialect = dialect_of(document, label)
        self._id = self._dialect.id_keyword
        named = self._dialect.identifier(document)
        self._own = self._join(uri, named, (self._id,)) if named else uri
        is_url = self._own.startswith(("http://", "https://"))
        self._base = self._own if is_url else uri
        is_moved = is_url and uri.startswith("file:")
        self._beside = self._own.rpartition("/")[0] + "/" if is_moved else None

    def linked(self) -> dict[str, Any]:
        copy: dict[str, Any] = self._value(self._document, self._base, ())
        own = self._document.get(self._id)
        if not (isinstance(own, str) and own.startswith("#")):
            copy[self._id] = self._uri
        return copy

    def _value(self, value: Any, base: str, path: tuple[str, ...]) -> Any:
        if isinstance(value, list):
            return [self._value(item, base, (*path, str(i))) for i, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        inner = base
        named = self._dialect.identifier(value) if path else None
        if named:
            inner = self._join(base, named, (*path, self._id))
        return {
            key: self._member(key, item, base if key == self._id else inner, (*path, key))
            for key, item in value.items()
        }

    def _member(self, key: str, value: Any, base: str, path: tuple[str, ...]) -> Any:
        if key in DATA:
            return value
        if isinstance(value, str):
            is_reference = key in REFERENCES or (key == self._id and len(path) > 1)
            return self._moved(value, base, path) if is_reference else value
        if key in NAMED and isinstance(value, dict):
            return {name: self._value(item, base, (*path, name)) for name, item in value.items()}
        return self._value(value, base, path)

    def _moved(self, written: str, base: str, path: tuple[str, ...]) -> str:
        """A reference or identifier, by the places of files where it names one by its URL."""
        name, _, fragment = _encoded(written).partition("#")
        if not name:
            return f"#{fragment}"
        absolute = name if is_id(name) else self._join(base, name, path)
        if absolute == self._own:
            moved = self._uri
        elif self._beside and absolute.startswith(self._beside):
            moved = urljoin(self._uri, "./" + absolute[len(self._beside) :])
        elif is_id(name) and not _SCHEME.match(name):
            moved = ID_SCHEME + name
        elif base != self._base or (self._beside and name.startswith("/")):
            moved = absolute
        else:
            moved = name
        return f"{moved}#{fragment}" if fragment else moved

    def _join(self, base: str, written: str, path: tuple[str, ...]) -> str:
        try:
            return urljoin(base, written)
        except ValueError:
            pointer = "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in path)
            spelled = shorten(visible(written), 100)
            raise SchemaError(
                f"at {visible(pointer)}: '{spelled}' is not a URI reference", where=self._label
            ) from None


def _encoded(written: str) -> str:
    """A reference whose characters are all ones that a URI may have (RFC 3986, section 2)."""
    return _STRAY_PERCENT.sub("%25", quote(written, _IN_URIS, errors="surrogatepass"))


def is_id(reference: str) -> bool:
    """Whether a reference has the form `vendor:name:version`.

    Three non-empty parts without separators or spaces, and not the name of a JSON file.
    """
    parts = reference.split(":")
    if len(parts) != 3 or not all(parts) or reference.endswith(".json"):
        return False
    return not any(char in "/\\" or char.isspace() for char in reference)
