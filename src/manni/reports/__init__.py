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
        at_terminal: whether it is for people, so that it takes `quiet` and `colour`, names the
            config itself, and may be followed by the statistics.
        quotes: whether it shows the lines that findings point at.
        has_notices: whether the module can also say, with `notices(report)`, what the format has no
            place for.
        on_failure: whether it also reports a run without a verdict, so that whoever reads it
            always finds something that parses.
    """

    name: str
    summary: str
    module: str
    at_terminal: bool = False
    quotes: bool = False
    has_notices: bool = False
    on_failure: bool = True
    in_pieces: bool = False

    def load(self) -> Callable[[Report], str]:
        """The function from a report to its text."""
        render: Callable[[Report], str] = import_module(self.module).render
        return render

    def pieces(self, report: Report, **how: bool) -> Iterable[str]:
        """The text of a report, piece by piece; `how` is `quiet` and `colour` at a terminal."""
        if not self.in_pieces:
            return [self.load()(report)]
        pieces: Iterable[str] = import_module(self.module).pieces(report, **how)
        return pieces

    def notices(self, report: Report) -> tuple[str, ...]:
        """Sentences about what this report leaves out, for standard error."""
        if not self.has_notices:
            return ()
        notices: tuple[str, ...] = import_module(self.module).notices(report)
        return notices


REPORTERS = {
    reporter.name: reporter
    for reporter in (
        Reporter(
            "pretty",
            "for people at a terminal",
            "manni.reports.pretty",
            at_terminal=True,
            on_failure=False,
            in_pieces=True,
        ),
        Reporter(
            "full",
            "the same with source lines, help and fixes",
            "manni.reports.full",
            at_terminal=True,
            quotes=True,
            on_failure=False,
            in_pieces=True,
        ),
        Reporter(
            "concise",
            "one line a finding",
            "manni.reports.concise",
            on_failure=False,
            in_pieces=True,
        ),
        Reporter("json", "for programs", "manni.reports.json", in_pieces=True),
        Reporter("github", "annotations on a pull request", "manni.reports.github", quotes=True),
        Reporter(
            "sarif", "a SARIF 2.1.0 log for code scanning", "manni.reports.sarif", quotes=True
        ),
        # Without a verdict there is no list: an empty one would say that all was mended.
        Reporter(
            "gitlab",
            "GitLab's Code Quality report",
            "manni.reports.gitlab",
            has_notices=True,
            on_failure=False,
        ),
        Reporter(
            "html", "one page for a browser", "manni.reports.html", quotes=True, in_pieces=True
        ),
        Reporter("junit", "JUnit XML for other CI systems", "manni.reports.junit"),
    )
}
"""Every report format by name, the default first."""
