"""Which rules count, and how much: `select`, `ignore`, `severity` and `per-file-ignores`.

A selector is a rule id, a schema id, or a glob of them in which `*` stands for any characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import translate
from functools import lru_cache

from manni.discovery.globs import Matcher
from manni.model.findings import PARSE_SCHEMA, Fault, Finding, Severity

_GLOB = re.compile(r"[*?\[]")


def is_glob(selector: str) -> bool:
    """Whether a selector may match more than one rule id or schema id."""
    return _GLOB.search(selector) is not None


def matches(selector: str, finding: Finding) -> bool:
    """Whether a finding is of the rule or the schema, or of one of those, that is selected."""
    return _matches(selector, finding.rule_id, finding.schema)


# A hostile artifact may have thousands of findings and of selectors, but few rules.
@lru_cache(maxsize=65536)
def _matches(selector: str, *names: str) -> bool:
    return selector in names or (is_glob(selector) and any(map(_glob(selector), names)))


@lru_cache(maxsize=4096)
def _glob(selector: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(translate(selector)).match


@dataclass(frozen=True, slots=True)
class Choices:
    """What a run and its config say of rules.

    Attributes:
        select: the selectors of the only rules that count, beside those about files that could
            not be checked; None for all.
        ignore: the selectors of rules that do not count.
        severity: for a selector, the severity of its findings, or None to switch them off; of
            several for one finding a rule id wins, then a schema id, then the last glob. The
            mapping that stands first is asked first.
        per_file: globs of files, relative to the config, with what does not count in them.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    severity: tuple[Mapping[str, Severity | None], ...] = ()
    per_file: tuple[tuple[Matcher, tuple[str, ...]], ...] = field(default=())

    def __bool__(self) -> bool:
        """Whether anything was chosen."""
        return self.select is not None or bool(self.ignore or any(self.severity) or self.per_file)

    def ignored_in(self, key: str) -> tuple[str, ...]:
        """What `per_file` switches off in the artifact with this `Target.key`."""
        return tuple(
            name for matcher, names in self.per_file if matcher.match(key) for name in names
        )

    def apply(self, faults: Iterable[Fault], key: str) -> tuple[tuple[Fault, ...], int]:
        """The faults that count, with their severities, and how many findings do not.

        Args:
            faults: of one artifact.
            key: its `Target.key`.
        """
        ignore = self.ignore + self.ignored_in(key)
        kept: list[Fault] = []
        off = 0

        def unselected(finding: Finding) -> bool:
            # Where nothing could be checked, no selection makes a file pass.
            if self.select is None or finding.schema == PARSE_SCHEMA:
                return False
            return not any(matches(each, finding) for each in self.select)

        def ignored(finding: Finding) -> bool:
            return any(matches(each, finding) for each in ignore) or self._level(finding) is None

        for fault in faults:
            left = without(fault, unselected)
            if left is not None:
                # What stands for a mistake takes the rest of it along.
                left = None if ignored(left.representative) else without(left, ignored)
            if left is not None:
                found = tuple(self._weighed(finding) for finding in left.findings)
                kept.append(replace(left, findings=found))
            off += len(fault.findings) - (len(left.findings) if left else 0)
        return tuple(kept), off

    def _weighed(self, finding: Finding) -> Finding:
        level = self._level(finding)
        return finding if level in (None, finding.severity) else replace(finding, severity=level)

    def _level(self, finding: Finding) -> Severity | None:
        """The severity of a finding; None when it is switched off."""
        for levels in self.severity:
            for name in (finding.rule_id, finding.schema):
                if name in levels:
                    return levels[name]
            globs = [name for name in levels if is_glob(name) and matches(name, finding)]
            if globs:
                return levels[globs[-1]]
        return finding.severity


def without(fault: Fault, takes: Callable[[Finding], bool]) -> Fault | None:
    """A fault without some of its findings; None where none is left.

    The first one leads where the lead is taken.
    """
    kept = [(at, finding) for at, finding in enumerate(fault.findings) if not takes(finding)]
    if len(kept) == len(fault.findings):
        return fault
    lead = next((new for new, (at, _) in enumerate(kept) if at == fault.lead), 0)
    return Fault(tuple(finding for _, finding in kept), lead) if kept else None
