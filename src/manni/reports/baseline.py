"""The findings that a project has decided to live with.

A baseline is a JSON file, `{"version": 1, "generatedWith": "manni 1.2.3", "entries": {path:
[fingerprint, ...]}}`: for each artifact, by its path relative to the config's directory, the set of
`baseline_fingerprint`s of its recorded findings. A recorded finding no longer counts.

Errors and warnings are recorded. Notices never are: what they report, such as skipped evals, is to
be seen in every run.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from manni.base.boundary import LEAVES, leaves_boundary
from manni.base.errors import ConfigError, OperationalError, UsageError
from manni.base.files import write_file
from manni.base.text import shorten, visible
from manni.model.findings import Fault, FileResult, Finding, Severity
from manni.reports.fingerprints import baseline_fingerprint

VERSION = 1
"""The one version of the format there is."""

_SIZE_LIMIT = 32 * 1024 * 1024
_FINGERPRINT = re.compile("[0-9a-f]{16}")
_SHOWN = 80
_AGAIN = "Write it anew with --write-baseline."


@dataclass(frozen=True, slots=True)
class Baseline:
    """The recorded findings: for each artifact's `FileResult.key`, the fingerprints."""

    entries: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))

    def __len__(self) -> int:
        """How many findings are recorded."""
        return sum(map(len, self.entries.values()))


@dataclass(frozen=True, slots=True)
class Applied:
    """Results without their recorded findings.

    Attributes:
        results: in the order given, with `baselined` counted.
        stale: the recorded findings that no longer occur.
    """

    results: tuple[FileResult, ...]
    stale: Baseline


def read(path: Path, *, required: bool) -> Baseline:
    """The baseline in a file.

    Args:
        path: of the file.
        required: whether it must exist, as one that a command line names; where it need not, one
            that does not exist records nothing.

    Raises:
        UsageError: it is required and does not exist.
        ConfigError: it cannot be read, or is no baseline.
    """
    where = visible(str(path))
    try:
        data = _bytes(path)
    except FileNotFoundError:
        if not required:
            return Baseline()
        message = "there is no such baseline. Make one with --write-baseline."
        raise UsageError(message, where=where) from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"the baseline cannot be read: {_reason(error)}.", where=where) from None
    return Baseline(_entries(_json(data, where), where))


def write(path: Path, baseline: Baseline, *, version: str) -> None:
    """Put the baseline in a file, sorted, at once or not at all.

    A symbolic link is kept, and the file that it names is replaced.

    Args:
        path: of the file; its directory must exist.
        baseline: what to record. Artifacts without a finding are left out.
        version: of this tool.

    Raises:
        UsageError: the file cannot be written.
    """
    document = {
        "version": VERSION,
        "generatedWith": f"manni {version}",
        "entries": {key: sorted(baseline.entries[key]) for key in sorted(baseline.entries)},
    }
    # A lone surrogate, as in the name of a file that is not UTF-8, becomes a JSON escape.
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    try:
        write_file(path, [text])
    except (OSError, ValueError) as error:
        message = f"the baseline cannot be written: {_reason(error)}."
        raise UsageError(message, where=visible(str(path))) from None


def record(
    results: Iterable[FileResult], previous: Baseline | None = None, *, complete: bool = True
) -> Baseline:
    """The baseline of a run's results, which must not have a baseline applied to them.

    Args:
        results: of the run.
        previous: the baseline that is written over.
        complete: whether the run covered every artifact; when it did not, artifacts that it did not
            cover keep what `previous` records of them.
    """
    kept = {} if previous is None or complete else dict(previous.entries)
    for result in results:
        found = _recorded(result)
        if found:
            kept[result.key] = found
        else:
            kept.pop(result.key, None)
    return Baseline(MappingProxyType(kept))


def apply(results: Iterable[FileResult], baseline: Baseline, *, complete: bool) -> Applied:
    """Take recorded findings out of the results.

    Args:
        results: of the run, each artifact once.
        baseline: what is recorded.
        complete: whether the run covered every artifact, so that what is recorded of an artifact
            it did not meet no longer occurs.
    """
    kept: list[FileResult] = []
    stale: dict[str, frozenset[str]] = {}
    covered: set[str] = set()
    for result in results:
        covered.add(result.key)
        known = baseline.entries.get(result.key)
        if not known:
            kept.append(result)
            continue
        kept.append(_without(result, known))
        if gone := known - _recorded(result):
            stale[result.key] = gone
    if complete:
        stale |= {key: known for key, known in baseline.entries.items() if key not in covered}
    return Applied(tuple(kept), Baseline(MappingProxyType(stale)))


def _recordable(finding: Finding) -> bool:
    return finding.severity is not Severity.NOTICE


def _recorded(result: FileResult) -> frozenset[str]:
    return frozenset(baseline_fingerprint(each) for each in result.findings if _recordable(each))


def _without(result: FileResult, known: frozenset[str]) -> FileResult:
    faults = [left for fault in result.faults if (left := _rest(fault, known)) is not None]
    before, after = len(result.findings), sum(len(fault.findings) for fault in faults)
    if before == after:
        return result
    return replace(result, faults=tuple(faults), baselined=result.baselined + before - after)


def _rest(fault: Fault, known: frozenset[str]) -> Fault | None:
    """The fault without its recorded findings; its first one leads where its lead is recorded."""
    lead = 0
    kept: list[Finding] = []
    for index, finding in enumerate(fault.findings):
        if _recordable(finding) and baseline_fingerprint(finding) in known:
            continue
        if index == fault.lead:
            lead = len(kept)
        kept.append(finding)
    return Fault(tuple(kept), lead) if kept else None


def _bytes(path: Path) -> bytes:
    """The bytes of a regular file; anything that could block or grow without end is refused."""
    if leaves_boundary(path):
        raise ValueError(LEAVES)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor has no path
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("it is not a regular file")
        data = file.read(_SIZE_LIMIT + 1)
    if len(data) > _SIZE_LIMIT:
        raise ValueError(f"it is larger than {_SIZE_LIMIT // 1024**2} MiB")
    return data


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, OSError):
        return (error.strerror or "unknown error").lower()
    return visible(str(error))


def _json(data: bytes, where: str) -> object:
    try:
        value: object = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        place = f"{where}:{error.lineno}:{error.colno}"
        raise ConfigError(f"the baseline is not valid JSON. {_AGAIN}", where=place) from None
    except UnicodeDecodeError:
        raise ConfigError(f"the baseline is not UTF-8. {_AGAIN}", where=where) from None
    except (ValueError, RecursionError):
        raise ConfigError(f"the baseline is not readable JSON. {_AGAIN}", where=where) from None
    return value


def _entries(value: object, where: str) -> Mapping[str, frozenset[str]]:
    if not isinstance(value, dict):
        raise _malformed("it must be a mapping", where)
    version = value.get("version")
    if isinstance(version, bool) or version != VERSION:
        raise _malformed(f'"version" must be {VERSION}', where)
    entries = value.get("entries")
    if not isinstance(entries, dict):
        raise _malformed('"entries" must be a mapping from paths to lists', where)
    return MappingProxyType({key: _fingerprints(key, entries[key], where) for key in entries})


def _fingerprints(key: str, value: object, where: str) -> frozenset[str]:
    named = f'"{shorten(visible(key), _SHOWN)}" in "entries"'
    if not isinstance(value, list):
        raise _malformed(f"{named} must be a list", where)
    for item in value:
        if not isinstance(item, str) or _FINGERPRINT.fullmatch(item) is None:
            raise _malformed(f"{named} must hold fingerprints of 16 hexadecimal digits", where)
    return frozenset(value)


def _malformed(what: str, where: str) -> OperationalError:
    return ConfigError(f"the baseline is malformed: {what}. {_AGAIN}", where=where)
