"""The one table of report formats: the command line, its help and the action read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module

from manni.model.findings import Report


@dataclass(frozen=True, slots=True)
class Reporter:
    """One report format.

    Attributes:
        name: as `--format` takes it.
        summary: what the help says of it.
        module: the module whose `render(report)` makes it, imported when it is used.
        in_pieces: whether the module can also give it piece by piece, with `pieces(report)`, so
            that a large one need not be held whole.
        offers: whether it shows what mends a finding.
        on_failure: whether it also reports a run without a verdict, so that whoever reads it
            always finds something that parses.
    """

    name: str
    summary: str
    module: str
    on_failure: bool = True
    offers: bool = False
    in_pieces: bool = False

    def load(self) -> Callable[[Report], str]:
        """The function from a report to its text."""
        render: Callable[[Report], str] = import_module(self.module).render
        return render

    def pieces(self, report: Report) -> Iterable[str]:
        """The text of a report, piece by piece."""
        if not self.in_pieces:
            return [self.load()(report)]
        pieces: Iterable[str] = import_module(self.module).pieces(report)
        return pieces


REPORTERS = {
    reporter.name: reporter
    for reporter in (
        Reporter(
            "pretty",
            "for people at a terminal",
            "manni.reports.pretty",
            on_failure=False,
            in_pieces=True,
        ),
        Reporter("json", "for programs", "manni.reports.json", offers=True, in_pieces=True),
        Reporter("github", "annotations on a pull request", "manni.reports.github", offers=True),
        Reporter(
            "sarif", "a SARIF 2.1.0 log for code scanning", "manni.reports.sarif", offers=True
        ),
        Reporter("junit", "JUnit XML for other CI systems", "manni.reports.junit"),
    )
}
"""Every report format by name, the default first."""
