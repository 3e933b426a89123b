"""The schemas that a config registers, so that it can name them by id."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.schemas.loader import is_id, parse, read_file

RESERVED_VENDORS = frozenset(("manni", "anthropic", "agentskills"))
"""Vendors whose ids are the built-in schemas' alone."""


def register(entries: Iterable[str], base: Path) -> dict[str, Path]:
    """Find the schemas that are registered, by their ids.

    A schema's id is its `$id` when that has the form `vendor:name:version`. A file that is named
    must have one. Of a directory, every `*.json` below it is read, and those without one are taken
    for files that the others refer to.

    Args:
        entries: files and directories, relative to `base`.
        base: an absolute directory.

    Returns:
        The absolute path of each schema, by id.

    Raises:
        SchemaError: an entry is missing, a file is no schema, or an id is reserved or taken twice.
    """
    found: dict[str, Path] = {}
    for entry in entries:
        path = base / entry
        named = not _is_directory(path, entry)
        for file in (path,) if named else _files_below(path):
            _add(found, file, base, must_have_id=named)
    return found


def strict_id(identifier: str) -> str:
    """The id of the strict companion: `-strict` added to the name."""
    vendor, name, version = identifier.split(":")
    return f"{vendor}:{name}-strict:{version}"


def _is_directory(path: Path, entry: str) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        raise SchemaError(
            f"meta.register names '{shorten(visible(entry), 100)}', which cannot be opened"
        ) from None


def _files_below(directory: Path) -> Iterator[Path]:
    def complain(error: OSError) -> None:
        raise SchemaError(
            f"the directory cannot be read: {(error.strerror or 'it cannot be opened').lower()}",
            where=visible(str(error.filename)),
        )

    for place, directories, files in os.walk(directory, onerror=complain):
        directories[:] = sorted(name for name in directories if name not in _SKIPPED)
        yield from (Path(place, name) for name in sorted(files) if name.endswith(".json"))


_SKIPPED = frozenset((".git", "node_modules"))


def _add(found: dict[str, Path], file: Path, base: Path, *, must_have_id: bool) -> None:
    label = visible(os.path.relpath(file, base))
    identifier = _own_id(parse(read_file(file, label), label))
    if identifier is None:
        if must_have_id:
            raise SchemaError(
                "a registered schema needs a $id of the form vendor:name:version", where=label
            )
        return
    vendor = identifier.partition(":")[0]
    if vendor in RESERVED_VENDORS:
        raise SchemaError(
            f"the $id '{identifier}' has the vendor '{vendor}', which is reserved for built-in "
            "schemas; choose another",
            where=label,
        )
    first = found.setdefault(identifier, file)
    if first != file and not first.samefile(file):
        other = visible(os.path.relpath(first, base))
        raise SchemaError(f"the $id '{identifier}' is also that of {other}", where=label)


def _own_id(document: dict[str, object]) -> str | None:
    for key in ("$id", "id"):
        named = document.get(key)
        if isinstance(named, str) and is_id(named) and named == visible(named):
            return named
    return None
