"""What counts of the findings of one artifact, and what mends it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from manni.model.findings import Fault, Suppressed

if TYPE_CHECKING:
    from manni.documents.document import Document
    from manni.documents.load import Metadata
    from manni.rules.choices import Choices

MARK = "manni:"
"""What every comment that takes findings out holds; few texts do."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What a run does with findings.

    Attributes:
        choices: which rules count; None for all, as they are.
        inline: whether comments in artifacts may take findings out.
        tells_unused: whether a comment that takes nothing out is a finding. It is not where the
            run was given schemas, since the comment may be about others.
    """

    choices: Choices | None = None
    inline: bool = True
    tells_unused: bool = True

    def depends_on(self, key: str) -> tuple[str, ...]:
        """What beside its contents decides about the artifact with this `Target.key`."""
        return self.choices.ignored_in(key) if self.choices else ()


@dataclass(frozen=True, slots=True)
class Settled:
    """The findings of one artifact, told apart.

    Attributes:
        faults: those that count.
        suppressed: those that its comments take out.
        switched_off: how many others do not count.
    """

    faults: tuple[Fault, ...]
    suppressed: tuple[Suppressed, ...] = ()
    switched_off: int = 0


def settle(
    faults: Iterable[Fault],
    policy: Policy,
    key: str,
    document: Document,
    metadata: Metadata | None,
) -> Settled:
    """Tell findings apart, and give those that count what mends them.

    Args:
        faults: all that the checks found.
        policy: of the run.
        key: `Target.key` of the artifact.
        document: the artifact.
        metadata: of that document alone; None where it is unreadable.
    """
    settled = Settled(tuple(faults))
    if policy.inline and metadata is not None and MARK in document.block:
        settled = _suppressed(settled.faults, policy, document, metadata)
    if policy.choices is not None:
        settled = _chosen(settled, policy.choices, key)
    if settled.faults:
        from manni.fixes.offers import with_fixes

        fixable = with_fixes(settled.faults, document, metadata)
        settled = Settled(fixable, settled.suppressed, settled.switched_off)
    return settled


def _suppressed(
    faults: tuple[Fault, ...], policy: Policy, document: Document, metadata: Metadata
) -> Settled:
    from manni.rules.suppression import ignores, suppress, unused

    found = ignores(document, metadata)
    left, out, used = suppress(faults, found)
    told = tuple(unused(found, used)) if policy.tells_unused else ()
    return Settled(left + told, out)


def _chosen(settled: Settled, choices: Choices, key: str) -> Settled:
    """Rules that are switched off count neither as findings nor as suppressed ones."""
    faults, off = choices.apply(settled.faults, key)
    kept = []
    for each in settled.suppressed:
        left, gone = choices.apply([Fault((each.finding,))], key)
        off += gone
        kept += [Suppressed(fault.representative, each.reason) for fault in left]
    return Settled(faults, tuple(kept), off)
