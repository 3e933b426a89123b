"""How often each rule was broken."""

from __future__ import annotations

from collections import Counter

from manni.base.text import visible
from manni.model.findings import Report


def render(report: Report) -> str:
    """A line for each rule, the commonest first: its count, its id and how many have a fix."""
    found = [finding for result in report.results for finding in result.findings]
    counts = Counter(finding.rule_id for finding in found)
    fixable = Counter(finding.rule_id for finding in found if finding.fix is not None)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    names = [visible(rule) for rule, _ in ordered]
    digits = len(str(max(counts.values(), default=0)))
    width = max(map(len, names), default=0)
    lines = []
    for name, (rule, number) in zip(names, ordered, strict=True):
        mark = f"{fixable[rule]} fixable" if fixable[rule] else ""
        lines.append(f"{number:>{digits}}  {name:<{width}}  {mark}".rstrip() + "\n")
    return "".join(lines)
