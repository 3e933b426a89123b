"""External metadata: joining what manifests say to the artifacts that they say it of.

A `ManifestStore` reads each manifest of a run once. `join` is called for each artifact and tells,
as plain data, which entries it used, so that artifacts may be checked in any order and in several
processes; what needs all of them (`entries.duplicates`, `require_documents`) is asked at
the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

from manni.base.errors import ConfigError, SchemaError
from manni.base.json_types import Json, escape_token, spell
from manni.discovery.target import Target
from manni.manifests.entries import (
    OWNED,
    Joined,
    ManifestEntry,
    external_fault,
    orphaned,
    quoted,
    strays,
)
from manni.manifests.files import Found, ManifestFile, ManifestSource, page_of, sources_of
from manni.model.config import Config
from manni.model.findings import Fault, Locator, Place

_PATH = "path"
_OF_THE_RUNNER = ("ACTIONS_", "GITHUB_", "INPUT_", "RUNNER_")

ExternalKeys = Callable[[dict[str, Json]], Iterable[str]]
"""From metadata to the top-level keys that the artifact's schemas mark `external` for it."""

Fetch = Callable[[str, str | None], bytes]
"""From an address and the bearer token for it, if any, to what is there; raises SchemaError."""


class ManifestStore:
    """The manifests of a run.

    Args:
        config: that declares them.
        cwd: the absolute working directory, which places are named from.
        fetch: gets manifests at addresses.
        environ: where `tokenEnv` is looked up.
        token_envs: the names that `tokenEnv` may have; None for any but those of the runner.
    """

    def __init__(
        self,
        config: Config,
        *,
        cwd: Path,
        fetch: Fetch,
        environ: Mapping[str, str],
        token_envs: Collection[str] | None = None,
    ) -> None:
        self._fetch = fetch
        self._environ = environ
        self._token_envs = token_envs
        self._sources: dict[str, list[ManifestSource]] = {}
        for source in sources_of(config, cwd):
            self._sources.setdefault(source.collection, []).append(source)
        self._files: dict[tuple[str, tuple[str, ...] | None], ManifestFile] = {}

    def preload(self, collections: Iterable[str]) -> None:
        """Read the manifests of these collections now, other than those of single pages.

        Raises:
            ConfigError: one of them cannot be read.
        """
        for name in collections:
            for source in self._sources.get(name, ()):
                if not source.manifest.is_template:
                    self._file(source, "")

    def join(
        self,
        target: Target,
        value: dict[str, Json],
        locator: Locator,
        external_keys: ExternalKeys,
    ) -> Joined:
        """Join what the manifests of the artifact's collections say of it.

        Args:
            target: the artifact.
            value: its own metadata.
            locator: of its own metadata; asked only where something is found.
            external_keys: asked only where a manifest leaves its keys to the schemas' marks.

        Raises:
            ConfigError: a manifest cannot be read, carries a key that it does not own, or owns a
                key that another manifest of this artifact owns.
        """
        sources = self._of(target)
        if not sources:
            return Joined(value, locator)
        founds, entries = [], []
        for source in sources:
            found, entry = self._look_up(source, target, value)
            founds.append((source, found))
            entries.append(entry)
        _check_ownership(target, value, founds, external_keys)
        return _joined(value, locator, founds, tuple(entries))

    def unread(self, target: Target) -> tuple[ManifestEntry, ...]:
        """The entries of an artifact whose own metadata could not be read.

        Raises:
            ConfigError: a manifest of it cannot be read.
        """
        entries = []
        for source in self._of(target):
            if source.manifest.join == _PATH:
                entries.append(self._look_up(source, target, {})[1])
            else:
                entries.append(
                    ManifestEntry(
                        source.name(page_of(target.key)),
                        source.collection,
                        source.manifest.join,
                        target.key,
                        target.label,
                        value=None,
                        known=False,
                    )
                )
        return tuple(entries)

    def require_documents(self, entries: Iterable[ManifestEntry], covered: Iterable[str]) -> None:
        """Refuse entries about documents that a run over whole collections did not load.

        Args:
            entries: of every artifact of the run.
            covered: names of the collections that the run covers whole.

        Raises:
            ConfigError: for the first such entry; it says how many more there are.
        """
        names = frozenset(covered)
        everything = tuple(entry for entry in entries if entry.collection in names)
        orphans = strays(everything)
        described: set[str] = set()
        for source in self._whole(names):
            file = self._file(source, "")
            orphans += _unused(file, source.manifest.join, everything)
            described |= file.values.keys()
        if orphans:
            raise orphaned(orphans, everything, described)

    def _whole(self, covered: frozenset[str]) -> list[ManifestSource]:
        """One declaration of each manifest that no collection outside the run shares."""
        shared = {
            (source.name(), source.manifest.join)
            for name, sources in self._sources.items()
            if name not in covered
            for source in sources
        }
        whole: dict[tuple[str, str], ManifestSource] = {}
        for name, sources in self._sources.items():
            for source in sources:
                key = (source.name(), source.manifest.join)
                if name in covered and key not in shared and not source.manifest.is_template:
                    whole.setdefault(key, source)
        return list(whole.values())

    def _of(self, target: Target) -> list[ManifestSource]:
        """The manifests of the artifact; one that two of its collections share counts once."""
        found: dict[tuple[str, str, tuple[str, ...] | None], ManifestSource] = {}
        for name in target.collections:
            for source in self._sources.get(name, ()):
                manifest = source.manifest
                found.setdefault((manifest.file, manifest.join, manifest.keys), source)
        return list(found.values())

    def _look_up(
        self, source: ManifestSource, target: Target, value: Mapping[str, Json]
    ) -> tuple[Found, ManifestEntry]:
        file = self._file(source, page_of(target.key))
        join = source.manifest.join
        key = target.key if join == _PATH else _join_value(value.get(join))
        found = Found(file) if key is None else source.find(file, key)
        others = _others(source, file, key) if source.manifest.is_template else ()
        return found, ManifestEntry(
            file.name, source.collection, join, target.key, target.label, key, others=others
        )

    def _file(self, source: ManifestSource, page: str) -> ManifestFile:
        """The manifest, checked against the keys of this declaration."""
        if source.manifest.is_template:
            return source.read(page)
        key = (source.manifest.file, source.manifest.keys)
        if key not in self._files:
            fetched = source.manifest.is_url
            self._files[key] = self._fetched(source) if fetched else source.read()
        return self._files[key]

    def _fetched(self, source: ManifestSource) -> ManifestFile:
        name, variable = source.name(), source.manifest.token_env
        token = None if variable is None else self._token(source, variable)
        try:
            data = self._fetch(source.manifest.file, token)
        except SchemaError as error:
            reason = str(error).removeprefix(f"{error.where}: ")
            raise ConfigError(f"manifest {name}: {reason}", where=source.where) from None
        return source.parse(data, name, name)

    def _token(self, source: ManifestSource, variable: str) -> str:
        if variable.upper().startswith(_OF_THE_RUNNER):
            raise ConfigError(
                f"tokenEnv names {variable}, which belongs to the workflow's runner and is never "
                "sent; keep the token in a variable of another name",
                where=source.where,
            )
        if self._token_envs is not None and variable not in self._token_envs:
            raise ConfigError(
                f"tokenEnv names the environment variable {variable}, which this run may not send; "
                "--token-env, or the action's input token-envs, allows it",
                where=source.where,
            )
        token = self._environ.get(variable, "").strip()
        if not token:
            raise ConfigError(
                f"the environment variable {variable} that tokenEnv names is not set",
                where=source.where,
            )
        if not (token.isascii() and token.isprintable()) or " " in token:
            raise ConfigError(
                f"the environment variable {variable} that tokenEnv names holds no bearer token: "
                "it has characters that no header may carry",
                where=source.where,
            )
        return token


class _JoinedLocator:
    """Places each value where it came from."""

    def __init__(self, page: Locator, supplied: Mapping[str, Found]) -> None:
        self._page = page
        self._supplied = {f"/{escape_token(key)}": found for key, found in supplied.items()}

    def place(self, pointer: str) -> Place:
        found = self._found(pointer)
        place = found.file.place(found.pointer + pointer) if found else None
        return self._page.place(pointer) if place is None else place

    def identity(self, pointer: str) -> str:
        found = self._found(pointer)
        if found is None:
            return self._page.identity(pointer)
        return found.file.identity(found.pointer + pointer).removeprefix(found.pointer)

    def _found(self, pointer: str) -> Found | None:
        end = pointer.find("/", 1)
        return self._supplied.get(pointer if end < 0 else pointer[:end])


Founds = list[tuple[ManifestSource, Found]]


def _check_ownership(
    target: Target, value: Mapping[str, Json], founds: Founds, external_keys: ExternalKeys
) -> None:
    """Refuse a key that two manifests of one artifact own, and one that none may carry."""
    marked: tuple[str, ...] | None = None
    owners: dict[str, ManifestSource] = {}
    for source, found in founds:
        owned = source.manifest.keys
        if owned is None:
            if marked is None:
                marked = tuple(external_keys(_merged(value, founds)))
            owned = marked
            source.check_owned(found, owned)
        for key in owned:
            other = owners.setdefault(key, source)
            if other is not source:
                raise ConfigError(
                    f"manifests {other.name()} and {source.name()} both own {quoted(key)} for "
                    f"{target.key}; leave it to one of them",
                    where=source.where,
                )


def _merged(value: Mapping[str, Json], founds: Founds) -> dict[str, Json]:
    merged: dict[str, Json] = {}
    for _, found in founds:
        merged |= found.entry
    # The page's keys come first, and its values win.
    return {**value, **{key: inner for key, inner in merged.items() if key not in value}}


def _joined(
    value: dict[str, Json], locator: Locator, founds: Founds, entries: tuple[ManifestEntry, ...]
) -> Joined:
    supplied: dict[str, Found] = {}
    faults: list[Fault] = []
    for source, found in founds:
        for key in found.entry:
            if key not in value:
                supplied[key] = found
                continue
            message = (
                f'"{key}" is owned by manifest {found.file.name} '
                f"(collection {source.collection}); remove it from the document"
            )
            faults.append(external_fault(OWNED, f"/{escape_token(key)}", message, locator))
    if not supplied:
        return Joined(value, locator, faults=tuple(faults), entries=entries)
    return Joined(
        value=_merged(value, founds),
        locator=_JoinedLocator(locator, supplied),
        supplied={key: found.file.name for key, found in supplied.items()},
        faults=tuple(faults),
        entries=entries,
    )


def _join_value(value: Json) -> str | None:
    """A field's value, spelled as keys are; nothing is looked up by null or by a collection."""
    return None if value is None or isinstance(value, (dict, list)) else spell(value)


def _others(
    source: ManifestSource, file: ManifestFile, key: str | None
) -> tuple[tuple[str, str], ...]:
    """Entries of the manifest of one artifact that are about others, with their places."""
    if source.holds_one_page(file):
        return ()
    return tuple(
        (name, file.where(f"/{escape_token(name)}")) for name in file.values if name != key
    )


def _unused(
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
