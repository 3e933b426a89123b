"""From a reference to a schema: the only loader.

A reference is the id of a built-in or registered schema (`vendor:name:version`), an http or https
URL, or a file. The published URLs of the built-in schemas mean the copies that ship, so they need
no network.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manni.base.errors import SchemaError
from manni.base.text import visible
from manni.model.findings import SchemaInfo, Severity
from manni.schemas import builtin as builtins
from manni.schemas.loader import is_id, link, looks_like_schema, parse, read_file
from manni.schemas.naming import is_url, label_of, outside, path_of, real_path, short
from manni.schemas.references import References

if TYPE_CHECKING:
    from manni.model.config import SchemaTrust
    from manni.schemas.http import Fetcher


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """A schema that artifacts are checked against; two of them are equal only when the same.

    Attributes:
        reference: as the user wrote it; a file relative to the config's directory.
        identifier: its `vendor:name:version` id where it has one, else its `base_uri`.
        document: the schema; nobody may change it.
        base_uri: the absolute URI that its `$ref`s are resolved against; also its `$id`.
        info: what reports say about it.
        registered: whether the config registers it.
        references: what its `$ref`s may mean.
    """

    reference: str
    identifier: str
    document: dict[str, Any]
    base_uri: str
    info: SchemaInfo
    registered: bool = False
    references: References = field(kw_only=True, repr=False)

    def retrieve(self, uri: str) -> Any:
        """The document of another URI that it refers to; see `References.document`."""
        return self.references.document(uri)


@dataclass(frozen=True, slots=True, eq=False)
class SchemaSet:
    """The ordered schemas that one artifact is checked against.

    Artifacts with the same set share one value, so it can be a key for what is derived from it.

    Attributes:
        schemas: each once.
        from_document: whether artifacts chose it by their own `$schema`; a schema in it that turns
            out to be broken is then a finding, and not the end of the run.
        severities: what all findings of each schema are lowered to, None for not at all; empty
            where that holds for every one.
    """

    schemas: tuple[Schema, ...] = ()
    from_document: bool = False
    severities: tuple[Severity | None, ...] = ()


@dataclass(frozen=True, slots=True)
class _Source:
    """A schema's linked document, and where it came from."""

    uri: str
    document: dict[str, Any]
    identifier: str
    published: str | None = None
    registered: bool = False


class SchemaStore:
    """Loads schemas, each file and URL once.

    Args:
        home: the directory that reports name files relative to: the config's, else the working
            directory. Absolute.
        root: the directory that a `$ref` may not leave: the repository's root, else `home`.
        registered: the paths of registered schemas, by id.
        offline: refuse to fetch anything.
        allow_hosts: hosts that may be at any address; see `manni.schemas.addresses.Trust`.
    """

    def __init__(
        self,
        home: Path,
        root: Path | None = None,
        *,
        registered: Mapping[str, Path] | None = None,
        offline: bool = False,
        allow_hosts: Iterable[str] = (),
    ) -> None:
        self._home = home
        self._places = [Path(os.path.realpath(root or home))]
        self.registered: Mapping[str, Path] = dict(registered or {})
        self._ids = {os.path.realpath(path): name for name, path in self.registered.items()}
        self._offline = offline
        self._allow_hosts = allow_hosts
        self._files: dict[str, _Source] = {}
        self._bytes: dict[str, bytes] = {}
        self._urls: dict[tuple[str, bool, bool], _Source | SchemaError] = {}
        self._schemas: dict[tuple[str, str], Schema] = {}
        self._references = References(self._named, self._beside)

    def load(
        self,
        reference: str,
        base: Path,
        *,
        integrity: str | None = None,
        source: str | None = None,
        of_user: bool = False,
    ) -> Schema:
        """The schema that a reference of the config or the user means.

        Args:
            reference: an id, a URL or a file.
            base: the absolute directory that a file is relative to.
            integrity: `sha256-` and 64 hex digits over the bytes of a local file.
            source: where a file was copied from.
            of_user: whether whoever runs this tool wrote it, so that a URL may lead anywhere.

        Raises:
            SchemaError: it cannot be found, read or trusted, or it is no schema.
        """
        if integrity is not None:
            self._check_integrity(reference, base, integrity)
        return self._load(reference, base, source=source, of_user=of_user)

    def load_untrusted(
        self, reference: str, base: Path, trust: SchemaTrust, *, confine: Path
    ) -> Schema:
        """The schema that an artifact's own reference means.

        Args:
            reference: an id, a URL or a file.
            base: the absolute directory that a file is relative to.
            trust: whether URLs may be fetched, and from which hosts; published URLs always may be
                named.
            confine: the absolute directory that the file, its links followed, may not leave.

        Raises:
            SchemaError: as `load`; also when it is refused.
        """
        if is_url(reference):
            from manni.model.config import DocumentRefs

            published = builtins.find(reference.removesuffix("#")) is not None
            if not published and trust.document_refs is not DocumentRefs.ANY:
                raise SchemaError(
                    f"schemaTrust.documentRefs is {trust.document_refs}, so the $schema of an "
                    "artifact may name no URL but those of built-in schemas",
                    where=short(reference),
                )
            return self._load(reference, base, trust=trust)
        if not is_id(reference):
            path = real_path(path_of(reference, base), short(reference))
            if not Path(path).is_relative_to(os.path.realpath(confine)):
                raise outside(short(reference))
        return self._load(reference, base)

    def check(self, reference: str, base: Path) -> None:
        """Refuse a reference that cannot name a schema, without reading or fetching one.

        Raises:
            SchemaError: an unknown id, or a file that is missing.
        """
        if is_id(reference):
            if builtins.find(reference) is None and reference not in self.registered:
                raise builtins.unknown(reference, self.registered)
        elif not is_url(reference):
            path = path_of(reference, base)
            if not os.path.lexists(path):
                raise self._missing(reference)

    def _load(
        self,
        reference: str,
        base: Path,
        *,
        source: str | None = None,
        trust: SchemaTrust | None = None,
        of_user: bool = False,
    ) -> Schema:
        if is_url(reference):
            found = self._from_url(reference.removesuffix("#"), trust, of_user=of_user)
        else:
            found = self._find(reference, base)
        label = label_of(reference, base, self._home)
        key = (label, found.uri)
        if key not in self._schemas:
            self._schemas[key] = self._schema(label, found, source)
        return self._schemas[key]

    def _schema(self, label: str, found: _Source, source: str | None) -> Schema:
        title = found.document.get("title")
        version = found.identifier.rpartition(":")[2] if is_id(found.identifier) else ""
        info = SchemaInfo(
            reference=label,
            version=visible(version),
            title=visible(title) if isinstance(title, str) else "",
            uri=found.published or (source if source and is_url(source) else None),
        )
        return Schema(
            reference=label,
            identifier=found.identifier,
            document=found.document,
            base_uri=found.uri,
            info=info,
            registered=found.registered,
            references=self._references,
        )

    def _find(self, reference: str, base: Path) -> _Source:
        if not reference.strip():
            raise SchemaError("a schema reference is empty; name an id, a file or a URL")
        if is_id(reference):
            return self._from_id(reference)
        return self._from_file(
            path_of(reference, base), label_of(reference, base, self._home), reference
        )

    def _from_id(self, identifier: str) -> _Source:
        entry = builtins.find(identifier)
        if entry is not None:
            return _Source(entry.id, builtins.document(entry), entry.id, published=entry.url)
        path = self.registered.get(identifier)
        if path is None:
            raise builtins.unknown(identifier, self.registered)
        return self._from_file(path, visible(os.path.relpath(path, self._home)), None)

    def _from_file(self, path: Path, label: str, reference: str | None) -> _Source:
        real = real_path(path, label)
        if real not in self._files:
            if reference is not None and not os.path.lexists(real):
                raise self._missing(reference)
            document = parse(self._read(real, label), label)
            self._allow_beside(Path(real).parent)
            self._files[real] = self._file_source(real, document, label)
        return self._files[real]

    def _file_source(self, real: str, document: dict[str, Any], label: str) -> _Source:
        own = document.get("$id")
        registered = self._ids.get(real)
        identifier = registered or (own if isinstance(own, str) and is_id(own) else None)
        uri = Path(real).as_uri()
        linked = link(document, uri, label)
        return _Source(uri, linked, identifier or uri, registered=registered is not None)

    def _allow_beside(self, directory: Path) -> None:
        """A schema from outside of the repository may refer to the files beside it."""
        if not any(directory.is_relative_to(place) for place in self._places):
            self._places.append(directory)

    def _read(self, real: str, label: str) -> bytes:
        if real not in self._bytes:
            self._bytes[real] = read_file(Path(real), label)
        return self._bytes[real]

    def _check_integrity(self, reference: str, base: Path, integrity: str) -> None:
        import hashlib

        if is_id(reference) and reference in self.registered:
            path = self.registered[reference]
        elif is_id(reference) or is_url(reference):
            raise SchemaError(
                "an integrity is over the bytes of a local file, and this is none; leave it out",
                where=short(reference),
            )
        else:
            path = path_of(reference, base)
        label = label_of(reference, base, self._home)
        data = self._read(real_path(path, label), label)
        actual = f"sha256-{hashlib.sha256(data).hexdigest()}"
        if actual != integrity.lower():
            raise SchemaError(
                f"the schema's hash is {actual}, but its integrity says {short(integrity)}; "
                "restore the file, or review it and update the integrity",
                where=label,
            )

    def _from_url(self, url: str, trust: SchemaTrust | None, *, of_user: bool) -> _Source:
        entry = builtins.find(url)
        if entry is not None:
            return self._from_id(entry.id)
        if self._offline:
            raise SchemaError("the run is offline, so this is not fetched", where=short(url))
        key = (url, trust is not None, of_user)
        if key not in self._urls:
            try:
                self._urls[key] = self._fetched(url, trust, of_user=of_user)
            except SchemaError as error:
                self._urls[key] = error
        found = self._urls[key]
        if isinstance(found, SchemaError):
            raise found
        return found

    def _fetched(self, url: str, trust: SchemaTrust | None, *, of_user: bool) -> _Source:
        label = short(url)
        if trust is None:
            data = self._fetcher.fetch(url, anywhere=of_user)
        else:
            data = self._fetcher.fetch_for_artifact(url, trust.hosts)
        document = parse(data, label)
        if not looks_like_schema(document):
            raise SchemaError(
                "the answer holds no JSON Schema keyword, so it is no schema", where=label
            )
        own = document.get("$id")
        identifier = own if isinstance(own, str) and is_id(own) else url
        return _Source(url, link(document, url, label), identifier, published=url)

    @cached_property
    def _fetcher(self) -> Fetcher:
        from manni.schemas.http import Fetcher

        return Fetcher(self._allow_hosts)

    def _missing(self, reference: str) -> SchemaError:
        near = builtins.nearest_id(reference, self.registered)
        hint = f"; did you mean the id '{visible(near)}'?" if near else ""
        return SchemaError(f"there is no such schema file{hint}", where=short(reference))

    def _named(self, name: str) -> tuple[dict[str, Any], str] | None:
        """The document of a built-in or registered schema, and what messages call it."""
        entry = builtins.find(name)
        if entry is None and name not in self.registered:
            return None
        return self._from_id(entry.id if entry else name).document, short(name)

    def _beside(self, path: Path) -> tuple[dict[str, Any], str]:
        """The document of a file that a `$ref` names, and what messages call it."""
        label = visible(os.path.relpath(path, self._home))
        real = Path(real_path(path, label))
        if not any(real.is_relative_to(place) for place in self._places):
            raise outside(label)
        return self._from_file(path, label, None).document, label
