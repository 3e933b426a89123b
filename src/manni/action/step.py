"""The container's entry: the inputs of a step turned into a run, and that into what it shows.

Text from the repository is printed only where the runner reads no commands, or escaped.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NoReturn

from manni.action.inputs import Inputs, read_inputs
from manni.base.boundary import confined
from manni.base.errors import OperationalError, defect
from manni.base.text import visible
from manni.engine.settings import exit_code
from manni.model.findings import Report
from manni.reports import REPORTERS, github, pretty

_NO_VERDICT = 2
_TERMINATED = 128 + signal.SIGTERM


def run_action() -> int:
    """Run one step: read the inputs, check, print, write the reports, the summary and the outputs.

    Returns:
        The exit code: 0 when nothing failed, 1 when a finding did, 2 when there is no verdict.
    """
    if os.getpid() == 1:  # the first process of a container ignores signals that it does not handle
        signal.signal(signal.SIGTERM, _end)
    return _Step(os.environ).run()


def _end(_number: int, _frame: object) -> NoReturn:
    os._exit(_TERMINATED)


class _Step:
    """One step of a workflow."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._inputs = read_inputs(environ)
        self._failed = False
        self._sarif = ""

    def run(self) -> int:
        """Do all that the step is for, and give its exit code."""
        inputs = self._inputs
        report = self._check()
        _print_aside(_log(inputs, report), _title(report))
        if inputs.annotations or report.failure is not None:
            _print(github.render(report))
        _announce("notice", inputs.notices)
        notices = self._log_for_code_scanning(report)
        for format_ in ("json", "junit"):
            if path := inputs.files.get(format_):
                self._save(format_, path, REPORTERS[format_].load()(report))
        if inputs.summary:
            self._summarize(report, notices)
        return self._put_out(report)

    def _check(self) -> Report:
        """The report of the run; where there is no verdict its `failure` says why."""
        from manni.engine.run import failed, run

        inputs = self._inputs
        if inputs.problems:
            return failed(inputs.settings, " ".join(inputs.problems))
        try:
            with confined(
                inputs.settings.cwd if inputs.workspace is None else inputs.workspace.root
            ):
                return run(inputs.settings)
        except OperationalError as error:
            return failed(inputs.settings, f"{error}{_checkout_hint(inputs)}")
        except Exception as error:  # noqa: BLE001 - the log, the outputs and the annotation still come
            return failed(inputs.settings, defect(error))

    def _log_for_code_scanning(self, report: Report) -> tuple[str, ...]:
        """Write the SARIF log, and give the sentences about what it does not hold."""
        path = self._inputs.files.get("sarif")
        if path is None:
            return ()
        from manni.reports import sarif

        log = sarif.build(report)
        if self._save("sarif", path, log.text):
            self._sarif = str(path)
        _announce("notice", log.notices)
        return log.notices

    def _save(self, format_: str, path: PurePosixPath, text: str) -> bool:
        """Write a report to its file in the workspace; whether that could be done."""
        workspace = self._inputs.workspace
        if workspace is None:  # then no input names a file in it
            return False
        try:
            workspace.write(path, text)
        except (OSError, ValueError) as error:
            self._complain(
                f"input '{format_}-file': '{visible(str(path))}' cannot be written "
                f"({_reason(error)}); name a file in a directory that can be written, and no link."
            )
            return False
        return True

    def _summarize(self, report: Report, notices: Sequence[str]) -> None:
        """Add to the step summary; a verdict never depends on it."""
        path = self._environ.get("GITHUB_STEP_SUMMARY")
        if not path:
            return
        from manni.reports import summary

        data = summary.render(report, notices=notices).encode("utf-8", "backslashreplace")
        try:
            with Path(path).open("ab") as file:
                if file.tell() + len(data) <= summary.MAX_BYTES:
                    file.write(data)
        except OSError as error:
            _announce("warning", [f"the step summary cannot be written ({_reason(error)})."])

    def _put_out(self, report: Report) -> int:
        """Write the step's outputs.

        Returns:
            The step's exit code, which is in the outputs too.
        """
        code = _NO_VERDICT
        if not self._failed:
            code = exit_code(report)
        path = self._environ.get("GITHUB_OUTPUT")
        if not path:
            return code
        omitted = github.omitted(report) if self._inputs.annotations else 0
        data = _outputs(report, self._sarif, omitted, code)
        try:
            with Path(path).open("ab") as file:
                file.write(data.encode("utf-8", "surrogateescape"))
        except OSError as error:
            self._complain(f"the outputs of the step cannot be written ({_reason(error)}).")
            return _NO_VERDICT
        return code

    def _complain(self, message: str) -> None:
        """Print an error that leaves the step without a verdict."""
        self._failed = True
        _announce("error", [message])


def _log(inputs: Inputs, report: Report) -> str:
    """The report for people, after the notes of the run."""
    notes = "".join(f"notice: {visible(note)}\n" for note in report.notes)
    if report.failure is not None:
        return notes
    text = notes + pretty.render(report, quiet=inputs.quiet, colour=inputs.colour)
    if not inputs.statistics:
        return text
    from manni.reports import statistics

    return f"{text}\n{statistics.render(report)}"


def _outputs(report: Report, sarif: str, omitted: int, code: int) -> str:
    """The outputs in the form that `GITHUB_OUTPUT` takes, with a delimiter nobody can guess."""
    counts = report.summary
    values: dict[str, str | int] = {
        "exit-code": code,
        "sarif-file": sarif,
        "files": counts.checked,
        "failed": counts.failed,
        "errors": counts.errors,
        "warnings": counts.warnings,
        "notices": counts.notices,
        "faults": counts.faults,
        "annotations-omitted": omitted,
    }
    delimiter = _unguessable()
    return "".join(f"{name}<<{delimiter}\n{value}\n{delimiter}\n" for name, value in values.items())


def _title(report: Report) -> str:
    """The heading of the log's group, which is all that is seen of it until it is opened."""
    return "notices" if report.failure is not None else pretty.summary_line(report.summary)


def _print_aside(text: str, title: str) -> None:
    """Print text in a group of the log, with the reading of commands stopped meanwhile."""
    if not text:
        return
    token = _unguessable()
    _print(
        f"::group::manni: {title}\n::stop-commands::{token}\n{text}\n::{token}::\n::endgroup::\n"
    )


def _announce(level: str, messages: Iterable[str]) -> None:
    """Print an annotation of its own for each message."""
    _print("".join(f"{github.command(level, title='manni', message=said)}\n" for said in messages))


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _unguessable() -> str:
    return f"manni-{os.urandom(16).hex()}"


def _checkout_hint(inputs: Inputs) -> str:
    empty = inputs.workspace is not None and inputs.workspace.is_empty()
    return " The workspace is empty: run actions/checkout before this step." if empty else ""


def _reason(error: OSError | ValueError) -> str:
    said = error.strerror if isinstance(error, OSError) else None
    return (said or "not a usable path").lower()
