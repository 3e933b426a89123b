"""The values that a run produces: spans, findings, faults, file results and the report.

Everything here is a frozen value. This module imports nothing of the project, so every other
module, and every reporter, can depend on it.

Lines and columns are 1-based and counted in Unicode code points; the end of a span is exclusive.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Protocol, TypeVar

PARSE_SCHEMA = "(parse)"
"""Schema of a finding about a document that could not be read, or about its choice of schemas."""

TOOL_SCHEMA = "manni"
"""Schema of this tool's own findings, such as those about fences."""

_LINE_BREAK = re.compile(r"\r\n?|\n")
_RULES_OF_PARSE = {"parse": "manni/parse-error", "schema": "manni/schema-error"}


_T = TypeVar("_T")


def fast_pickle(kind: type[_T]) -> type[_T]:
    """Have the values of a frozen dataclass, of two fields or more, pickled as its fields in order.

    Processes send each other such values by the thousand. What `dataclass` has pickled is looked
    up field by field, which takes five times as long.
    """
    values = attrgetter(*(each.name for each in fields(kind)))  # type: ignore[arg-type]

    def reduce(self: _T) -> tuple[type[_T], tuple[object, ...]]:
        return (kind, values(self))

    kind.__reduce__ = reduce  # type: ignore[assignment, method-assign]
    return kind


class Severity(StrEnum):
    """How much a finding matters; only `ERROR` fails a run by default."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"

    @property
    def rank(self) -> int:
        """0 for the worst severity, growing as it matters less."""
        return _RANKS[self]


_RANKS = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTICE: 2}


@fast_pickle
@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of source text: 1-based lines and columns in code points, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@fast_pickle
@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: a span of the artifact, or of the manifest that supplied it."""

    span: Span
    manifest: str | None = None


class Locator(Protocol):
    """What validation needs to know about positions, whatever format the metadata came from."""

    def place(self, pointer: str) -> Place:
        """Where a finding about the value at this JSON Pointer points.

        A mapping member is placed at its key and a list item at its start. A pointer that names
        nothing is placed where its nearest existing parent is.
        """
        ...

    def identity(self, pointer: str) -> str:
        """The pointer with each list index replaced by the entry's `id` where it has one."""
        ...


@fast_pickle
@dataclass(frozen=True, slots=True)
class Related:
    """A second position that explains a finding, such as the first of two equal keys."""

    span: Span
    message: str


@fast_pickle
@dataclass(frozen=True, slots=True)
class Edit:
    """Put `text` in the place of `span`; an empty span is where text is added."""

    span: Span
    text: str


@fast_pickle
@dataclass(frozen=True, slots=True)
class Fix:
    """What mends a finding: edits of the artifact that are made together or not at all.

    Attributes:
        description: what they do, in the imperative.
        edits: one or more, which do not overlap.
        safe: whether they keep the meaning; False for a guess.
    """

    description: str
    edits: tuple[Edit, ...]
    safe: bool = True


@fast_pickle
@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with one artifact.

    Attributes:
        schema: the reference of the schema behind it, as the user wrote it, or one of the
            schemas of this tool's own.
        keyword: the failing keyword, or the name of this tool's own check.
        message: the sentence that every report shows.
        pointer: the JSON Pointer (RFC 6901) of the value, `""` for the root.
        subject: the name or type that the finding is about, where it has one.
        place: where it points; None when there is no such place, as for a directory.
        identity: `pointer` with list indices replaced by entry ids; see `Locator.identity`.
        allowed: the names or values that would have been accepted, JSON-spelled for values that
            are not strings.
        actual: the name or value that was met instead, spelled likewise.
        related: further positions in the same artifact.
        fix: what mends it, where that is known.
    """

    schema: str
    keyword: str
    message: str
    pointer: str = ""
    severity: Severity = Severity.ERROR
    subject: str | None = None
    place: Place | None = None
    identity: str | None = None
    allowed: tuple[str, ...] = ()
    actual: str | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None

    @property
    def rule_id(self) -> str:
        """`<schema>/<keyword>`, but `manni/parse-error` and `manni/schema-error`."""
        if self.schema == PARSE_SCHEMA and self.keyword in _RULES_OF_PARSE:
            return _RULES_OF_PARSE[self.keyword]
        return f"{self.schema}/{self.keyword}"

    @property
    def span(self) -> Span | None:
        """The span it points at, in the artifact or in the manifest of `place`."""
        return self.place.span if self.place else None

    @property
    def manifest(self) -> str | None:
        """The manifest that `span` belongs to, or None when it belongs to the artifact."""
        return self.place.manifest if self.place else None


@fast_pickle
@dataclass(frozen=True, slots=True)
class Fault:
    """What a person would call one mistake: the findings of one cause.

    Attributes:
        findings: in report order, never empty.
        lead: the index in `findings` of the one that represents the fault.
    """

    findings: tuple[Finding, ...]
    lead: int = 0

    @property
    def representative(self) -> Finding:
        """The finding that stands for the fault where one entry a fault is shown."""
        return self.findings[self.lead]


@lru_cache(maxsize=1)
def _lines_of(text: str) -> tuple[str, ...]:
    """The lines of a text; one artifact may have very many findings that each ask for them."""
    return tuple(_LINE_BREAK.split(text) if "\r" in text else text.split("\n"))


@dataclass(frozen=True, slots=True)
class SourceExcerpt:
    """What reports quote of an artifact: never more than its front matter.

    Attributes:
        text: the front matter, fences included, from the start of the file; None when there is
            nothing to quote.
        line_hashes: code scanning's hash for each line that a finding points at.
    """

    text: str | None = None
    line_hashes: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text without line ends, line 1 first."""
        return () if self.text is None else _lines_of(self.text)

    def __reduce__(self) -> tuple[type[SourceExcerpt], tuple[str | None, dict[int, str]]]:
        """Results cross process borders, and a mapping proxy alone cannot be pickled."""
        return (SourceExcerpt, (self.text, dict(self.line_hashes)))


@fast_pickle
@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that a comment in the artifact takes out, and the reason given, if any."""

    finding: Finding
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FileResult:
    """The verdict on one artifact.

    Attributes:
        label: the path as people read it, relative to the working directory, `/` separated.
        root_path: the path relative to the repository root, or None outside of it.
        key: the path that a baseline records, relative to the config's directory.
        format: `yaml`, `toml` or `json`; None when the artifact has no front matter.
        collection: the collection it was checked as a member of.
        schemas: the references of its schema set, in order.
        faults: those that count, in report order.
        baselined: how many findings the baseline took away.
        source: what reports may quote; empty for a clean file, and where no report quotes.
        suppressed: the findings that comments in the artifact take out.
        switched_off: how many findings are of rules that the run or its config leaves out.
    """

    label: str
    root_path: str | None = None
    key: str = ""
    format: str | None = None
    collection: str | None = None
    schemas: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    baselined: int = 0
    source: SourceExcerpt = field(default_factory=SourceExcerpt)
    suppressed: tuple[Suppressed, ...] = ()
    switched_off: int = 0

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding, in report order."""
        return tuple(finding for fault in self.faults for finding in fault.findings)

    @property
    def ok(self) -> bool:
        """Whether no finding of error severity is left."""
        return all(finding.severity is not Severity.ERROR for finding in self.findings)


@fast_pickle
@dataclass(frozen=True, slots=True)
class SchemaInfo:
    """A schema that took part in the run, for the reports that describe it.

    Attributes:
        reference: as the user wrote it.
        version: the last part of a `vendor:name:version` id, else `""`.
        title: the schema's own title, else `""`.
        uri: where it is published, or None.
    """

    reference: str
    version: str = ""
    title: str = ""
    uri: str | None = None


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository and commit that the run looked at, as far as the environment tells.

    Attributes:
        url: the address of the repository, such as `https://github.com/owner/name`.
        revision: the commit's hash.
        branch: the ref it was reached by.
    """

    url: str | None = None
    revision: str | None = None
    branch: str | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of one run; `ignored` is of files, `fixed` None where a run makes no fixes."""

    checked: int = 0
    passed: int = 0
    failed: int = 0
    errors: int = 0
    warnings: int = 0
    notices: int = 0
    faults: int = 0
    ignored: int = 0
    baselined: int = 0
    prunable: int = 0
    suppressed: int = 0
    switched_off: int = 0
    fixed: int | None = None


class Detail(StrEnum):
    """What annotations and SARIF show one entry for."""

    FAULTS = "faults"
    FINDINGS = "findings"


@dataclass(frozen=True, slots=True)
class Report:
    """All that reporters need: a reporter is a function of this value and does no I/O.

    Attributes:
        results: one for each artifact, sorted by path.
        version: of this tool.
        config: the line that names the governing config, or None when there is none.
        notes: diagnostics of the run, already shown on standard error, one sentence each.
        failure: why there is no verdict (exit code 2), or None.
        schemas: those that took part, in the order met.
        category: code scanning's category for this run, without slashes at its ends.
        detail: what annotations and SARIF show one entry for.
        report_files: where the complete reports of this run are, for the closing notices.
        keeps_suppressed: whether SARIF holds suppressed findings too, marked as such.
        diff: the unified diff of the fixes that there are; None where it was not asked for.
        fail_on: the least severity that fails the run; None where none does.
    """

    results: tuple[FileResult, ...] = ()
    summary: Summary = Summary()
    version: str = ""
    config: str | None = None
    notes: tuple[str, ...] = ()
    failure: str | None = None
    schemas: tuple[SchemaInfo, ...] = ()
    repository: Repository = Repository()
    category: str = "validate"
    detail: Detail = Detail.FAULTS
    report_files: tuple[str, ...] = ()
    keeps_suppressed: bool = False
    diff: bytes | None = None
    fail_on: Severity | None = Severity.ERROR


def summarize(results: tuple[FileResult, ...], *, ignored: int = 0, prunable: int = 0) -> Summary:
    """Count results; `ignored` and `prunable` are counts that no result carries."""
    by_severity = dict.fromkeys(Severity, 0)
    faults = failed = baselined = suppressed = switched_off = 0
    for result in results:
        baselined += result.baselined
        suppressed += len(result.suppressed)
        switched_off += result.switched_off
        if not result.faults:
            continue
        faults += len(result.faults)
        failed += not result.ok
        for finding in result.findings:
            by_severity[finding.severity] += 1
    return Summary(
        checked=len(results),
        passed=len(results) - failed,
        failed=failed,
        errors=by_severity[Severity.ERROR],
        warnings=by_severity[Severity.WARNING],
        notices=by_severity[Severity.NOTICE],
        faults=faults,
        ignored=ignored,
        baselined=baselined,
        prunable=prunable,
        suppressed=suppressed,
        switched_off=switched_off,
    )
