"""What checking one artifact takes from its kind, beside the schemas."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from manni.discovery.kinds import Kind
from manni.discovery.target import Target
from manni.documents.document import Document
from manni.documents.load import Metadata
from manni.documents.sources import DocumentSources
from manni.manifests.entries import Joined
from manni.model.findings import Fault, Finding, Severity
from manni.rules.advice import advice
from manni.rules.checks.artifact import Artifact
from manni.schemas.keys import keys_of, lower


@dataclass(frozen=True, slots=True)
class Subject:
    """One artifact that is being checked.

    Attributes:
        target: where it is.
        document: as it was cut.
        data: its bytes.
        kind: the one that governs it, unless it names its own schemas; None for none.
    """

    target: Target
    document: Document
    data: bytes
    kind: Kind | None = None

    @property
    def body_length(self) -> int:
        """How many characters follow the front matter."""
        text = self.data.removeprefix(BOM_UTF8).decode("utf-8", "replace")
        return len(text) - len(self.document.head) if self.has_front_matter else len(text)

    @property
    def has_front_matter(self) -> bool:
        """Whether there is a block, empty or not."""
        return self.document.format is not None

    @property
    def traits(self) -> tuple[object, ...]:
        """What the checks of its kind look at beside the front matter."""
        kind = self.kind
        if kind is None:
            return ()
        name = self.target.label.rpartition("/")[2]
        return (
            self.target.in_plugin,
            # A skeleton of front matter has the file's name in it.
            name if kind.uses_folder or not self.has_front_matter else name.partition(".")[2],
            _folder(self.target) if kind.uses_folder else None,
            self.body_length if kind.uses_body else None,
        )


def kind_faults(subject: Subject, own: Metadata, joined: Joined) -> tuple[Fault, ...]:
    """What the checks of the artifact's kind find.

    Args:
        subject: the artifact.
        own: what its front matter holds.
        joined: the same with what manifests add.
    """
    from manni.rules.checks.hosts import check_kind
    from manni.rules.checks.hosts.lenient import lenient_read

    kind, target = subject.kind, subject.target
    if kind is None:
        return ()
    told = own.lenient if kind.tells_leniency else None
    read = () if told is None else (Fault((lenient_read(kind.host, told),)),)
    keys = keys_of(kind)
    artifact = Artifact(
        kind=kind.id,
        host=kind.host,
        path=target.root_path or target.label,
        in_plugin=target.in_plugin,
        has_front_matter=subject.has_front_matter or bool(joined.value),
        head=subject.document.head,
        body_length=subject.body_length,
        value=joined.value,
        sources=DocumentSources(subject.document, own, joined.locator),
        known=keys.known,
        required=keys.required,
    )
    return (*read, *check_kind(artifact))


def lowered(
    faults: Iterable[Fault], severity: Severity | None, before: Iterable[Fault]
) -> Iterator[Fault]:
    """Faults with no finding of more than a severity.

    Where findings are lowered, one that repeats what another schema said of the same value is
    left out.

    Args:
        faults: of one schema.
        severity: what it is lowered to; None for not at all.
        before: what the schemas before it said.
    """
    if severity is None:
        yield from faults
        return
    said = {_said(finding) for fault in before for finding in fault.findings}
    for fault in faults:
        if _said(fault.representative) not in said:
            yield replace(
                fault, findings=tuple(_lowered(each, severity) for each in fault.findings)
            )


def without_summaries(faults: Iterable[Fault]) -> Iterator[Fault]:
    """Faults without the findings that only say that an `if` is not met.

    What is wrong by the schemas of a kind is told as its host would; the branch's own findings do.
    """
    for fault in faults:
        kept = tuple(each for each in fault.findings if each.keyword != "if")
        if kept and len(kept) < len(fault.findings):
            lead = kept.index(fault.representative) if fault.representative in kept else 0
            yield Fault(kept, lead)
        else:
            yield fault


def with_cures(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Faults whose wrong types say at once what to write, where a fix knows it."""
    return tuple(
        replace(fault, findings=tuple(_with_cure(each) for each in fault.findings))
        for fault in faults
    )


def _with_cure(finding: Finding) -> Finding:
    if finding.keyword != "type" or finding.fix is None:
        return finding
    said = advice(Fault((finding,)))
    return replace(finding, message=f"{finding.message}; {said}") if said else finding


def _said(finding: Finding) -> tuple[str, str, str]:
    return (finding.pointer, finding.keyword, finding.message)


def _lowered(finding: Finding, severity: Severity) -> Finding:
    lower_one = lower(finding.severity, severity)
    return finding if lower_one is finding.severity else replace(finding, severity=lower_one)


def _folder(target: Target) -> str:
    return (target.root_path or target.label).rpartition("/")[0].rpartition("/")[2]
