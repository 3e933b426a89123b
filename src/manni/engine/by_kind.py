"""What checking one artifact takes from its kind, beside the schemas."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from manni.discovery.kinds import Kind
from manni.discovery.target import Target
from manni.documents.document import Document
from manni.documents.lines import Lines
from manni.manifests.entries import Joined
from manni.model.findings import Fault, Finding, Locator, Place, Severity, Span
from manni.rules.checks.artifact import Artifact
from manni.schemas.keys import keys_of, lower

_KEY = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^:]*)\s*[:=]\s*""")


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


def kind_faults(subject: Subject, joined: Joined) -> tuple[Fault, ...]:
    """What the checks of the artifact's kind find."""
    from manni.rules.checks.hosts import check_kind

    kind, target = subject.kind, subject.target
    if kind is None:
        return ()
    keys = keys_of(kind)
    artifact = Artifact(
        kind=kind.id,
        host=kind.host,
        path=target.root_path or target.label,
        in_plugin=target.in_plugin,
        has_front_matter=subject.has_front_matter or bool(joined.value),
        head=subject.document.head if subject.has_front_matter else "",
        body_length=subject.body_length,
        value=joined.value,
        sources=_Sources(joined.locator, subject.document.head),
        known=keys.known,
        required=keys.required,
    )
    return check_kind(artifact)


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


def _said(finding: Finding) -> tuple[str, str, str]:
    return (finding.pointer, finding.keyword, finding.message)


def _lowered(finding: Finding, severity: Severity) -> Finding:
    lower_one = lower(finding.severity, severity)
    return finding if lower_one is finding.severity else replace(finding, severity=lower_one)


def _folder(target: Target) -> str:
    return (target.root_path or target.label).rpartition("/")[0].rpartition("/")[2]


class _Sources:
    """The places of an artifact's values, and the text of its front matter; it is a `Sources`."""

    def __init__(self, locator: Locator, head: str) -> None:
        self._locator = locator
        self._lines = Lines(head, 1)

    def place(self, pointer: str) -> Place:
        """See `Locator.place`."""
        return self._locator.place(pointer)

    def identity(self, pointer: str) -> str:
        """See `Locator.identity`."""
        return self._locator.identity(pointer)

    def value_span(self, pointer: str) -> Span | None:
        """See `Sources.value_span`."""
        place = self._locator.place(pointer)
        if not pointer or place.manifest is not None:
            return None
        span = place.span
        key = _KEY.match(self.source(span))
        if pointer.rpartition("/")[2].isdigit() or key is None:
            return span
        return replace(span, column=span.column + key.end())

    def source(self, span: Span) -> str:
        """See `Sources.source`."""
        lines = self._lines
        start = lines.start(span.line - 1) + span.column - 1
        return lines.text[start : lines.start(span.end_line - 1) + span.end_column - 1]
