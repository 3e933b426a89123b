"""One artifact to one outcome: read, joined, matched with its schemas, validated, checked."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from manni.documents.front_matter import Document, DocumentFault, parse_document, read_file
from manni.documents.load import Json, load
from manni.engine.recent import Recent
from manni.model.findings import Fault, FileResult, Locator, SchemaInfo, Sent, Severity, Source
from manni.schemas.selection import DOCUMENT_KEY, Selector, schema_finding
from manni.validation.compiled import CompiledSchemas, SchemaCompiler
from manni.validation.limits import SECONDS

if TYPE_CHECKING:
    from manni.discovery.target import Target
    from manni.manifests.entries import Duplicate, Use
    from manni.manifests.join import Joined, ManifestStore
    from manni.rules.checks.evals import EvalContext

EVALS_NOTICE = (
    "an artifact declares metadata.evals, which no default checks; add "
    "-s manni:artifact-evals:1.0.0, or name it in manni.config.yaml beside the host's schema"
)

MAX_REMEMBERED = 16_000_000
"""How many characters of front matter are remembered, in case that other artifacts equal them."""

_KEPT_BESIDE = 500
"""What else is kept of an artifact, about as much as so many characters."""

_NO_SOURCE = Source()


@dataclass(frozen=True, slots=True)
class Outcome(Sent):
    """What judging one artifact gave; artifacts about which all of this is equal may share one.

    Attributes:
        format: `yaml`, `toml` or `json`; None without front matter.
        schemas: the references of its schema set, in order.
        faults: of the artifact.
        source: what reports may quote; empty without faults.
        notices: sentences for the run, each to be shown once.
        uses: the manifest entries it was looked up in.
        infos: the schemas met for the first time.
    """

    format: str | None = None
    schemas: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    source: Source = field(default_factory=Source)
    notices: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()
    infos: tuple[SchemaInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What judging needs to know of the run.

    Attributes:
        no_config: whether the run was told to use no config.
        zero_config: whether it found none and nothing chose schemas for it.
        collections: names of the declared collections.
        graders: further grader names that are known.
        evals: names of the evals that the config defines; None when it has no such section.
        suites: names of the suites that it defines, likewise.
        quotes: whether results carry what reports quote, and code scanning's line hashes.
        stdin: the document on standard input, if that is a target.
    """

    no_config: bool = False
    zero_config: bool = False
    collections: tuple[str, ...] = ()
    graders: tuple[str, ...] = ()
    evals: frozenset[str] | None = None
    suites: frozenset[str] | None = None
    quotes: bool = False
    stdin: bytes | None = None


@dataclass(frozen=True, slots=True)
class _Weighed:
    """What the metadata of an artifact decides, wherever the artifact is."""

    faults: tuple[Fault, ...]
    compiled: CompiledSchemas | None = None
    notices: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()
    chose_itself: bool = False


class Judge:
    """Judges the artifacts of one run, each on its own.

    Args:
        selector: chooses their schemas.
        manifests: of the config; None when it has none.
        circumstances: of the run.
    """

    def __init__(
        self, selector: Selector, manifests: ManifestStore | None, circumstances: Circumstances
    ) -> None:
        self._selector = selector
        self._manifests = manifests
        self._about = circumstances
        self._compiler = SchemaCompiler()
        self._met: set[CompiledSchemas] = set()
        self._clean: dict[tuple[str | None, tuple[str, ...]], Outcome] = {}
        self._remembered: Recent[_Weighed] = Recent(MAX_REMEMBERED)

    def judge(self, target: Target) -> Outcome:
        """What is to be said of one artifact.

        Raises:
            OperationalError: a schema that the run or the config names, or a manifest, is wrong.
        """
        if target.finding is not None:
            return Outcome(faults=(Fault((target.finding,)),))
        data, document = b"", None
        try:
            data = self._read(target)
            document = parse_document(data)
            weighed = self._weigh_once(target, document)
        except DocumentFault as fault:
            weighed = _Weighed((Fault((fault.finding,)),), uses=self._unread(target))
        return self._outcome(weighed, data, document)

    def with_duplicates(
        self, target: Target, result: FileResult | None, found: Iterable[Duplicate]
    ) -> FileResult:
        """A result with what is to be said of the artifact's join values.

        Args:
            target: the artifact.
            result: of judging it; None when this run leaves that to another slice.
            found: what to report, at least one.

        Raises:
            DocumentFault: it can no longer be read.
        """
        data = self._read(target)
        document = parse_document(data)
        locator = load(document)
        faults = tuple(duplicate.fault(locator) for duplicate in found)
        if result is None:
            format_ = document.format.value if document.format else None
            result = self.result(target, Outcome(format_))
        faults = result.faults + faults
        return replace(result, faults=faults, source=self._source(data, document, faults))

    def result(self, target: Target, outcome: Outcome) -> FileResult:
        """What a report holds about one artifact."""
        collections = (name for name in target.collections if name in self._about.collections)
        return FileResult(
            label=target.label,
            root_path=target.root_path,
            key=target.key,
            format=outcome.format,
            collection=next(collections, None) if target.collections else None,
            schemas=outcome.schemas,
            faults=outcome.faults,
            source=outcome.source,
        )

    @property
    def has_manifests(self) -> bool:
        """Whether something shows only when all artifacts are seen."""
        return self._manifests is not None

    def uses(self, target: Target) -> tuple[Use, ...]:
        """The manifest entries of an artifact that this run does not judge."""
        if self._manifests is None:
            return ()
        try:
            document = parse_document(self._read(target))
            own = load(document)
        except DocumentFault:
            return self._unread(target)
        return self._join(self._manifests, target, own.value, own).uses

    def require_documents(self, uses: Iterable[Use], covered: Iterable[str]) -> None:
        """See `ManifestStore.require_documents`."""
        if self._manifests is not None:
            self._manifests.require_documents(uses, covered)

    def _read(self, target: Target) -> bytes:
        if target.path is None:
            return self._about.stdin or b""
        return read_file(target.path)

    def _weigh_once(self, target: Target, document: Document) -> _Weighed:
        """Weigh a document, or remember what equal front matter, chosen for alike, came to."""
        if self._manifests is not None:
            # What manifests say depends on where the artifact is.
            return self._weigh(target, document)
        key = (document.head, self._selector.ground(target), self._is_member(target))
        known = self._remembered.get(key)
        if known is None:
            known = self._weigh(target, document)
            if not known.chose_itself:
                self._remembered.keep(key, known, size=len(document.head) + _KEPT_BESIDE)
        return known

    def _weigh(self, target: Target, document: Document) -> _Weighed:
        faults = [Fault((finding,)) for finding in document.findings]
        if any(fault.representative.severity is Severity.ERROR for fault in faults):
            # Hosts see no metadata at all; what is missing from it would only repeat that.
            return _Weighed(tuple(faults), uses=self._unread(target))
        try:
            own = load(document)
        except DocumentFault as fault:
            return _Weighed((Fault((fault.finding,)),), uses=self._unread(target))
        if self._manifests is None:
            return self._check(target, faults, own.value, own)
        joined = self._join(self._manifests, target, own.value, own)
        return self._check(target, faults, joined.value, joined.locator, joined)

    def _check(
        self,
        target: Target,
        found: list[Fault],
        value: dict[str, Json],
        locator: Locator,
        joined: Joined | None = None,
    ) -> _Weighed:
        """Hold metadata against its schemas and all checks, after what was found before."""
        choice = self._selector.choose(target, value, lambda: locator)
        compiled = self._compiler.compiled(choice.schemas)
        judged = _stripped(value)
        faults = found + [Fault((finding,)) for finding in choice.findings]
        faults += [Fault((schema_finding(text, locator),)) for text in compiled.broken]
        deadline = time.monotonic() + SECONDS
        for validator in compiled.validators:
            faults += validator.faults(judged, locator, deadline)
        if joined is not None:
            faults += joined.faults
        supplied = joined.supplied if joined else {}
        faults += self._check_location(target, compiled, judged, supplied, locator)
        faults += self._check_evals(compiled, judged, locator)
        return _Weighed(
            tuple(faults),
            compiled,
            self._notices(choice.notice, value) + compiled.notices,
            joined.uses if joined else (),
            chose_itself=choice.schemas.from_document or DOCUMENT_KEY in value,
        )

    def _join(
        self, manifests: ManifestStore, target: Target, value: dict[str, Json], locator: Locator
    ) -> Joined:
        from manni.rules.checks.location import EXTERNAL, merge_marks

        def external_keys(metadata: dict[str, Json]) -> Iterable[str]:
            chosen = self._selector.choose(target, metadata, lambda: locator).schemas
            marks = merge_marks(self._compiler.compiled(chosen).marks(_stripped(metadata)))
            return [key for key, mark in marks.items() if mark.location == EXTERNAL]

        return manifests.join(target, value, locator, external_keys)

    def _unread(self, target: Target) -> tuple[Use, ...]:
        return self._manifests.unread(target) if self._manifests else ()

    def _check_location(
        self,
        target: Target,
        compiled: CompiledSchemas,
        value: dict[str, Json],
        supplied: Mapping[str, str],
        locator: Locator,
    ) -> tuple[Fault, ...]:
        marks = compiled.marks(value) if compiled.marking else []
        if not marks:
            return ()
        from manni.rules.checks.location import Setting, check_location, merge_marks

        setting = Setting(
            no_config=self._about.no_config,
            collections=len(self._about.collections),
            member=self._is_member(target),
        )
        return check_location(merge_marks(marks), value, supplied, locator, setting)

    def _is_member(self, target: Target) -> bool:
        declared = self._about.collections
        return bool(declared) and any(name in declared for name in target.collections)

    def _check_evals(
        self, compiled: CompiledSchemas, value: dict[str, Json], locator: Locator
    ) -> tuple[Fault, ...]:
        if not compiled.vocabularies:
            return ()
        from manni.rules.checks.evals import check_evals

        return check_evals(value, locator, compiled.vocabularies, self._evals)

    @cached_property
    def _evals(self) -> EvalContext:
        from manni.rules.checks.evals import EvalContext

        about = self._about
        return EvalContext(frozenset(about.graders), about.evals, about.suites)

    def _notices(self, notice: str | None, value: Mapping[str, Json]) -> tuple[str, ...]:
        notices = (notice,) if notice else ()
        metadata = value.get("metadata") if self._about.zero_config else None
        if isinstance(metadata, dict) and "evals" in metadata:
            return (*notices, EVALS_NOTICE)
        return notices

    def _outcome(self, weighed: _Weighed, data: bytes, document: Document | None) -> Outcome:
        compiled = weighed.compiled
        format_ = document.format.value if document and document.format else None
        references = compiled.references if compiled else ()
        infos: tuple[SchemaInfo, ...] = ()
        if compiled is not None and compiled not in self._met:
            self._met.add(compiled)
            infos = compiled.infos
        faults = weighed.faults
        if not (faults or weighed.notices or weighed.uses or infos):
            # Most artifacts are alike in having nothing to say, and share one value.
            clean = self._clean.get((format_, references))
            if clean is None:
                clean = self._clean[format_, references] = Outcome(format_, references)
            return clean
        source = self._source(data, document, faults) if faults else _NO_SOURCE
        return Outcome(format_, references, faults, source, weighed.notices, weighed.uses, infos)

    def _source(self, data: bytes, document: Document | None, faults: Iterable[Fault]) -> Source:
        if document is None or not self._about.quotes:
            return _NO_SOURCE
        from manni.reports.fingerprints import line_hashes

        wanted = {
            finding.span.line
            for fault in faults
            for finding in fault.findings
            if finding.span is not None and finding.manifest is None
        }
        return Source(document.head, line_hashes(data.decode("utf-8", "replace"), wanted | {1}))


def _stripped(metadata: dict[str, Json]) -> dict[str, Json]:
    """The metadata without the key that chooses its schemas."""
    if DOCUMENT_KEY not in metadata:
        return metadata
    return {key: value for key, value in metadata.items() if key != DOCUMENT_KEY}
