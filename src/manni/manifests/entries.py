"""What shows only when all artifacts of a run are seen: shared join values, unused entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from manni.base.errors import ConfigError
from manni.base.json_types import escape_token
from manni.base.spelling import nearest
from manni.manifests.files import ManifestFile, quoted
from manni.manifests.joined import ManifestEntry
from manni.model.findings import Fault, Finding, Locator

OWNED = "external:owned"
DUPLICATE = "external:duplicate"

_PATH = "path"
_KEYWORD = "external"


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


def unused(
    file: ManifestFile, join: str, entries: tuple[ManifestEntry, ...]
) -> list[tuple[str, str]]:
    """Entries of a manifest that no artifact used, each with its place as `manifest:line`."""
    used: set[str | None] = set()
    for entry in entries:
        if (entry.manifest, entry.join) == (file.name, join):
            if not entry.known:
                return []  # whose entries they are shows only when the document can be read
            used.add(entry.value)
    return [
        (name, file.where(f"/{escape_token(name)}")) for name in file.values if name not in used
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
