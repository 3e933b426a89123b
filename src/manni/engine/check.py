"""One artifact to its result: read, joined, matched with its schemas, validated, checked."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from manni.documents.document import Document, Reading
from manni.documents.faults import DocumentFault
from manni.documents.files import read_file
from manni.documents.front_matter import parse_document
from manni.documents.load import Json, Metadata, load
from manni.engine.by_kind import Subject, kind_faults, lowered, with_cures, without_summaries
from manni.engine.settle import MARK, settle
from manni.engine.values import CheckResult, Late, RunContext
from manni.manifests.entries import Joined, ManifestEntry
from manni.model.findings import (
    Fault,
    FileResult,
    Locator,
    Severity,
    SourceExcerpt,
)
from manni.rules.checks.inventory import Names, names_of
from manni.schemas.selection import DOCUMENT_KEY, Selector, schema_finding
from manni.validation.clock import SECONDS
from manni.validation.compile import CompiledSchemas, SchemaCompiler

if TYPE_CHECKING:
    from manni.discovery.kinds import Kind
    from manni.discovery.target import Target
    from manni.documents.load import Metadata
    from manni.manifests.join import ManifestStore
    from manni.rules.checks.eval_entries import EvalContext

EVALS_NOTICE = (
    "an artifact declares metadata.evals, which no default checks; add "
    "-s manni:artifact-evals:1.0.0, or name it in manni.config.yaml beside the host's schema"
)

MAX_REMEMBERED = 16_000_000
"""How many characters of front matter are remembered, in case that other artifacts equal them."""

_KEPT_BESIDE = 500
"""What else is kept of an artifact, about as much as so many characters."""

_NO_SOURCE = SourceExcerpt()
_NO_DOCUMENT = Document()


class Checker:
    """Checks the artifacts of one run, each on its own.

    Args:
        selector: chooses their schemas.
        manifests: of the config; None when it has none.
        context: of the run.
    """

    def __init__(
        self, selector: Selector, manifests: ManifestStore | None, context: RunContext
    ) -> None:
        self._selector = selector
        self._manifests = manifests
        self._about = context
        self._compiler = SchemaCompiler()
        self._clean: dict[tuple[str | None, CompiledSchemas, bool, Names | None], CheckResult] = {}
        self._remembered: dict[object, CheckResult] = {}
        self._characters = 0

    def check(self, target: Target) -> CheckResult:
        """What is to be said of one artifact.

        Raises:
            OperationalError: a schema that the run or the config names, or a manifest, is wrong.
        """
        if target.finding is not None:
            found = CheckResult(faults=(Fault((target.finding,)),))
            return self._settled(target, _NO_DOCUMENT, None, found)
        try:
            data = self.read(target)
        except DocumentFault as fault:
            return self._unread(target, _NO_DOCUMENT, [Fault((fault.finding,))])
        return self.check_data(target, data)

    def check_data(self, target: Target, data: bytes) -> CheckResult:
        """Like `check`, of an artifact that holds these bytes."""
        try:
            document = parse_document(data)
        except DocumentFault as fault:
            return self._unread(target, _NO_DOCUMENT, [Fault((fault.finding,))])
        kind = self._selector.kind(target)
        checked = self._check_once(Subject(target, document, data, kind))
        if not self._about.quotes or not (checked.faults or checked.suppressed):
            return checked
        suppressed = (Fault((each.finding,)) for each in checked.suppressed)
        return replace(checked, source=self._source(data, document, (*checked.faults, *suppressed)))

    def with_late(
        self, target: Target, result: FileResult | None, found: Iterable[Late]
    ) -> FileResult:
        """A result with what only showed when all artifacts were seen.

        Args:
            target: the artifact.
            result: of judging it; None when this run leaves that to another slice.
            found: what to report, at least one.

        Raises:
            DocumentFault: it can no longer be read.
        """
        data = self.read(target)
        document = parse_document(data)
        locator = self._load(document, self._selector.kind(target))
        if result is None:
            result = self.result(target, CheckResult(_format(document)))
        policy = replace(self._about.policy, tells_unused=False)
        more = (each.fault(locator) for each in found)
        settled = settle(more, policy, target.key, document, locator)
        faults = result.faults + settled.faults
        return replace(
            result,
            faults=faults,
            source=self._source(data, document, faults),
            suppressed=result.suppressed + settled.suppressed,
            switched_off=result.switched_off + settled.switched_off,
        )

    def result(self, target: Target, checked: CheckResult) -> FileResult:
        """What a report holds about one artifact."""
        collections = (name for name in target.collections if name in self._about.collections)
        return FileResult(
            label=target.label,
            root_path=target.root_path,
            key=target.key,
            format=checked.format,
            collection=next(collections, None) if target.collections else None,
            schemas=checked.schemas,
            faults=checked.faults,
            source=checked.source,
            suppressed=checked.suppressed,
            switched_off=checked.switched_off,
        )

    def entries(self, target: Target) -> tuple[ManifestEntry, ...]:
        """The manifest entries of an artifact that this run does not check."""
        if self._manifests is None:
            return ()
        try:
            document = parse_document(self.read(target))
            own = self._load(document, self._selector.kind(target))
        except DocumentFault:
            return self._manifests.unread(target)
        return self._join(self._manifests, target, own.value, own).entries

    def names(self, target: Target) -> Names | None:
        """The names in an artifact that this run does not check."""
        kind = self._selector.kind(target)
        if kind is None or target.finding is not None:
            return None
        try:
            own = self._load(parse_document(self.read(target)), kind)
        except DocumentFault:
            return None
        value = own.value
        if self._manifests is not None:
            value = self._join(self._manifests, target, value, own).value
        choice = self._selector.choose(target, value, lambda: own)
        return names_of(kind, value) if choice.kind is not None else None

    def read(self, target: Target) -> bytes:
        """The bytes of an artifact.

        Raises:
            DocumentFault: it cannot be read.
        """
        if target.path is None:
            return self._about.stdin or b""
        return read_file(target.path)

    def _load(self, document: Document, kind: Kind | None) -> Metadata:
        """The metadata of a document, read as its kind is unless it names its own schemas.

        Raises:
            DocumentFault: it cannot be read.
        """
        own = _read_as(document, kind)
        if kind is not None and self._selector.is_chosen_by(own.value):
            return _read_as(document, None)
        return own

    def _check_once(self, subject: Subject) -> CheckResult:
        """Check a document, or remember what equal front matter, chosen for alike, came to."""
        if self._manifests is not None:
            # What manifests say depends on where the artifact is.
            return self._check_document(subject)
        target, head = subject.target, subject.document.head
        chosen = self._selector.cache_key(target)
        beside = subject.traits, self._about.policy.depends_on(target.key)
        key = (head, chosen, self._is_member(target), beside)
        known = self._remembered.get(key)
        if known is not None:
            return known
        checked = self._check_document(subject)
        if not checked.chose_schemas:
            # A least recently used cache costs 4 % of a run in which no two artifacts are equal.
            if self._characters > MAX_REMEMBERED:
                self._remembered.clear()
                self._characters = 0
            self._characters += len(head) + _KEPT_BESIDE
            self._remembered[key] = checked
        return checked

    def _check_document(self, subject: Subject) -> CheckResult:
        target, document = subject.target, subject.document
        faults = [Fault((finding,)) for finding in document.findings]
        if any(fault.representative.severity is Severity.ERROR for fault in faults):
            # Hosts see no metadata at all; what is missing from it would only repeat that.
            return self._unread(target, document, faults)
        try:
            own = self._load(document, subject.kind)
        except DocumentFault as fault:
            return self._unread(target, document, [Fault((fault.finding,))])
        if self._manifests is None:
            joined = Joined(own.value, own)
        else:
            joined = self._join(self._manifests, target, own.value, own)
        checked = self._check_joined(subject, own, faults, joined)
        checked = self._settled(target, document, own, checked)
        if not checked.faults or subject.kind is None:
            return checked
        return replace(checked, faults=with_cures(checked.faults))

    def _settled(
        self, target: Target, document: Document, metadata: Metadata | None, checked: CheckResult
    ) -> CheckResult:
        """What counts of a result; metadata is None where it is unreadable."""
        if not checked.faults and MARK not in document.block:
            return checked
        about = settle(checked.faults, self._about.policy, target.key, document, metadata)
        return replace(
            checked,
            faults=about.faults,
            suppressed=about.suppressed,
            switched_off=about.switched_off,
        )

    def _check_joined(
        self, subject: Subject, own: Metadata, found: list[Fault], joined: Joined
    ) -> CheckResult:
        """Hold metadata against its schemas and all checks, after what was found before."""
        value, locator = joined.value, joined.locator
        choice = self._selector.choose(subject.target, value, lambda: locator)
        subject = replace(subject, kind=choice.kind) if choice.kind is not subject.kind else subject
        compiled = self._compiler.compiled(choice.schemas)
        bare = _stripped(value)
        faults = found + [Fault((finding,)) for finding in choice.findings]
        faults += [Fault((schema_finding(text, locator),)) for text in compiled.broken]
        if subject.kind is None or subject.has_front_matter or value:
            whole = own.whole if isinstance(own.whole, list) else bare
            told = _schema_faults(compiled, whole, locator)
            faults += told if subject.kind is None else without_summaries(told)
        faults += joined.faults
        faults += self._check_location(subject.target, compiled, bare, joined.supplied, locator)
        faults += self._check_evals(compiled, bare, locator)
        faults += kind_faults(subject, own, joined)
        format_ = _format(subject.document)
        checked = CheckResult(
            format_,
            compiled.references,
            tuple(faults),
            notices=self._notices(choice.notice, value) + compiled.notices,
            entries=joined.entries,
            infos=compiled.infos,
            chose_schemas=choice.schemas.from_document or DOCUMENT_KEY in value,
            names=names_of(subject.kind, value) if subject.kind else None,
        )
        if faults or checked.notices or checked.entries:
            return checked
        # Most artifacts are alike in having nothing to say, and share one value.
        key = (format_, compiled, checked.chose_schemas, checked.names)
        return self._clean.setdefault(key, checked)

    def _join(
        self, manifests: ManifestStore, target: Target, value: dict[str, Json], locator: Locator
    ) -> Joined:
        from manni.rules.checks.location import EXTERNAL, merge_marks

        def external_keys(metadata: dict[str, Json]) -> Iterable[str]:
            chosen = self._selector.choose(target, metadata, lambda: locator).schemas
            marks = merge_marks(self._compiler.compiled(chosen).marks(_stripped(metadata)))
            return [key for key, mark in marks.items() if mark.location == EXTERNAL]

        return manifests.join(target, value, locator, external_keys)

    def _unread(self, target: Target, document: Document, faults: list[Fault]) -> CheckResult:
        entries = self._manifests.unread(target) if self._manifests else ()
        checked = CheckResult(_format(document), faults=tuple(faults), entries=entries)
        return self._settled(target, document, None, checked)

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
        from manni.rules.checks.eval_entries import EvalContext

        about = self._about
        return EvalContext(frozenset(about.graders), about.evals, about.suites)

    def _notices(self, notice: str | None, value: Mapping[str, Json]) -> tuple[str, ...]:
        notices = (notice,) if notice else ()
        metadata = value.get("metadata") if self._about.zero_config else None
        if isinstance(metadata, dict) and "evals" in metadata:
            return (*notices, EVALS_NOTICE)
        return notices

    def _source(self, data: bytes, document: Document, faults: Iterable[Fault]) -> SourceExcerpt:
        if not self._about.quotes:
            return _NO_SOURCE
        from manni.reports.fingerprints import line_hashes

        wanted = {
            finding.span.line
            for fault in faults
            for finding in fault.findings
            if finding.span is not None and finding.manifest is None
        }
        text = data.decode("utf-8", "replace")
        return SourceExcerpt(document.head, line_hashes(text, wanted | {1}))


def _read_as(document: Document, kind: Kind | None) -> Metadata:
    """The metadata of a document, read as the hosts of its kind read it."""
    if kind is None:
        return load(document)
    return load(document, Reading(kind.reading), lists=kind.may_be_list)


def _schema_faults(compiled: CompiledSchemas, value: Json, locator: Locator) -> list[Fault]:
    """What is wrong with metadata by each schema, in order."""
    deadline = time.monotonic() + SECONDS
    faults: list[Fault] = []
    for validator, severity in zip(compiled.validators, compiled.lowered, strict=True):
        faults += lowered(validator.faults(value, locator, deadline), severity, tuple(faults))
    return faults


def _format(document: Document) -> str | None:
    return document.format.value if document.format else None


def _stripped(metadata: dict[str, Json]) -> dict[str, Json]:
    """The metadata without the key that chooses its schemas."""
    if DOCUMENT_KEY not in metadata:
        return metadata
    return {key: value for key, value in metadata.items() if key != DOCUMENT_KEY}
