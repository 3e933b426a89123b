"""Schemas as bytes: reading files, decoding JSON, and preparing what `$ref` says.

Schemas are JSON (RFC 8259) in UTF-8. A schema that is not built in is *linked* when it is read:
its `$id` becomes the place that it was read from, and each `$ref` becomes an absolute URI. A
relative `$ref` therefore means the file beside the schema, whatever the schema calls itself, and
resolving a reference never depends on how a schema was reached.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urldefrag, urljoin

from manni.base.boundary import LEAVES, leaves_boundary
from manni.base.errors import SchemaError
from manni.base.text import shorten, visible

MAX_BYTES = 5_000_000
"""The largest schema that is read, from a file or a URL."""

MAX_DEPTH = 100
"""How deep the values of a schema may nest."""

DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""The dialect of a schema whose `$schema` does not say."""

DIALECTS = {
    "http://json-schema.org/draft-04/schema": "draft 4",
    "http://json-schema.org/draft-06/schema": "draft 6",
    "http://json-schema.org/draft-07/schema": "draft 7",
    "https://json-schema.org/draft/2019-09/schema": "2019-09",
    DEFAULT_DIALECT: "2020-12",
}
"""The dialects that are understood, by the URI of their meta-schema, with their names."""

_DRAFT_4 = "http://json-schema.org/draft-04/schema"
_REF_HIDES_ID = frozenset(uri for uri in DIALECTS if "draft-0" in uri)
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_NAME_MAPS = frozenset(
    ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
)
_DATA = frozenset(("enum", "const", "default", "examples"))

# Keywords that a plain JSON document is unlikely to have by accident. Annotations such as `title`
# are not among them: an error envelope has those too.
_TELLING = frozenset(
    [
        "$schema",
        "$id",
        "$ref",
        "$defs",
        "$anchor",
        "$dynamicRef",
        "$dynamicAnchor",
        "$recursiveRef",
        "$recursiveAnchor",
        "$vocabulary",
        "definitions",
        "properties",
        "patternProperties",
        "additionalProperties",
        "propertyNames",
        "required",
        "minProperties",
        "maxProperties",
        "dependencies",
        "dependentRequired",
        "dependentSchemas",
        "unevaluatedProperties",
        "items",
        "prefixItems",
        "additionalItems",
        "unevaluatedItems",
        "contains",
        "minContains",
        "maxContains",
        "minItems",
        "maxItems",
        "uniqueItems",
        "enum",
        "const",
        "pattern",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "else",
        "contentMediaType",
        "contentEncoding",
        "contentSchema",
    ]
)
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


def dialect_of(document: dict[str, Any], label: str) -> str:
    """The meta-schema URI of a schema's dialect, a key of `DIALECTS`.

    Raises:
        SchemaError: its `$schema` names none of them.
    """
    named = document.get("$schema", DEFAULT_DIALECT)
    uri = named.removesuffix("#") if isinstance(named, str) else None
    if uri in DIALECTS:
        return uri
    spelled = shorten(visible(json.dumps(named, ensure_ascii=False)), 100)
    names = ", ".join(DIALECTS)
    raise SchemaError(f"its $schema is {spelled}; the known dialects are {names}", where=label)


def looks_like_schema(document: dict[str, Any]) -> bool:
    """Whether an object from the network can be meant as a schema and is no error envelope."""
    if not _TELLING.isdisjoint(document):
        return True
    named = document.get("type")
    names = named if isinstance(named, list) else [named]
    return bool(names) and all(isinstance(name, str) and name in _TYPES for name in names)


def link(document: dict[str, Any], uri: str, label: str) -> dict[str, Any]:
    """A copy of a schema whose `$id` and references are absolute.

    The root takes `uri` as its `$id` (draft 4: `id`). References to its former `$id` mean the
    schema itself. When that `$id` was a URL and the schema is a file, URLs below the same path
    mean the files beside it.

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
        dialect = dialect_of(document, label)
        self._document = document
        self._uri = uri
        self._label = label
        self._id = "id" if dialect == _DRAFT_4 else "$id"
        self._ref_hides_id = dialect in _REF_HIDES_ID
        own = self._identifier(document)
        self._own = self._join(uri, own, (self._id,)) if own else uri
        beside = self._own.rpartition("/")[0] + "/"
        elsewhere = self._own.startswith(("http://", "https://"))
        self._beside = beside if elsewhere and uri.startswith("file:") else None
        self._base = self._own if elsewhere else uri
        self._embedded = set(self._identifiers(document, self._base, ()))

    def linked(self) -> dict[str, Any]:
        copy = self._schema(self._document, self._base, ())
        own = self._document.get(self._id)
        if not (isinstance(own, str) and own.startswith("#")):
            copy[self._id] = self._uri
        return copy

    def _identifier(self, node: dict[str, Any]) -> str | None:
        named = node.get(self._id)
        if not isinstance(named, str) or named.startswith("#"):
            return None
        if self._ref_hides_id and "$ref" in node:
            return None
        return named.removesuffix("#")

    def _identifiers(self, value: Any, base: str, path: tuple[str, ...]) -> Iterator[str]:
        """The absolute identifiers of the schemas inside of the schema."""
        if isinstance(value, dict):
            named = self._identifier(value) if path else None
            if named:
                base = self._join(base, named, (*path, self._id))
                yield base
        for key, child in _members(value):
            yield from self._identifiers(child, base, (*path, key))

    def _schema(self, node: dict[str, Any], base: str, path: tuple[str, ...]) -> dict[str, Any]:
        named = self._identifier(node) if path else None
        if named:
            base = self._join(base, named, (*path, self._id))
        copy = {key: self._value(key, value, base, path) for key, value in node.items()}
        if named:
            copy[self._id] = base
        return copy

    def _value(self, key: str, value: Any, base: str, path: tuple[str, ...]) -> Any:
        here = (*path, key)
        if key in _DATA:
            return value
        if key in _REFERENCES and isinstance(value, str):
            return self._reference(value, base, here)
        if key in _NAME_MAPS and isinstance(value, dict):
            return {name: self._any(item, base, (*here, name)) for name, item in value.items()}
        return self._any(value, base, here)

    def _any(self, value: Any, base: str, path: tuple[str, ...]) -> Any:
        if isinstance(value, dict):
            return self._schema(value, base, path)
        if isinstance(value, list):
            return [self._any(item, base, (*path, str(i))) for i, item in enumerate(value)]
        return value

    def _reference(self, written: str, base: str, path: tuple[str, ...]) -> str:
        if written.startswith("#"):
            return written
        name = written.partition("#")[0]
        absolute = written if is_id(name) else self._join(base, written, path)
        target, fragment = urldefrag(absolute)
        if target not in self._embedded and base == self._base and not is_id(name):
            target = target if target == self._own else urldefrag(urljoin(self._uri, written))[0]
        if target in self._embedded:
            pass
        elif target == self._own:
            target = self._uri
        elif self._beside and target.startswith(self._beside):
            target = urljoin(self._uri, "./" + target[len(self._beside) :])
        return f"{target}#{fragment}" if fragment else target

    def _join(self, base: str, written: str, path: tuple[str, ...]) -> str:
        try:
            return urljoin(base, written)
        except ValueError:
            pointer = "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in path)
            spelled = shorten(visible(written), 100)
            raise SchemaError(
                f"at {visible(pointer)}: '{spelled}' is not a URI reference", where=self._label
            ) from None


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    """The members of a schema that may hold schemas, with their keys."""
    if isinstance(value, dict):
        yield from ((key, child) for key, child in value.items() if key not in _DATA)
    elif isinstance(value, list):
        yield from ((str(index), child) for index, child in enumerate(value))


def is_id(reference: str) -> bool:
    """Whether a reference has the form `vendor:name:version`.

    Three non-empty parts without separators or spaces, and not the name of a JSON file.
    """
    parts = reference.split(":")
    if len(parts) != 3 or not all(parts) or reference.endswith(".json"):
        return False
    return not any(char in "/\\" or char.isspace() for char in reference)
