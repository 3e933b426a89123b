"""What `manni.config.yaml` says, as typed values that remember the line of each entry.

Lines are 1-based. Paths and patterns are kept as they were written; every relative one is
relative to the directory of the config file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from manni.base.text import visible
from manni.model.findings import Severity

MANIFEST_PAGE = "{page}"
"""What stands for the artifact's path without its extension in the `file` of a manifest."""


class DocumentRefs(StrEnum):
    """Which references an artifact's own `$schema` may hold."""

    ANY = "any"
    LOCAL = "local"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class SchemaRef:
    """One entry of a list of schemas.

    Attributes:
        ref: the reference: an id, a file or a URL.
        line: of the entry in the config; 0 when it comes from elsewhere.
        source: where the file was copied from; recorded by users, not acted on.
        integrity: `sha256-` and 64 hex digits over the bytes of a local file.
    """

    ref: str
    line: int = 0
    source: str | None = None
    integrity: str | None = None


@dataclass(frozen=True, slots=True)
class Override:
    """The schema set of the files that its patterns match, or of one collection's members.

    Attributes:
        schemas: the set, in order; never empty.
        line: of the entry in the config.
        files: patterns; empty when `collection` is set.
        collection: the declared spelling of a collection's name, or None.
        strict: None when the config's top-level setting holds.
    """

    schemas: tuple[SchemaRef, ...]
    line: int
    files: tuple[str, ...] = ()
    collection: str | None = None
    strict: bool | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """One source of external metadata for the artifacts of a collection.

    Attributes:
        file: a path, a URL, or a path with one `{page}`.
        line: of the entry in the config.
        keys: the top-level keys that it owns; None when the schemas' marks decide.
        join: `path`, or the top-level field whose value the manifest is keyed by.
        token_env: the environment variable that holds a bearer token; only with URLs.
    """

    file: str
    line: int
    keys: tuple[str, ...] | None = None
    join: str = "path"
    token_env: str | None = None

    @property
    def is_url(self) -> bool:
        """Whether it is fetched over the network."""
        return self.file.lower().startswith(("https://", "http://"))

    @property
    def is_template(self) -> bool:
        """Whether there is one manifest for each artifact."""
        return MANIFEST_PAGE in self.file


@dataclass(frozen=True, slots=True)
class Collection:
    """A named set of artifacts.

    Attributes:
        name: as declared.
        paths: patterns, at least one.
        line: of the entry in the config; 0 for a built-in collection.
        exclude: patterns that take members away.
        manifests: its external metadata.
    """

    name: str
    paths: tuple[str, ...]
    line: int = 0
    exclude: tuple[str, ...] = ()
    manifests: tuple[Manifest, ...] = ()


@dataclass(frozen=True, slots=True)
class SchemaTrust:
    """What an artifact's own `$schema` may refer to.

    Attributes:
        document_refs: the mode.
        hosts: the only hosts that URLs may have, lower case; None when any may.
    """

    document_refs: DocumentRefs = DocumentRefs.ANY
    hosts: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CollectionKind:
    """A collection whose files are all of one built-in kind.

    Attributes:
        collection: the declared spelling of its name.
        kind: the id of the kind.
        line: of the entry in the config.
    """

    collection: str
    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class Action:
    """The section `action`: what this tool alone knows.

    A selector is a rule id, a schema id, or a glob of them.

    Attributes:
        kinds: the ids of the kinds that a run without collections covers; None for all.
        collections: those that are of one kind.
        select: the selectors of the only rules that count; None for all.
        ignore: the selectors of rules that do not count.
        severity: the severity that a selector's findings get; None switches them off.
        per_file_ignores: the selectors that do not count in the files that a glob matches.
        graders: further grader names that are known.
        fail_on: the least severity that fails the run, or `never`; None when it is not set.
    """

    kinds: tuple[str, ...] | None = None
    collections: tuple[CollectionKind, ...] = ()
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity | None] = field(default_factory=dict)
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    graders: tuple[str, ...] = ()
    fail_on: str | None = None


@dataclass(frozen=True, slots=True)
class DocEvals:
    """The names that the sibling section `docevals` defines; its other contents are not read."""

    evals: frozenset[str] = frozenset()
    suites: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Config:
    """A whole config file.

    Attributes:
        path: of the file, absolute.
        label: the file as messages name it.
        collections: in order; empty when none are declared.
        schemas: the set of files that no override matches; may be empty.
        overrides: in order; the first match wins.
        strict: whether strict companions of registered schemas are added.
        register: files and directories of schemas to register.
        register_line: of that key, 0 when it is absent.
        baseline: the baseline file, or None.
        action: the section of this tool alone.
        docevals: None when the section is absent.
        notices: sentences about keys that this run does not act on.
    """

    path: Path
    label: str
    collections: tuple[Collection, ...] = ()
    schemas: tuple[SchemaRef, ...] = ()
    overrides: tuple[Override, ...] = ()
    strict: bool = False
    register: tuple[str, ...] = ()
    register_line: int = 0
    baseline: str | None = None
    trust: SchemaTrust = field(default_factory=SchemaTrust)
    respect_gitignore: bool = True
    allow_empty: bool = False
    offline: bool = False
    action: Action = field(default_factory=Action)
    docevals: DocEvals | None = None
    notices: tuple[str, ...] = ()

    @property
    def directory(self) -> Path:
        """The directory that relative paths and patterns start from."""
        return self.path.parent

    @property
    def using(self) -> str:
        """The line that says which config governs the run."""
        return f"Using {visible(self.path.name)} ({visible(str(self.directory))})"

    def where(self, line: int) -> str:
        """`file:line` for an error about an entry of this config."""
        return f"{self.label}:{line}" if line else self.label
