"""GitLab's Code Quality report: a JSON list with a member for each mistake.

The fields are those that GitLab documents: description, check_name, fingerprint, severity, and the
location by path from the repository's root and first line.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping

from manni.base.text import count, shorten, visible
from manni.model.findings import Report, Severity
from manni.reports.entries import Entry, entries
from manni.reports.fingerprints import fingerprint
from manni.rules.advice import explain

SEVERITIES: Mapping[Severity, str] = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.NOTICE: "info",
}
"""What GitLab calls each severity."""

_TEXT_LIMIT = 2000


def render(report: Report) -> str:
    """The report as a JSON list; that of a run without a verdict is empty."""
    members = list(_members(report)) if report.failure is None else []
    text = json.dumps(members, indent=2, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def notices(report: Report) -> tuple[str, ...]:
    """A sentence about what the list leaves out: what is outside the repository."""
    outside = sum(entry.path is None for entry in entries(report))
    if not outside:
        return ()
    left = f"{count(outside, 'finding')} left out of the GitLab report"
    return (f"{left}, which has no place for files outside the repository.",)


def _members(report: Report) -> Iterator[dict[str, object]]:
    met: Counter[tuple[str, str]] = Counter()
    for entry in entries(report):
        path = entry.path
        if path is None:
            continue
        about = (path, fingerprint(entry.finding))
        met[about] += 1
        yield {
            "description": _description(entry),
            "check_name": visible(entry.finding.rule_id),
            "fingerprint": _identity(*about, met[about]),
            "severity": SEVERITIES[entry.severity],
            "location": {"path": path, "lines": {"begin": entry.span.line if entry.span else 1}},
        }


def _description(entry: Entry) -> str:
    where = entry.finding.pointer or "(root)"
    return shorten(visible(f"{where} {explain(entry.fault)}"), _TEXT_LIMIT)


def _identity(path: str, finding: str, number: int) -> str:
    """GitLab drops all but the first member of equal identity, so equal findings are numbered."""
    joined = "\0".join((path, finding, str(number))).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:32]
