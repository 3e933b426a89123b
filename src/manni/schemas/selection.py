"""Which schemas an artifact is checked against.

The first of these that yields a set wins: the references given for the whole run, the artifact's
own `$schema`, the first override that matches, the kind that the config gives to a collection,
the config's `schemas`, and the artifact's kind by its path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from manni.base.errors import SchemaError
from manni.base.text import count, shorten, visible
from manni.discovery.kinds import BY_ID, Kind
from manni.model.findings import PARSE_SCHEMA, Finding, Locator
from manni.schemas.registry import register, strict_id
from manni.schemas.store import Schema, SchemaSet, SchemaStore

if TYPE_CHECKING:
    from manni.model.config import Config, Override, SchemaRef, SchemaTrust

DOCUMENT_KEY = "$schema"
"""The key of an artifact's metadata that chooses its schemas. It is no metadata itself, so it is
taken away before validation, whoever chose the schemas."""

MAX_DOCUMENT_REFERENCES = 20
"""How many schemas the `$schema` of one artifact may name."""

IGNORED_NOTICE = (
    "schemaTrust.documentRefs is none, so the $schema of an artifact does not choose its schemas"
)
"""Said once when the key was met and ignored."""


class Member(Protocol):
    """What the choice depends on, besides the metadata: see `manni.discovery.targets.Target`."""

    @property
    def path(self) -> str | None:
        """Of the artifact, absolute or relative to the working directory; None for stdin."""
        ...

    @property
    def key(self) -> str:
        """The path relative to the config's directory, `/` separated."""
        ...

    @property
    def collections(self) -> tuple[str, ...]:
        """The names of the collections it is a member of."""
        ...

    @property
    def kind(self) -> str | None:
        """The id of its kind, by its collection or else by its path."""
        ...


@dataclass(frozen=True, slots=True)
class Choice:
    """The schemas of one artifact.

    Attributes:
        schemas: the set; empty when `findings` say why there is none.
        findings: what is wrong with the choice, rule `manni/schema-error`.
        notice: a sentence for the run, to be shown once however often it comes.
        kind: the kind whose schemas they are; None where the user or the document chose.
    """

    schemas: SchemaSet
    findings: tuple[Finding, ...] = ()
    notice: str | None = None
    kind: Kind | None = None


CacheKey = int | str | None
"""The position of an override, `_CONFIGURED`, or the id of a kind.

None where none of these applies, or where the schemas of the run do.
"""

_CONFIGURED = -1
_NONE = SchemaSet()
_POINTER = "/$schema"


class Selector:
    """Chooses the schema sets of a run's artifacts.

    Args:
        references: those given for the whole run; empty when there are none. Files are relative
            to `cwd`.
        config: the one that governs the run, or None.
        cwd: the working directory, absolute.
        root: the repository's root, or None.
        offline: refuse to fetch anything, whatever the config says.
        allow_hosts: hosts that may be at any address; see `manni.schemas.addresses.Trust`.

    Raises:
        SchemaError: a reference of the run or the config is unknown or missing, a registered
            schema is wrong, or a schema for the whole run cannot be loaded.
    """

    def __init__(
        self,
        *,
        references: Sequence[str] = (),
        config: Config | None = None,
        cwd: Path,
        root: Path | None = None,
        offline: bool = False,
        allow_hosts: Sequence[str] = (),
    ) -> None:
        self._config = config
        self._cwd = cwd
        self._home = config.directory if config else cwd
        self._root = root or self._home
        self.store = SchemaStore(
            self._home,
            self._root,
            registered=_registered(config),
            offline=offline or (config is not None and config.offline),
            allow_hosts=allow_hosts,
        )
        self._strict = config is not None and config.strict
        kinds = config.action.collections if config else ()
        self._of_one_kind = frozenset(each.collection for each in kinds)
        self._overrides = [(item, _matcher(item)) for item in config.overrides] if config else []
        self._made: dict[int | str, SchemaSet] = {}
        self._documents: dict[tuple[Schema, ...], SchemaSet] = {}
        self._for_run = Choice(self._command_line(references)) if references else None
        self._check_config()

    def choose(
        self, target: Member, metadata: Mapping[str, Any], locate: Callable[[], Locator]
    ) -> Choice:
        """The schemas of one artifact.

        Args:
            target: the artifact.
            metadata: its metadata, external metadata joined, `$schema` still there.
            locate: gives the positions of the metadata; called only for findings.

        Raises:
            SchemaError: a schema that the config names cannot be loaded.
        """
        if self._for_run is not None:
            return self._for_run
        notice = None
        if DOCUMENT_KEY in metadata:
            trust = self._trust()
            if trust is not None:
                return self._by_document(target, metadata[DOCUMENT_KEY], trust, locate)
            notice = IGNORED_NOTICE
        key = self.cache_key(target)
        chosen = self._by_key(key)
        if chosen is not None:
            kind = BY_ID[key] if isinstance(key, str) else None
            return Choice(chosen, notice=notice, kind=kind)
        message = (
            "no schema applies to this artifact; name one with -s, with an override in "
            "manni.config.yaml, or with $schema in the front matter"
        )
        return Choice(_NONE, (schema_finding(message, locate(), pointer=""),), notice)

    def is_chosen_by(self, metadata: Mapping[str, Any]) -> bool:
        """Whether the `$schema` of an artifact counts, where nothing is given for the run."""
        return DOCUMENT_KEY in metadata and self._trust() is not None

    def _trust(self) -> SchemaTrust | None:
        """How far artifacts may choose their own schemas; None for not at all."""
        from manni.model.config import DocumentRefs, SchemaTrust

        trust = self._config.trust if self._config else SchemaTrust()
        return None if trust.document_refs is DocumentRefs.NONE else trust

    def _command_line(self, references: Sequence[str]) -> SchemaSet:
        loaded = [self.store.load(name, self._cwd, of_user=True) for name in references]
        return self._set(loaded, strict=self._strict)

    def _check_config(self) -> None:
        """A wrong reference ends the run even when no artifact of this run would need it."""
        config = self._config
        if config is None:
            return
        for refs in (config.schemas, *(override.schemas for override in config.overrides)):
            for ref in refs:
                with _at_line(config, ref.line):
                    self.store.check(ref.ref, self._home)

    def cache_key(self, target: Member) -> CacheKey:
        """What the choice depends on beside the metadata, the same for artifacts chosen for alike.

        Schemas that an artifact's own `$schema` names also depend on where it is.
        """
        if self._for_run is not None:
            return None
        if self._config is not None:
            for position, (_, matches) in enumerate(self._overrides):
                if matches(target):
                    return position
            if not self._of_one_kind.isdisjoint(target.collections):
                return target.kind
            if self._config.schemas:
                return _CONFIGURED
        return target.kind

    def kind(self, target: Member) -> Kind | None:
        """The kind that chooses the schemas, unless the artifact's own `$schema` does."""
        key = self.cache_key(target)
        return BY_ID[key] if isinstance(key, str) else None

    def _by_key(self, key: CacheKey) -> SchemaSet | None:
        if key is None:
            return None
        if key not in self._made:
            self._made[key] = self._loaded(key)
        return self._made[key]

    def _loaded(self, key: int | str) -> SchemaSet:
        if isinstance(key, str):
            kind = BY_ID[key]
            loaded = tuple(self.store.load(name, self._home) for name, _ in kind.schemas)
            return SchemaSet(loaded, severities=tuple(severity for _, severity in kind.schemas))
        config = self._config
        assert config is not None  # noqa: S101 - only a config gives positions
        refs, strict = config.schemas, config.strict
        if key != _CONFIGURED:
            override, _ = self._overrides[key]
            refs = override.schemas
            strict = strict if override.strict is None else override.strict
        return self._set([self._load(config, ref) for ref in refs], strict=strict)

    def _load(self, config: Config, ref: SchemaRef) -> Schema:
        with _at_line(config, ref.line):
            return self.store.load(ref.ref, self._home, integrity=ref.integrity, source=ref.source)

    def _by_document(
        self, target: Member, named: Any, trust: SchemaTrust, locate: Callable[[], Locator]
    ) -> Choice:
        references = [named] if isinstance(named, str) else named
        if not _are_references(references):
            message = (
                "$schema must be a reference to a schema, or a list of at most "
                f"{count(MAX_DOCUMENT_REFERENCES, 'reference')}"
            )
            return Choice(_NONE, (schema_finding(message, locate()),))
        base = (self._cwd / target.path).parent if target.path else self._cwd
        loaded: list[Schema] = []
        findings: list[Finding] = []
        for index, reference in enumerate(references):
            try:
                loaded.append(self.store.load_untrusted(reference, base, trust, confine=self._root))
            except SchemaError as error:
                pointer = _POINTER if isinstance(named, str) else f"{_POINTER}/{index}"
                findings.append(schema_finding(str(error), locate(), pointer=pointer))
        return Choice(self._shared(loaded), tuple(findings))

    def _shared(self, loaded: Sequence[Schema]) -> SchemaSet:
        key = tuple(loaded)
        if key not in self._documents:
            self._documents[key] = self._set(loaded, strict=self._strict, from_document=True)
        return self._documents[key]

    def _set(
        self, schemas: Iterable[Schema], *, strict: bool, from_document: bool = False
    ) -> SchemaSet:
        found: dict[str, Schema] = {}
        for schema in schemas:
            found.setdefault(schema.base_uri, schema)
            companion = strict_id(schema.identifier) if strict and schema.registered else ""
            if companion in self.store.registered:
                stricter = self.store.load(companion, self._home)
                found.setdefault(stricter.base_uri, stricter)
        return SchemaSet(tuple(found.values()), from_document)


def schema_finding(message: str, locator: Locator, *, pointer: str = _POINTER) -> Finding:
    """A finding about an artifact's choice of schemas, rule `manni/schema-error`.

    Args:
        message: what is wrong, and how to mend it.
        locator: the positions of the metadata.
        pointer: where it points; by default, at the artifact's `$schema`.
    """
    return Finding(
        schema=PARSE_SCHEMA,
        keyword="schema",
        message=shorten(visible(message), 1000),
        pointer=pointer,
        place=locator.place(pointer),
        identity=pointer,
    )


def _are_references(value: Any) -> bool:
    return (
        isinstance(value, list)
        and 0 < len(value) <= MAX_DOCUMENT_REFERENCES
        and all(isinstance(item, str) and item.strip() for item in value)
    )


def _registered(config: Config | None) -> dict[str, Path]:
    if config is None or not config.register:
        return {}
    with _at_line(config, config.register_line):
        return register(config.register, config.directory)


def _matcher(override: Override) -> Callable[[Member], bool]:
    if override.collection is not None:
        name = override.collection
        return lambda target: name in target.collections
    from manni.discovery.globs import Matcher

    matcher = Matcher(override.files)
    return lambda target: matcher.match(target.key)


@contextmanager
def _at_line(config: Config, line: int) -> Iterator[None]:
    """Adds the line of the config to an error about what it says."""
    try:
        yield
    except SchemaError as error:
        raise SchemaError(str(error), where=f"{config.label}:{line}") from None
