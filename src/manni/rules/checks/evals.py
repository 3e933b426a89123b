"""What the eval vocabularies ask for and their schemas cannot state.

Each check is a generator from the evals of one artifact to findings, registered in `CHECKS`; its
severity stands in `SEVERITIES`, and its text in `rules/texts/evals.yaml` under the same keyword.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from manni.model.findings import Fault, Finding, Locator, Place, Related
from manni.rules.checks.eval_entries import EvalContext, Evals, declared, quoted, strings
from manni.rules.checks.provenance import provenance_pointer, provenance_target
from manni.schemas.vocabularies import ARTIFACT_EVALS, PAGE_EVALS

GRADERS = (
    "ai",
    "human",
    "command",
    "tool-usage",
    "skill-invoked",
    "file-access",
    "turn-count",
    "cost",
    "regex",
    "json-output",
)
"""The graders that the artifact-evals vocabulary recommends."""

_TOOL_GRADER = re.compile(r"tool:[a-z0-9][a-z0-9-]*")
_TRACE = "{trace}"
_FILE = "{file}"


def check_evals(
    metadata: Mapping[str, object],
    locator: Locator,
    schemas: Iterable[str],
    context: EvalContext,
) -> tuple[Fault, ...]:
    """Check the evals of one artifact under each eval vocabulary of its schema set.

    Args:
        metadata: the joined metadata, of whatever shape.
        locator: asked only where something is found.
        schemas: the ids (`$id`) of the schemas in the artifact's set.
        context: what the run knows beside the artifact.

    Returns:
        One fault for each finding, in the order of `CHECKS`.
    """
    faults: list[Fault] = []
    for evals in declared(metadata, locator, frozenset(schemas), context):
        for run in _OF_VOCABULARY[evals.vocabulary]:
            faults += [Fault((finding,)) for finding in run(evals)]
    return tuple(faults)


def _unique_id(evals: Evals) -> Iterator[Finding]:
    """The second of two equal ids, and every later one, refers to the first."""
    if len(evals.ids) == len(evals.named):
        return
    first: dict[str, str] = {}
    for pointer, name in evals.named:
        place = f"{pointer}/id"
        earlier = first.setdefault(name, place)
        if earlier != place:
            taken = evals.locator.place(earlier)
            yield evals.finding(
                "unique-id",
                place,
                f"{quoted(name)} is already the id of the eval on line {taken.span.line}",
                actual=name,
                related=_related(taken, "the first eval with this id"),
            )


def _related(place: Place, message: str) -> tuple[Related, ...]:
    return () if place.manifest is not None else (Related(place.span, message),)


def _stale_hash(evals: Evals) -> Iterator[Finding]:
    """Hashes of an assertion other than the one that stands beside them."""
    for pointer, entry in evals.entries:
        written, assertion = entry.get("generated-assertion-hash"), entry.get("assertion")
        if not isinstance(written, str) or not isinstance(assertion, str):
            continue
        digest = hashlib.sha256(assertion.encode("utf-8", "surrogatepass")).hexdigest()
        if written.removeprefix("sha256-").lower() != digest:
            yield evals.finding(
                "stale-hash",
                f"{pointer}/generated-assertion-hash",
                "this is not the SHA-256 of the assertion as it is now; "
                "generate the command again, or review it and update the hash",
            )


def _unknown_grader(evals: Evals) -> Iterator[Finding]:
    """Graders that nobody knows; the strict overlay says the same by itself."""
    if evals.strict:
        return
    for pointer, entry in evals.entries:
        name = entry.get("grader")
        if isinstance(name, str) and not _is_known_grader(name, evals.context.graders):
            known = (*GRADERS, *sorted(evals.context.graders))
            message = f"unknown grader {quoted(name)}"
            yield evals.misnamed(
                "unknown-grader", f"{pointer}/grader", message, name=name, known=known
            )


def _is_known_grader(name: str, extra: frozenset[str]) -> bool:
    return name in _GRADERS or name in extra or _TOOL_GRADER.fullmatch(name) is not None


_GRADERS = frozenset(GRADERS)


def _placeholder(evals: Evals) -> Iterator[Finding]:
    """Commands that do not receive what is graded, or ask for what the other side receives."""
    of_page = evals.vocabulary == PAGE_EVALS
    wanted, other = (_FILE, _TRACE) if of_page else (_TRACE, _FILE)
    subject, graded = ("a page", "page") if of_page else ("an artifact", "session trace")
    for pointer, entry in evals.entries:
        if "command" not in entry:
            continue
        command = strings(entry["command"])
        foreign = [index for index, word in command if other in word]
        if foreign:
            place = f"{pointer}/command/{foreign[0]}"
            message = f"{other} stands for nothing here; a command of {subject} receives {wanted}"
            yield evals.finding("placeholder", place, message, actual=other)
        elif command and not any(wanted in word for _, word in command):
            message = f"the command never receives the {graded}; pass {wanted} to it"
            yield evals.finding("placeholder", f"{pointer}/command", message)


def _skipped(evals: Evals) -> Iterator[Finding]:
    """Evals that are switched off."""
    if evals.keys.get("eval-skip") is True:
        yield evals.finding("skipped", f"{evals.base}/eval-skip", "all evals here are skipped")
    for pointer, entry in evals.entries:
        if entry.get("skip") is True:
            name = entry.get("id", entry.get("use"))
            which = f"the eval {quoted(name)}" if isinstance(name, str) else "this eval"
            yield evals.finding("skipped", f"{pointer}/skip", f"{which} is skipped")


def _use(evals: Evals) -> Iterator[Finding]:
    """References to evals and suites that the config does not define."""
    defined, suites = evals.context.evals, evals.context.suites
    suite = evals.keys.get("eval-suite")
    if suites is not None and isinstance(suite, str) and suite not in suites:
        message = f"docevals.suites in the config defines no {quoted(suite)}"
        yield evals.misnamed(
            "use", f"{evals.base}/eval-suite", message, name=suite, known=sorted(suites)
        )
    if defined is None:
        return
    for pointer, entry in evals.entries:
        name = entry.get("use")
        if isinstance(name, str) and name not in defined:
            message = f"docevals.evals in the config defines no {quoted(name)}"
            yield evals.misnamed("use", f"{pointer}/use", message, name=name, known=sorted(defined))


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its keyword in findings and in the table of rules, and what it applies to."""

    keyword: str
    run: Callable[[Evals], Iterator[Finding]]
    vocabularies: tuple[str, ...] = (ARTIFACT_EVALS, PAGE_EVALS)


_ARTIFACTS = (ARTIFACT_EVALS,)
_PAGES = (PAGE_EVALS,)

CHECKS = (
    Check("unique-id", _unique_id),
    Check("provenance-target", provenance_target, _ARTIFACTS),
    Check("provenance-pointer", provenance_pointer, _ARTIFACTS),
    Check("stale-hash", _stale_hash),
    Check("unknown-grader", _unknown_grader, _ARTIFACTS),  # the page's schema has a closed list
    Check("placeholder", _placeholder),
    Check("skipped", _skipped),
    Check("use", _use, _PAGES),
)
"""Every check, in the order of its findings."""

_OF_VOCABULARY = {
    vocabulary: [check.run for check in CHECKS if vocabulary in check.vocabularies]
    for vocabulary in (ARTIFACT_EVALS, PAGE_EVALS)
}
