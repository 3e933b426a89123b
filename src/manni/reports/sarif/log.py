"""A report as a SARIF 2.1.0 log that stays within code scanning's ceilings.

Results are written one at a time and worst first, so that a ceiling costs the least, and so that a
log of any size is never held as objects. What a ceiling costs is said in a notification. Nothing in
a log depends on the clock or on chance.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import sarif_om as om

from manni.base.text import count, shorten, visible
from manni.model.findings import PARSE_SCHEMA, Report, SchemaInfo
from manni.reports.entries import Entry, entries, suppressed, worst_first
from manni.reports.sarif.results import (
    LEVELS,
    MESSAGE_ID,
    MESSAGE_TEMPLATE,
    ROOT,
    result,
    sentence,
)
from manni.reports.sarif.writer import encode, splice
from manni.rules.registry import HOME, Rule, describe

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"

MAX_RESULTS = 25_000
"""Results a run above which code scanning refuses a log."""

KEPT_RESULTS = 5_000
"""Results a run that code scanning keeps."""

MAX_RULES = 1_000
"""Rules a log; code scanning refuses more than 25,000, and their texts are long."""

MAX_EXTENSIONS = 100
MAX_TAGS = 20

MAX_GZIPPED = 9_500_000
"""Bytes of a compressed log; code scanning refuses more than 10 MB."""

MAX_BYTES = 64_000_000
"""Bytes of a log, so that no run takes more memory than a small machine has."""

_TITLE_LIMIT = 250
_SEMANTIC_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?")
_ADDRESS = re.compile(r"https?://[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+")
_PROBLEM_SEVERITIES = {"error": "error", "warning": "warning", "note": "recommendation"}


@dataclass(frozen=True, slots=True)
class Log:
    """A log, and what it does not hold.

    Attributes:
        text: the whole log as JSON.
        results: how many results it holds.
        left_out: how many results a ceiling left out.
        outside: how many were left out because their file is outside the repository.
        notices: a sentence for each thing that the log's reader should know.
    """

    text: str
    results: int
    left_out: int
    outside: int
    notices: tuple[str, ...]


def render(report: Report) -> str:
    """The report as the text of a SARIF log; see `build`."""
    return build(report).text


def build(report: Report) -> Log:
    """The report as a SARIF log; a run without a verdict has no results and says why."""
    every = worst_first(list(entries(report))) if report.failure is None else []
    if report.keeps_suppressed:
        every += suppressed(report)
    inside = [entry for entry in every if entry.path is not None]
    chosen, rules = _choose(inside)
    texts = _within(encode(result(each.entry, each.path, each.rule)) for each in chosen)
    chosen = chosen[: len(texts)]
    extensions = _extensions(report, chosen)
    left_out, outside = len(inside) - len(texts), len(every) - len(inside)
    notices = tuple(_notices(len(texts), left_out, outside, len(extensions)))
    run = om.Run(
        tool=om.Tool(
            driver=_driver(report, rules[: 1 + max((each.rule for each in chosen), default=-1)]),
            extensions=[_extension(schema) for schema in extensions[:MAX_EXTENSIONS]] or None,
        ),
        automation_details=om.RunAutomationDetails(id=f"manni/{visible(report.category)}/"),
        column_kind="unicodeCodePoints",
        invocations=[_invocation(report, notices)],
        original_uri_base_ids={ROOT: om.ArtifactLocation(description=_text("The repository."))},
        version_control_provenance=_provenance(report),
    )
    frame = encode({"$schema": SCHEMA, "version": VERSION})
    text = splice(frame, "runs", [splice(encode(run), "results", texts)])
    return Log(f"{text}\n", len(texts), left_out, outside, notices)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """An entry that the log has room for, its file, and its rule's index."""

    entry: Entry
    path: str
    rule: int


def _choose(ordered: Iterable[Entry]) -> tuple[list[_Chosen], list[Rule]]:
    """The entries that the ceilings on results and rules let in, and the rules behind them."""
    chosen: list[_Chosen] = []
    rules: list[Rule] = []
    indices: dict[str, int] = {}
    for entry in ordered:
        finding, path = entry.finding, entry.path
        index = indices.get(finding.rule_id)
        if index is None and len(rules) < MAX_RULES:
            index = indices[finding.rule_id] = len(rules)
            rules.append(describe(finding.schema, finding.keyword))
        if index is None or path is None:
            continue
        chosen.append(_Chosen(entry, path, index))
        if len(chosen) == MAX_RESULTS:
            break
    return chosen, rules


def _within(texts: Iterable[str]) -> list[str]:
    """As many of the results' texts, from the first, as the ceilings on a log's size let in."""
    kept: list[str] = []
    size = 0
    for text in texts:
        size += len(text.encode())
        if size > MAX_BYTES:
            break
        kept.append(text)
    return kept if size <= MAX_GZIPPED else kept[: _fitting(kept)]


def _fitting(texts: Sequence[str]) -> int:
    """How many of the texts, from the first, compress to at most `MAX_GZIPPED` bytes."""
    # The quickest compression is the loosest one, so what fits with it fits with any.
    for level in (1, 6):
        compressor, size, number = zlib.compressobj(level), 0, 0
        for text in texts:
            size += len(compressor.compress(text.encode()))
            if size > MAX_GZIPPED:
                break
            number += 1
        if number == len(texts):
            break
    return number


def _notices(kept: int, left_out: int, outside: int, extensions: int) -> Iterator[str]:
    if left_out:
        yield (
            f"{count(left_out, 'result')} of {kept + left_out} left out, the least severe first: "
            "code scanning refuses larger logs."
        )
    if kept > KEPT_RESULTS:
        yield f"Code scanning shows the {KEPT_RESULTS} worst of the {kept} results in this log."
    if outside:
        yield (
            f"{count(outside, 'result')} left out, because code scanning shows no file outside the "
            "repository."
        )
    if extensions > MAX_EXTENSIONS:
        yield (
            f"{count(extensions - MAX_EXTENSIONS, 'schema')} left undescribed: code scanning "
            f"refuses more than {MAX_EXTENSIONS}."
        )


def _driver(report: Report, rules: Sequence[Rule]) -> om.ToolComponent:
    version = report.version or None
    semantic = version if version and _SEMANTIC_VERSION.fullmatch(version) else None
    return om.ToolComponent(
        name="manni",
        full_name=f"manni {report.version}".rstrip(),
        version=version,
        semantic_version=semantic,
        information_uri=HOME,
        # A log without any rule is refused, so a clean one describes the rule that always applies.
        rules=[_descriptor(rule) for rule in rules or [describe(PARSE_SCHEMA, "parse")]],
    )


def _descriptor(rule: Rule) -> om.ReportingDescriptor:
    level = LEVELS[rule.severity]
    return om.ReportingDescriptor(
        id=rule.id,
        name=rule.name,
        short_description=_text(sentence(rule.short)),
        full_description=_text(rule.full),
        help=om.MultiformatMessageString(text=rule.help_text, markdown=rule.help_markdown),
        help_uri=rule.uri,
        message_strings={MESSAGE_ID: _text(MESSAGE_TEMPLATE)},
        default_configuration=om.ReportingConfiguration(level=level),
        properties={
            "tags": list(rule.tags[:MAX_TAGS]),
            "precision": "very-high",
            "problem.severity": _PROBLEM_SEVERITIES[level],
        },
    )


def _extensions(report: Report, chosen: Iterable[_Chosen]) -> list[SchemaInfo]:
    """The schemas behind the results, in the order that the run met them."""
    hit = {each.entry.finding.schema for each in chosen}
    unique = {schema.reference: schema for schema in report.schemas if schema.reference in hit}
    return list(unique.values())


def _extension(schema: SchemaInfo) -> om.ToolComponent:
    return om.ToolComponent(
        name=visible(schema.reference),
        version=visible(schema.version) or None,
        full_name=shorten(visible(schema.title), _TITLE_LIMIT) or None,
        information_uri=_address(schema.uri),
    )


def _invocation(report: Report, notices: Iterable[str]) -> om.Invocation:
    failed = report.failure is not None
    notes = [_notification("note", note) for note in (*report.notes, *notices)]
    return om.Invocation(
        execution_successful=not failed,
        exit_code=2 if failed else int(report.summary.errors > 0),
        tool_configuration_notifications=(
            [_notification("error", report.failure)] if report.failure is not None else None
        ),
        tool_execution_notifications=notes or None,
    )


def _notification(level: str, text: str) -> om.Notification:
    return om.Notification(level=level, message=om.Message(text=sentence(text)))


def _provenance(report: Report) -> list[om.VersionControlDetails] | None:
    repository = report.repository
    url = _address(repository.url)
    if url is None:
        return None
    return [
        om.VersionControlDetails(
            repository_uri=url,
            revision_id=repository.revision,
            branch=repository.branch,
            mapped_to=om.ArtifactLocation(uri_base_id=ROOT),
        )
    ]


def _address(text: str | None) -> str | None:
    return text if text is not None and _ADDRESS.fullmatch(text) else None


def _text(text: str) -> om.MultiformatMessageString:
    return om.MultiformatMessageString(text=text)
