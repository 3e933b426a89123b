"""One artifact to its result: read, joined, matched with its schemas, validated, checked."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from manni.documents.document import Document
from manni.documents.faults import DocumentFault
from manni.documents.files import read_file
from manni.documents.front_matter import parse_document
from manni.documents.load import Json, Metadata, load
from manni.engine.settle import MARK, Policy, settle
from manni.manifests.entries import Duplicate, Joined, ManifestEntry
from manni.model.findings import (
    Fault,
    FileResult,
    Finding,
    Locator,
    SchemaInfo,
    Severity,
    SourceExcerpt,
    Suppressed,
    fast_pickle,
)
from manni.schemas.selection import DOCUMENT_KEY, Selector, schema_finding
from manni.validation.compiled import CompiledSchemas, SchemaCompiler
from manni.validation.limits import SECONDS

if TYPE_CHECKING:
    from manni.discovery.target import Target
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


@fast_pickle
@dataclass(frozen=True, slots=True)
class CheckResult:
    """What checking one artifact gave; artifacts about which all of this is equal may share one.

    Attributes:
        format: `yaml`, `toml` or `json`; None without front matter.
        schemas: the references of its schema set, in order.
        faults: of the artifact.
        source: what reports may quote; empty without faults.
        notices: sentences for the run, each to be shown once.
        entries: the manifest entries it was looked up in.
        infos: what reports say about its schemas.
        chose_schemas: whether its metadata chooses its schemas, which may depend on where it is.
        suppressed: the findings that its comments take out.
        switched_off: how many findings are of rules that do not count.
    """

    format: str | None = None
    schemas: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    source: SourceExcerpt = field(default_factory=SourceExcerpt)
    notices: tuple[str, ...] = ()
    entries: tuple[ManifestEntry, ...] = ()
    infos: tuple[SchemaInfo, ...] = ()
    chose_schemas: bool = False
    suppressed: tuple[Suppressed, ...] = ()
    switched_off: int = 0

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding that counts, in report order."""
        return tuple(finding for fault in self.faults for finding in fault.findings)


@dataclass(frozen=True, slots=True)
class RunContext:
    """What checking needs to know of the run.

    Attributes:
        no_config: whether the run was told to use no config.
        zero_config: whether it found none and nothing chose schemas for it.
        collections: names of the declared collections.
        graders: further grader names that are known.
        evals: names of the evals that the config defines; None when it has no such section.
        suites: names of the suites that it defines, likewise.
        quotes: whether results carry what reports quote, and code scanning's line hashes.
        stdin: the document on standard input, if that is a target.
        policy: what becomes of findings.
    """

    no_config: bool = False
    zero_config: bool = False
    collections: tuple[str, ...] = ()
    graders: tuple[str, ...] = ()
    evals: frozenset[str] | None = None
    suites: frozenset[str] | None = None
    quotes: bool = False
    stdin: bytes | None = None
    policy: Policy = field(default_factory=Policy)


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
        self._clean: dict[tuple[str | None, CompiledSchemas, bool], CheckResult] = {}
        self._remembered: dict[object, CheckResult] = {}
        self._characters = 0

    def check(self, target: Target) -> CheckResult:
        """What is to be said of one artifact.

        Raises:
            OperationalError: a schema that the run or the config names, or a manifest, is wrong.
        """
        if target.finding is not None:
            checked = CheckResult(faults=(Fault((target.finding,)),))
            return self._settled(target, _NO_DOCUMENT, None, checked)
        try:
            data = self.read(target)
        except DocumentFault as fault:
            return self._unread(target, _NO_DOCUMENT, None, [Fault((fault.finding,))])
        return self.check_data(target, data)

    def check_data(self, target: Target, data: bytes) -> CheckResult:
        """Like `check`, of an artifact that holds these bytes."""
        try:
            document = parse_document(data)
        except DocumentFault as fault:
            return self._unread(target, _NO_DOCUMENT, None, [Fault((fault.finding,))])
        checked = self._check_once(target, document)
        if not self._about.quotes or not (checked.faults or checked.suppressed):
            return checked
        suppressed = (Fault((each.finding,)) for each in checked.suppressed)
        return replace(checked, source=self._source(data, document, (*checked.faults, *suppressed)))

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
        data = self.read(target)
        document = parse_document(data)
        locator = load(document)
        if result is None:
            result = self.result(target, CheckResult(_format(document)))
        policy = replace(self._about.policy, tells_unused=False)
        more = (duplicate.fault(locator) for duplicate in found)
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
            own = load(document)
        except DocumentFault:
            return self._manifests.unread(target)
        return self._join(self._manifests, target, own.value, own).entries

    def read(self, target: Target) -> bytes:
        """The bytes of an artifact.

        Raises:
            DocumentFault: it cannot be read.
        """
        if target.path is None:
            return self._about.stdin or b""
        return read_file(target.path)

    def _check_once(self, target: Target, document: Document) -> CheckResult:
        """Check a document, or remember what equal front matter, chosen for alike, came to."""
        if self._manifests is not None:
            # What manifests say depends on where the artifact is.
            return self._check_document(target, document)
        beside = self._about.policy.depends_on(target.key)
        key = (document.head, self._selector.cache_key(target), self._is_member(target), beside)
        known = self._remembered.get(key)
        if known is not None:
            return known
        checked = self._check_document(target, document)
        if not checked.chose_schemas:
            # A least recently used cache costs 4 % of a run in which no two artifacts are equal.
            if self._characters > MAX_REMEMBERED:
                self._remembered.clear()
                self._characters = 0
            self._characters += len(document.head) + _KEPT_BESIDE
            self._remembered[key] = checked
        return checked

    def _check_document(self, target: Target, document: Document) -> CheckResult:
        format_ = _format(document)
        faults = [Fault((finding,)) for finding in document.findings]
        if any(fault.representative.severity is Severity.ERROR for fault in faults):
            # Hosts see no metadata at all; what is missing from it would only repeat that.
            return self._unread(target, document, format_, faults)
        try:
            own = load(document)
        except DocumentFault as fault:
            return self._unread(target, document, format_, [Fault((fault.finding,))])
        if self._manifests is None:
            joined = Joined(own.value, own)
        else:
            joined = self._join(self._manifests, target, own.value, own)
        checked = self._check_joined(target, format_, faults, joined)
        return self._settled(target, document, own, checked)

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
        self, target: Target, format_: str | None, found: list[Fault], joined: Joined
    ) -> CheckResult:
        """Hold metadata against its schemas and all checks, after what was found before."""
        value, locator = joined.value, joined.locator
        choice = self._selector.choose(target, value, lambda: locator)
        compiled = self._compiler.compiled(choice.schemas)
        bare = _stripped(value)
        faults = found + [Fault((finding,)) for finding in choice.findings]
        faults += [Fault((schema_finding(text, locator),)) for text in compiled.broken]
        deadline = time.monotonic() + SECONDS
        for validator in compiled.validators:
            faults += validator.faults(bare, locator, deadline)
        faults += joined.faults
        faults += self._check_location(target, compiled, bare, joined.supplied, locator)
        faults += self._check_evals(compiled, bare, locator)
        checked = CheckResult(
            format_,
            compiled.references,
            tuple(faults),
            notices=self._notices(choice.notice, value) + compiled.notices,
            entries=joined.entries,
            infos=compiled.infos,
            chose_schemas=choice.schemas.from_document or DOCUMENT_KEY in value,
        )
        if faults or checked.notices or checked.entries:
            return checked
        # Most artifacts are alike in having nothing to say, and share one value.
        return self._clean.setdefault((format_, compiled, checked.chose_schemas), checked)

    def _join(
        self, manifests: ManifestStore, target: Target, value: dict[str, Json], locator: Locator
    ) -> Joined:
        from manni.rules.checks.location import EXTERNAL, merge_marks

        def external_keys(metadata: dict[str, Json]) -> Iterable[str]:
            chosen = self._selector.choose(target, metadata, lambda: locator).schemas
            marks = merge_marks(self._compiler.compiled(chosen).marks(_stripped(metadata)))
            return [key for key, mark in marks.items() if mark.location == EXTERNAL]

        return manifests.join(target, value, locator, external_keys)

    def _unread(
        self, target: Target, document: Document, format_: str | None, faults: list[Fault]
    ) -> CheckResult:
        entries = self._manifests.unread(target) if self._manifests else ()
        checked = CheckResult(format_, faults=tuple(faults), entries=entries)
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


def _format(document: Document) -> str | None:
    return document.format.value if document.format else None


def _stripped(metadata: dict[str, Json]) -> dict[str, Json]:
    """The metadata without the key that chooses its schemas."""
    if DOCUMENT_KEY not in metadata:
        return metadata
    return {key: value for key, value in metadata.items() if key != DOCUMENT_KEY}
