"""What joining gives, as plain data, and what shows only when all artifacts of a run are seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from manni.base.errors import ConfigError
from manni.base.json_types import Json, escape_token
from manni.base.spelling import nearest
from manni.base.text import shorten
from manni.model.findings import Fault, Finding, Locator

OWNED = "external:owned"
DUPLICATE = "external:duplicate"

_PATH = "path"
_KEYWORD = "external"
_NAME_LIMIT = 120


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """How one artifact was looked up in one manifest.

    Attributes:
        manifest: its name.
        collection: the collection that declares the manifest.
        join: `path`, or the field that the manifest is keyed by.
        target: the artifact's path relative to the config's directory.
        label: the artifact's path as people read it.
        value: what was looked up; None when the artifact has no such field.
        known: whether the artifact could be read, so that `value` can be relied on.
        others: entries about other artifacts in a manifest of this one alone, each with its
            place as `manifest:line`.
    """

    manifest: str
    collection: str
    join: str
    target: str
    label: str
    value: str | None
    known: bool = True
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Joined:
    """Metadata after external metadata is joined.

    Attributes:
        value: the page's keys, then those of manifests; the page's value where both have one.
        locator: places each value in the page or in its manifest.
        supplied: the keys whose values come from a manifest, each with the manifest's name.
        faults: of keys that the page and a manifest carry.
        entries: how it was looked up; to be handed to `duplicates` and `require_documents`.
    """

    value: dict[str, Json]
    locator: Locator
    supplied: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    entries: tuple[ManifestEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Duplicate:
    """What to report of an artifact whose join value another one carries too."""

    pointer: str
    message: str

    def fault(self, locator: Locator) -> Fault:
        """The finding about it, placed by the artifact's own metadata."""
        return external_fault(DUPLICATE, self.pointer, self.message, locator)


def external_fault(schema: str, pointer: str, message: str, locator: Locator) -> Fault:
    """A fault of one finding about external metadata."""
    finding = Finding(
        schema=schema,
        keyword=_KEYWORD,
        message=message,
        pointer=pointer,
        place=locator.place(pointer),
        identity=locator.identity(pointer),
    )
    return Fault((finding,))


def duplicates(entries: Iterable[ManifestEntry]) -> dict[str, tuple[Duplicate, ...]]:
    """Artifacts that share a join value.

    Returns:
        For each such artifact, by its path relative to the config's directory, what to report.
    """
    by_value: dict[tuple[str, str, str], dict[str, ManifestEntry]] = {}
    for entry in entries:
        if entry.join != _PATH and entry.value is not None:
            sharing = by_value.setdefault((entry.manifest, entry.join, entry.value), {})
            sharing.setdefault(entry.target, entry)
    found: dict[str, tuple[Duplicate, ...]] = {}
    for sharing in by_value.values():
        if len(sharing) > 1:
            first, second, *_ = sharing.values()
            for entry in sharing.values():
                other = second if entry is first else first
                found[entry.target] = (*found.get(entry.target, ()), _duplicate(entry, other))
    return found


def _duplicate(entry: ManifestEntry, other: ManifestEntry) -> Duplicate:
    return Duplicate(
        pointer=f"/{escape_token(entry.join)}",
        message=(
            f'"{entry.join}" has the value {quoted(entry.value or "")} in {other.label} too, and '
            f"manifest {entry.manifest} finds documents by it; give each its own"
        ),
    )


def strays(entries: tuple[ManifestEntry, ...]) -> list[tuple[str, str]]:
    """Entries of single artifacts' manifests that no artifact used, each with its place."""
    used = {(entry.manifest, entry.value) for entry in entries}
    return [
        (name, where)
        for entry in entries
        for name, where in entry.others
        if (entry.manifest, name) not in used
    ]


def orphaned(
    orphans: list[tuple[str, str]], entries: tuple[ManifestEntry, ...], described: set[str]
) -> ConfigError:
    """The error about entries whose documents the run did not load.

    Args:
        orphans: the entries, each with its place; at least one.
        entries: of every artifact that the manifests are for.
        described: what manifests have entries for; no entry is misspelled for one of these.
    """
    name, where = orphans[0]
    looked_up = dict.fromkeys(entry.value for entry in entries if entry.value is not None)
    near = nearest(name, [value for value in looked_up if value not in described])
    hint = f"did you mean {quoted(near)}?" if near else "remove the entry, or correct its key"
    more = f" ({len(orphans) - 1} more like it)" if len(orphans) > 1 else ""
    return ConfigError(
        f"the manifest describes {quoted(name)}, which is no document of this run{more}; {hint}",
        where=where,
    )


def quoted(name: str) -> str:
    """The name in quotes, cut where it is very long."""
    return f"'{shorten(name, _NAME_LIMIT)}'"
