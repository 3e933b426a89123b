"""Where values are stored, held against where their schemas prefer them.

A schema marks a top-level property with `x-manni-location`: `page` for what readers of the page
act on, `external` for what belongs in a manifest. The findings are warnings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from manni.base.json_types import escape_token
from manni.model.findings import Fault, Finding, Locator, Severity

PAGE: Final = "page"
EXTERNAL: Final = "external"

_KEYWORD = "location"
_SCHEMAS = {location: f"location:{location}" for location in (PAGE, EXTERNAL)}


@dataclass(frozen=True, slots=True)
class Mark:
    """A schema's preference for one top-level key.

    Attributes:
        location: `page` or `external`.
        schema: the reference of the schema that says so.
    """

    location: str
    schema: str


@dataclass(frozen=True, slots=True)
class Setting:
    """What the run knows about manifests for one artifact.

    Attributes:
        no_config: whether the run was told to use no config.
        collections: how many collections the config declares.
        member: whether the artifact is a member of one of them.
    """

    no_config: bool = False
    collections: int = 0
    member: bool = False


def merge_marks(by_schema: Iterable[tuple[str, Mapping[str, str]]]) -> dict[str, Mark]:
    """The mark of each key, where a later schema wins over an earlier one.

    Args:
        by_schema: for each schema of the set, in order, its reference and the marks that its
            evaluation reached: top-level key to `page` or `external`.
    """
    return {
        key: Mark(location, schema)
        for schema, marks in by_schema
        for key, location in marks.items()
    }


def check_location(
    marks: Mapping[str, Mark],
    keys: Iterable[str],
    supplied: Mapping[str, str],
    locator: Locator,
    setting: Setting,
) -> tuple[Fault, ...]:
    """Warn of the top-level keys that are stored where their schemas do not prefer them.

    Args:
        marks: what the schemas prefer.
        keys: the top-level keys of the joined metadata, in order.
        supplied: the keys among them whose values come from a manifest, each with its name.
        locator: of the joined metadata; asked only where something is found.
        setting: what the run knows about manifests for this artifact.
    """
    if not marks:
        return ()
    faults = []
    for key in keys:
        mark, manifest = marks.get(key), supplied.get(key)
        if mark is None or mark.location == (PAGE if manifest is None else EXTERNAL):
            continue
        message = _message(mark, key, manifest, setting)
        faults.append(Fault((_finding(mark, key, message, locator),)))
    return tuple(faults)


# Very many artifacts may be told the same, and then share one text.
@lru_cache(maxsize=512)
def _message(mark: Mark, key: str, manifest: str | None, setting: Setting) -> str:
    if manifest is None:
        return f'"{key}" is stored in the page; {_preference(mark, setting)}'
    return f'"{key}" is stored in manifest {manifest}; {mark.schema} prefers the page.'


def _preference(mark: Mark, setting: Setting) -> str:
    prefers = f"{mark.schema} prefers external metadata"
    if setting.no_config:
        return f"{prefers}, and --no-config leaves it no manifest."
    if setting.collections > 1 and not setting.member:
        return f"{prefers}, and this document is in none of the {setting.collections} collections."
    return f"{prefers}."


def _finding(mark: Mark, key: str, message: str, locator: Locator) -> Finding:
    pointer = _pointer(key)
    schema = _SCHEMAS[mark.location]
    return Finding(
        schema=schema,
        keyword=_KEYWORD,
        message=message,
        pointer=pointer,
        severity=Severity.WARNING,
        place=locator.place(pointer),
        # Nothing above a top-level key has an id.
        identity=pointer,
    )


@lru_cache(maxsize=512)
def _pointer(key: str) -> str:
    return f"/{escape_token(key)}"
