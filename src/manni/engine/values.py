"""What checking knows of the run, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from manni.engine.settle import Policy
from manni.manifests.entries import ManifestEntry
from manni.model.findings import (
    Fault,
    Finding,
    Locator,
    SchemaInfo,
    SourceExcerpt,
    Suppressed,
    fast_pickle,
)
from manni.rules.checks.inventory import Names


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
        names: those in it that matter to other artifacts.
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
    names: Names | None = None
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


class Late(Protocol):
    """What is to be said of one artifact because of others."""

    def fault(self, locator: Locator) -> Fault:
        """It as a fault, placed by the artifact's own metadata."""
        ...
