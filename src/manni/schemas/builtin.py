"""The schemas that ship with this tool.

They are JSON files, found in the installed package or, in a checkout, at the repository's top
level. The index is read when first asked for, and each schema only when it is needed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manni.base.errors import SchemaError
from manni.base.spelling import nearest
from manni.base.text import shorten, visible

if TYPE_CHECKING:
    from collections.abc import Iterable

_HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Entry:
    """One built-in schema, as the index describes it.

    Attributes:
        id: its `vendor:name:version` id.
        file: its path below `directory()`.
        url: where it is published; a reference to this URL means the copy that ships.
        summary: what it is for, in one line.
    """

    id: str
    file: str
    url: str
    summary: str


CONFIG = Entry(
    id="manni:config:1.0.0",
    file="config.schema.json",
    url="manni:config:1.0.0",
    summary="manni.config.yaml",
)
"""The schema of the config. Artifacts are not checked against it, so `entries` leaves it out."""


@cache
def directory() -> Path:
    """The directory that holds the schemas: the package's own, else the checkout's.

    Raises:
        FileNotFoundError: neither exists, so the installation is broken.
    """
    for place in (_HERE / "data", _HERE.parents[2] / "schemas"):
        if (place / "index.json").is_file():
            return place
    raise FileNotFoundError("the built-in schemas are missing from the installation")


@cache
def entries() -> tuple[Entry, ...]:
    """Every built-in schema, in the order in which they are listed to people."""
    index = json.loads((directory() / "index.json").read_bytes())
    return tuple(Entry(**item) for item in index["schemas"])


@cache
def _by_name() -> dict[str, Entry]:
    found = {entry.id: entry for entry in (CONFIG, *entries())}
    found.update((entry.url, entry) for entry in entries())
    return found


def find(name: str) -> Entry | None:
    """The built-in schema with this id or published URL, or None."""
    return _by_name().get(name)


def source(name: str) -> str:
    """The JSON text of a built-in schema, exactly as it ships.

    Args:
        name: its id or published URL.

    Raises:
        SchemaError: there is no such schema; the message names the nearest and lists all.
    """
    entry = find(name)
    if entry is None:
        raise unknown(name, ())
    return _text(entry)


def nearest_id(name: str, registered: Iterable[str]) -> str | None:
    """The id that was probably meant, built in or `registered`; its middle part is enough."""
    known = [*(entry.id for entry in entries()), *sorted(registered)]
    parts = {each.split(":")[1]: each for each in known}
    part = name if name in parts else nearest(name, parts)
    return nearest(name, known) or (parts[part] if part else None)


def unknown(name: str, registered: Iterable[str]) -> SchemaError:
    """The error about an id that is neither built in nor among the `registered` ones."""
    known = [*(entry.id for entry in entries()), *sorted(registered)]
    near = nearest_id(name, registered)
    hint = f"did you mean '{visible(near)}'? " if near else ""
    listed = ", ".join(map(visible, known))
    spelled = shorten(visible(name), 100)
    return SchemaError(f"there is no schema '{spelled}'; {hint}Available: {listed}")


def _text(entry: Entry) -> str:
    return (directory() / entry.file).read_text(encoding="utf-8")


@cache
def document(entry: Entry) -> dict[str, Any]:
    """The schema as a value, read once; nobody may change it."""
    loaded: dict[str, Any] = json.loads(_text(entry))
    return loaded
