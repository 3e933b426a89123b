"""Manifests: files that hold metadata for artifacts, beside them or at an address."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit, urlunsplit

from manni.base.errors import ConfigError
from manni.base.json_types import Json, escape_token
from manni.base.spelling import nearest
from manni.base.text import shorten
from manni.documents.document import Document, Format
from manni.documents.faults import DocumentFault
from manni.documents.files import read_file
from manni.documents.load import Metadata, load
from manni.manifests.entries import quoted
from manni.model.config import MANIFEST_PAGE, Config, Manifest
from manni.model.findings import Finding, Place

_DOCUMENTS = (".md", ".markdown", ".mdx", ".mdc")
_RESERVED = "$schema"

Entry = Mapping[str, Json]
"""What a manifest says of one artifact: top-level keys and their values."""


@dataclass(frozen=True)
class ManifestFile:
    """One manifest that was read.

    Attributes:
        name: the manifest as messages name it: relative to the config's directory, or an address
            without user information and query.
        label: the same relative to the working directory, as places name it.
        values: join value to entry; entries that no check has seen may be of any type.
    """

    name: str
    label: str
    values: Mapping[str, Json] = field(default_factory=dict)
    document: Document | None = None

    @cached_property
    def _metadata(self) -> Metadata | None:
        """Positions cost far more than values, and most manifests are never pointed at."""
        return None if self.document is None else load(self.document)

    def place(self, pointer: str) -> Place | None:
        """Where in the manifest the pointer leads; None when it holds nothing at all."""
        if self._metadata is None:
            return None
        return replace(self._metadata.place(pointer), manifest=self.label)

    def identity(self, pointer: str) -> str:
        """The pointer with list indices replaced by entry ids."""
        return pointer if self._metadata is None else self._metadata.identity(pointer)

    def where(self, pointer: str) -> str:
        """`manifest:line` for an error about the value at the pointer."""
        place = self.place(pointer)
        return self.label if place is None else f"{self.label}:{place.span.line}"


@dataclass(frozen=True, slots=True)
class Found:
    """An entry of a manifest for one artifact.

    Attributes:
        entry: empty when the manifest says nothing of the artifact.
        pointer: the JSON Pointer of the entry in the manifest.
    """

    file: ManifestFile
    entry: Entry = field(default_factory=dict)
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class ManifestSource:
    """A manifest as one collection of the config declares it."""

    manifest: Manifest
    collection: str
    config: Config
    cwd: Path

    @property
    def where(self) -> str:
        """`config:line` of the declaration."""
        return self.config.where(self.manifest.line)

    def name(self, page: str = MANIFEST_PAGE) -> str:
        """The manifest as messages name it, for the artifact at this path without extension."""
        if self.manifest.is_url:
            return public_address(self.manifest.file)
        return posixpath.normpath(self.manifest.file.replace(MANIFEST_PAGE, page))

    def find(self, file: ManifestFile, key: str) -> Found:
        """The entry of a join value, or nothing.

        The manifest of one page may hold the page's keys without its path above them.
        """
        values = file.values
        if key in values:
            entry = values[key]
            return Found(file, entry if isinstance(entry, Mapping) else {}, f"/{escape_token(key)}")
        if values and self.holds_one_page(file):
            return Found(file, values)
        return Found(file)

    def holds_one_page(self, file: ManifestFile) -> bool:
        """Whether the manifest's own keys are a page's, and no paths of documents."""
        return (
            self.manifest.is_template
            and self.manifest.join == "path"
            and not any(name.lower().endswith(_DOCUMENTS) for name in file.values)
        )

    def read(self, page: str = "") -> ManifestFile:
        """Read a manifest that is a file.

        Args:
            page: the artifact's path without its extension.

        Raises:
            ConfigError: it cannot be read, or has another shape than a manifest.
        """
        name = self.name(page)
        path = self.config.directory / name
        label = _relative(path, self.cwd)
        if self.manifest.is_template and not os.path.lexists(path):
            return ManifestFile(name, label)
        try:
            data = read_file(path)
        except DocumentFault as fault:
            raise ConfigError(f"manifest {name}: {fault}", where=self.where) from fault
        return self.parse(data, name, label)

    def parse(self, data: bytes, name: str, label: str) -> ManifestFile:
        """The manifest in these bytes.

        Raises:
            ConfigError: they are no manifest.
        """
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ConfigError("the manifest is not UTF-8; save it as UTF-8", where=label) from error
        document = Document(Format.YAML, text, first_line=1, head=text)
        try:
            values = _values(document)
        except DocumentFault as fault:
            raise _unreadable(fault.finding, label) from fault
        if not isinstance(values, dict):
            raise ConfigError(
                "a manifest is a mapping from documents to their metadata, and this is "
                f"{_kind(values)}",
                where=label,
            )
        file = ManifestFile(name, label, values, document)
        self._check(file)
        return file

    def _check(self, file: ManifestFile) -> None:
        """Refuse what can be no entry, whatever artifacts there are."""
        if self.holds_one_page(file):
            self._check_entry(file, "", file.values)
            return
        for key, entry in file.values.items():
            pointer = f"/{escape_token(key)}"
            if not isinstance(entry, Mapping):
                raise ConfigError(
                    f"the entry {quoted(key)} of the manifest must be a mapping of keys to values",
                    where=file.where(pointer),
                )
            self._check_entry(file, pointer, entry)

    def _check_entry(self, file: ManifestFile, pointer: str, entry: Entry) -> None:
        if _RESERVED in entry:
            raise ConfigError(
                "a manifest cannot carry $schema; write it in the document or in an override",
                where=file.where(f"{pointer}/{_RESERVED}"),
            )
        if self.manifest.keys is not None:
            self.check_owned(Found(file, entry, pointer), self.manifest.keys)

    def check_owned(self, found: Found, owned: tuple[str, ...]) -> None:
        """Refuse an entry with a key that its manifest does not own.

        Raises:
            ConfigError: for the first such key.
        """
        for key in found.entry:
            if key not in owned:
                raise ConfigError(
                    self._not_owned(key, owned),
                    where=found.file.where(f"{found.pointer}/{escape_token(key)}"),
                )

    def _not_owned(self, key: str, owned: tuple[str, ...]) -> str:
        near = nearest(key, owned)
        hint = f"; did you mean {quoted(near)}?" if near else ""
        if self.manifest.keys is None:
            return (
                f"the manifest does not own {quoted(key)}: no schema of the document marks it "
                f"external{hint or '; remove it, or list it under keys'}"
            )
        listed = shorten(", ".join(owned), 200)
        return (
            f"the manifest does not own {quoted(key)} (its keys: {listed})"
            f"{hint or '; remove it, or add it to keys'}"
        )


def page_of(path: str) -> str:
    """An artifact's path without its extension."""
    return str(PurePosixPath(path).with_suffix(""))


def public_address(url: str) -> str:
    """The address without user information, query and fragment, which may hold secrets."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def sources_of(config: Config, cwd: Path) -> Iterator[ManifestSource]:
    """Every manifest that the config declares, in order."""
    for collection in config.collections:
        for manifest in collection.manifests:
            yield ManifestSource(manifest, collection.name, config, cwd)


def _values(document: Document) -> Json:
    """What the manifest holds, whatever it is.

    Raises:
        DocumentFault: it is not YAML.
    """
    from yaml import YAMLError

    from manni.documents.yaml.reader import YamlFault, read

    try:
        value = read(document.block)
    except (YAMLError, YamlFault):
        return load(document).value  # what the quick way cannot read, this one explains
    return {} if value is None else value


def _kind(value: Json) -> str:
    return "a list" if isinstance(value, list) else "a single value"


def _relative(path: Path, cwd: Path) -> str:
    return os.path.relpath(path, cwd).replace(os.sep, "/")


def _unreadable(finding: Finding, label: str) -> ConfigError:
    span = finding.span
    where = label if span is None else f"{label}:{span.line}:{span.column}"
    return ConfigError(f"the manifest cannot be read: {finding.message}", where=where)
