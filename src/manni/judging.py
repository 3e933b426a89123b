"""One artifact to one verdict: read, joined, matched with its schemas, validated, checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from manni.checks.evals import EvalContext, check_evals
from manni.checks.location import EXTERNAL, Mark, Setting, check_location, merge_marks
from manni.documents import Document, DocumentFault, parse_document, read_file
from manni.errors import SchemaError
from manni.external import Joined, ManifestStore
from manni.external_uses import Duplicate, Use
from manni.findings import (
    Fault,
    FileResult,
    Finding,
    Locator,
    Place,
    SchemaInfo,
    Severity,
    Source,
)
from manni.metadata import Json, load, load_values
from manni.selection import DOCUMENT_KEY, Selector, schema_finding
from manni.targets import Target

if TYPE_CHECKING:
    from manni.schemas import Schema, SchemaSet
    from manni.validation import Validator

EVALS_NOTICE = (
    "an artifact declares metadata.evals, which no default checks; add "
    "-s manni:artifact-evals:1.0.0, or name it in manni.config.yaml beside the host's schema"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What judging one artifact gave.

    Attributes:
        result: for the report.
        notices: sentences for the run, each to be shown once.
        uses: the manifest entries it was looked up in.
        schemas: those met for the first time.
    """

    result: FileResult
    notices: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()
    schemas: tuple[SchemaInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What judging needs to know of the run.

    Attributes:
        no_config: whether the run was told to use no config.
        zero_config: whether it found none and nothing chose schemas for it.
        collections: names of the declared collections.
        evals: what the checks of eval vocabularies know.
        line_hashes: whether results carry code scanning's line hashes.
        stdin: the document on standard input, if that is a target.
    """

    no_config: bool = False
    zero_config: bool = False
    collections: tuple[str, ...] = ()
    evals: EvalContext = field(default_factory=EvalContext)
    line_hashes: bool = False
    stdin: bytes | None = None


@dataclass(slots=True)
class _Case:
    """What is known of the artifact that is being judged."""

    target: Target
    data: bytes = b""
    document: Document | None = None
    references: tuple[str, ...] = ()
    notices: list[str] = field(default_factory=list)
    uses: tuple[Use, ...] = ()
    schemas: tuple[SchemaInfo, ...] = ()


class LazyLocator:
    """The positions of a document's metadata, read when the first one is asked for.

    Artifacts without a finding never pay for positions.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._metadata: Locator | None = None

    def place(self, pointer: str) -> Place:
        """See `Locator`."""
        return self._loaded().place(pointer)

    def identity(self, pointer: str) -> str:
        """See `Locator`."""
        return self._loaded().identity(pointer)

    def _loaded(self) -> Locator:
        if self._metadata is None:
            self._metadata = load(self._document)
        return self._metadata


class Judge:
    """Judges the artifacts of one run, each on its own.

    Args:
        selector: chooses their schemas.
        manifests: of the config; None without a config.
        circumstances: of the run.
    """

    def __init__(
        self, selector: Selector, manifests: ManifestStore | None, circumstances: Circumstances
    ) -> None:
        self._selector = selector
        self._manifests = manifests
        self._about = circumstances
        self._validators: dict[Schema, Validator] = {}
        self._met: set[SchemaSet] = set()

    def judge(self, target: Target) -> Verdict:
        """The verdict on one artifact.

        Raises:
            OperationalError: a schema that the run or the config names, or a manifest, is wrong.
        """
        case = _Case(target)
        try:
            faults = self._faults(case)
        except DocumentFault as fault:
            faults = (Fault((fault.finding,)),)
            case.uses = self._unread(target)
        return Verdict(self._result(case, faults), tuple(case.notices), case.uses, case.schemas)

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
        case = _Case(target, data=self._read(target))
        case.document = parse_document(case.data)
        locator = LazyLocator(case.document)
        faults = tuple(duplicate.fault(locator) for duplicate in found)
        if result is None:
            return self._result(case, faults)
        faults = result.faults + faults
        return replace(result, faults=faults, source=self._source(case, faults))

    def uses(self, target: Target) -> tuple[Use, ...]:
        """The manifest entries of an artifact that this run does not judge."""
        if self._manifests is None:
            return ()
        try:
            document = parse_document(self._read(target))
            value = load_values(document)
        except DocumentFault:
            return self._unread(target)
        return self._join(target, value, LazyLocator(document)).uses

    def require_documents(self, uses: Iterable[Use], covered: Iterable[str]) -> None:
        """See `ManifestStore.require_documents`."""
        if self._manifests is not None:
            self._manifests.require_documents(uses, covered)

    def _read(self, target: Target) -> bytes:
        if target.path is None:
            return self._about.stdin or b""
        return read_file(target.path)

    def _faults(self, case: _Case) -> tuple[Fault, ...]:
        target = case.target
        if target.finding is not None:
            return (Fault((target.finding,)),)
        case.data = self._read(target)
        case.document = document = parse_document(case.data)
        fences = tuple(Fault((finding,)) for finding in document.findings)
        if any(finding.severity is Severity.ERROR for finding in document.findings):
            # Hosts see no metadata at all; what is missing from it would only repeat that.
            case.uses = self._unread(target)
            return fences
        value = load_values(document)
        joined = self._join(target, value, LazyLocator(document))
        case.uses = joined.uses
        return fences + self._check(case, joined)

    def _join(self, target: Target, value: dict[str, Json], locator: Locator) -> Joined:
        if self._manifests is None:
            return Joined(value, locator)

        def external_keys(metadata: dict[str, Json]) -> Iterable[str]:
            chosen = self._selector.choose(target, metadata, lambda: locator).schemas
            marks = self._marks(self._compiled(chosen, locator)[0], _stripped(metadata))
            return [key for key, mark in marks.items() if mark.location == EXTERNAL]

        return self._manifests.join(target, value, locator, external_keys)

    def _unread(self, target: Target) -> tuple[Use, ...]:
        return self._manifests.unread(target) if self._manifests else ()

    def _check(self, case: _Case, joined: Joined) -> tuple[Fault, ...]:
        target, locator = case.target, joined.locator
        choice = self._selector.choose(target, joined.value, lambda: locator)
        if choice.notice:
            case.notices.append(choice.notice)
        self._note_evals(case, joined.value)
        schemas = choice.schemas.schemas
        case.references = tuple(schema.reference for schema in schemas)
        if choice.schemas not in self._met:
            self._met.add(choice.schemas)
            case.schemas = tuple(schema.info for schema in schemas)
        validators, broken = self._compiled(choice.schemas, locator)
        value = _stripped(joined.value)
        faults = [Fault((finding,)) for finding in (*choice.findings, *broken)]
        for validator in validators.values():
            if not validator.is_valid(value):
                faults += validator.faults(value, locator)
        faults += joined.faults
        marks = self._marks(validators, value)
        if marks:
            faults += check_location(marks, value, joined.supplied, locator, self._setting(target))
        identifiers = [schema.identifier for schema in schemas]
        faults += check_evals(value, locator, identifiers, self._about.evals)
        return tuple(faults)

    def _compiled(
        self, chosen: SchemaSet, locator: Locator
    ) -> tuple[dict[Schema, Validator], list[Finding]]:
        """The validators of a set, and what is wrong with schemas that the artifact itself named.

        Raises:
            SchemaError: a schema that the run or the config names does not compile.
        """
        from manni.validation import compile_schema

        validators: dict[Schema, Validator] = {}
        broken: list[Finding] = []
        for schema in chosen.schemas:
            try:
                if schema not in self._validators:
                    self._validators[schema] = compile_schema(schema)
                validators[schema] = self._validators[schema]
            except SchemaError as error:
                if not chosen.from_document:
                    raise
                broken.append(schema_finding(str(error), locator))
        return validators, broken

    def _marks(
        self, validators: Mapping[Schema, Validator], value: dict[str, Json]
    ) -> dict[str, Mark]:
        return merge_marks(
            (schema.reference, marks)
            for schema, validator in validators.items()
            if (marks := validator.marks(value))
        )

    def _setting(self, target: Target) -> Setting:
        declared = self._about.collections
        return Setting(
            no_config=self._about.no_config,
            collections=len(declared),
            member=any(name in declared for name in target.collections),
        )

    def _note_evals(self, case: _Case, value: Mapping[str, Json]) -> None:
        metadata = value.get("metadata") if self._about.zero_config else None
        if isinstance(metadata, dict) and "evals" in metadata:
            case.notices.append(EVALS_NOTICE)

    def _result(self, case: _Case, faults: tuple[Fault, ...]) -> FileResult:
        target, document = case.target, case.document
        declared = self._about.collections
        return FileResult(
            label=target.label,
            root_path=target.root_path,
            key=target.key,
            format=document.format.value if document and document.format else None,
            collection=next((name for name in target.collections if name in declared), None),
            schemas=case.references,
            faults=faults,
            source=self._source(case, faults) if faults else _NO_SOURCE,
        )

    def _source(self, case: _Case, faults: Iterable[Fault]) -> Source:
        document = case.document
        if document is None:
            return _NO_SOURCE
        lines = tuple(_LINE_BREAK.split(document.head))
        if not self._about.line_hashes:
            return Source(lines)
        from manni.fingerprints import line_hashes

        wanted = {
            finding.span.line
            for fault in faults
            for finding in fault.findings
            if finding.span is not None and finding.manifest is None
        }
        return Source(lines, line_hashes(case.data.decode("utf-8", "replace"), wanted | {1}))


_NO_SOURCE = Source()
_LINE_BREAK = re.compile(r"\r\n?|\n")


def _stripped(metadata: dict[str, Json]) -> dict[str, Json]:
    """The metadata without the key that chooses its schemas."""
    if DOCUMENT_KEY not in metadata:
        return metadata
    return {key: value for key, value in metadata.items() if key != DOCUMENT_KEY}
