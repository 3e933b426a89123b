"""What shows only when all artifacts of a run are seen: shared join values, unused entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from manni.base.errors import ConfigError
from manni.base.json_types import escape_token
from manni.base.spelling import nearest
from manni.manifests.files import ManifestFile, quoted
from manni.model.findings import Fault, Finding, Locator

OWNED = "external:owned"
DUPLICATE = "external:duplicate"

_PATH = "path"
_KEYWORD = "external"


@dataclass(frozen=True, slots=True)
class Use:
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


def duplicates(uses: Iterable[Use]) -> dict[str, tuple[Duplicate, ...]]:
    """Artifacts that share a join value.

    Returns:
        For each such artifact, by its path relative to the config's directory, what to report.
    """
    by_value: dict[tuple[str, str, str], dict[str, Use]] = {}
    for use in uses:
        if use.join != _PATH and use.value is not None:
            sharing = by_value.setdefault((use.manifest, use.join, use.value), {})
            sharing.setdefault(use.target, use)
    found: dict[str, tuple[Duplicate, ...]] = {}
    for sharing in by_value.values():
        if len(sharing) > 1:
            first, second, *_ = sharing.values()
            for use in sharing.values():
                other = second if use is first else first
                found[use.target] = (*found.get(use.target, ()), _duplicate(use, other))
    return found


def _duplicate(use: Use, other: Use) -> Duplicate:
    return Duplicate(
        pointer=f"/{escape_token(use.join)}",
        message=(
            f'"{use.join}" has the value {quoted(use.value or "")} in {other.label} too, and '
            f"manifest {use.manifest} finds documents by it; give each its own"
        ),
    )


def strays(uses: tuple[Use, ...]) -> list[tuple[str, str]]:
    """Entries of single artifacts' manifests that no artifact used, each with its place."""
    used = {(use.manifest, use.value) for use in uses}
    return [
        (name, where)
        for use in uses
        for name, where in use.others
        if (use.manifest, name) not in used
    ]


def unused(file: ManifestFile, join: str, uses: tuple[Use, ...]) -> list[tuple[str, str]]:
    """Entries of a manifest that no artifact used, each with its place as `manifest:line`."""
    used: set[str | None] = set()
    for use in uses:
        if (use.manifest, use.join) == (file.name, join):
            if not use.known:
                return []  # whose entries they are shows only when the document can be read
            used.add(use.value)
    return [
        (name, file.where(f"/{escape_token(name)}")) for name in file.values if name not in used
    ]


def orphaned(
    orphans: list[tuple[str, str]], uses: tuple[Use, ...], described: set[str]
) -> ConfigError:
    """The error about entries whose documents the run did not load.

    Args:
        orphans: the entries, each with its place; at least one.
        uses: of every artifact that the manifests are for.
        described: what manifests have entries for; no entry is misspelled for one of these.
    """
    name, where = orphans[0]
    looked_up = dict.fromkeys(use.value for use in uses if use.value is not None)
    near = nearest(name, [value for value in looked_up if value not in described])
    hint = f"did you mean {quoted(near)}?" if near else "remove the entry, or correct its key"
    more = f" ({len(orphans) - 1} more like it)" if len(orphans) > 1 else ""
    return ConfigError(
        f"the manifest describes {quoted(name)}, which is no document of this run{more}; {hint}",
        where=where,
    )
