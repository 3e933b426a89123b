"""What annotations, SARIF and the step summary have in common: entries, their order, their places.

An entry is a fault or a single finding, as the run's `Detail` says.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote_from_bytes

from manni.model.findings import Detail, Fault, FileResult, Finding, Report, Severity, Span

STDIN = "<stdin>"
"""The label of the document that came from standard input."""

_ADDRESS = re.compile("https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entry:
    """One fault of one artifact, or one finding where every finding is shown.

    Attributes:
        suppressed: the reason why it does not count, which may be empty; None where it counts.
    """

    result: FileResult
    fault: Fault
    suppressed: str | None = None

    @property
    def finding(self) -> Finding:
        """The finding that stands for the entry."""
        return self.fault.representative

    @property
    def severity(self) -> Severity:
        """The severity of that finding."""
        return self.finding.severity

    @property
    def manifest(self) -> str | None:
        """The manifest that it points at, from the repository root; None for another place."""
        manifest = self.finding.manifest
        return None if manifest is None else rooted(self.result, manifest)

    @property
    def path(self) -> str | None:
        """The file that it points at, from the repository root; None outside the repository."""
        return self.manifest or self.result.root_path

    @property
    def span(self) -> Span | None:
        """Where in `path` it points; None when it points at the file as a whole."""
        if self.finding.manifest is not None and self.manifest is None:
            return None
        return self.finding.span


def entries(report: Report) -> Iterator[Entry]:
    """Every entry of the report, in report order."""
    for result in report.results:
        for fault in result.faults:
            if report.detail is Detail.FAULTS:
                yield Entry(result, fault)
            else:
                for finding in fault.findings:
                    yield Entry(result, Fault((finding,)))


def suppressed(report: Report) -> Iterator[Entry]:
    """The findings that comments in artifacts take out, in report order."""
    for result in report.results:
        for each in result.suppressed:
            yield Entry(result, Fault((each.finding,)), each.reason)


def worst_first(found: list[Entry]) -> list[Entry]:
    """The entries by severity, worst first, each severity in report order."""
    return sorted(found, key=lambda entry: entry.severity.rank)


def rooted(result: FileResult, manifest: str) -> str | None:
    """A manifest's path from the repository root.

    A manifest is named as its artifact's key is: relative to the config's directory. Where that
    directory stands in the repository shows in the artifact's own two paths.

    Returns:
        None when it is an address, or lies outside the repository.
    """
    root_path, key = result.root_path, result.key
    if root_path is None or _ADDRESS.match(manifest) or not f"/{root_path}".endswith(f"/{key}"):
        return None
    directory = root_path[: len(root_path) - len(key)]
    path = posixpath.normpath(directory + manifest)
    return None if path.startswith(("../", "/")) or path in {".", ".."} else path


def percent_encoded(path: str) -> str:
    """A path as a relative URI reference (RFC 3986), all but unreserved characters escaped.

    Bytes of a file name that are not UTF-8 keep their value.
    """
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raw = path.encode("utf-8", "surrogatepass")
    return quote_from_bytes(raw, safe="/")
