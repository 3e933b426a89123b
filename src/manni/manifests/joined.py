"""What joining external metadata to one artifact gives, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from manni.base.json_types import Json
from manni.model.findings import Fault, Locator


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
