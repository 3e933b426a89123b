"""What the eval vocabularies ask for and their schemas cannot state.

Each check is a generator from the evals of one artifact to findings, registered in `CHECKS`; its
severity and help stand in the table of rules under the same keyword. A check takes metadata of any
shape: what has the wrong type is left to the schema and passed over here.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from manni.base.json_types import escape_token
from manni.base.spelling import nearest
from manni.base.text import shorten
from manni.model.findings import Fault, Finding, Locator, Place, Related
from manni.rules.texts.vocabulary import VOCABULARY
from manni.schemas.vocabularies import ARTIFACT_EVALS, ARTIFACT_EVALS_STRICT, PAGE_EVALS

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
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
_BAD_ESCAPE = re.compile("~(?![01])")
_TRACE = "{trace}"
_FILE = "{file}"
_NAME_LIMIT = 80


@dataclass(frozen=True, slots=True)
class EvalContext:
    """What the checks know beside the artifact; the same for a whole run.

    Attributes:
        graders: names to accept beside the recommended ones and `tool:<kebab>`.
        evals: the evals that the config defines for `use`, or None when it has no such section.
        suites: the suites that it defines for `eval-suite`, likewise.
    """

    graders: frozenset[str] = frozenset()
    evals: frozenset[str] | None = None
    suites: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class _Evals:
    """The evals of one artifact under one vocabulary.

    Attributes:
        vocabulary: its id, the schema of the findings.
        metadata: the whole metadata.
        keys: the mapping that holds `evals` and its siblings.
        base: the JSON Pointer of that mapping.
        entries: the evals that are mappings, each with its pointer.
        named: the ids of these, each with the pointer of its entry.
        ids: the same ids, each once.
        provenance: the entries of the attribution trail, like `entries`.
        strict: whether the strict overlay is checked as well.
        locator: of the metadata.
        context: what is known beside it.
    """

    vocabulary: str
    metadata: Mapping[str, object]
    keys: Mapping[str, object]
    base: str
    entries: Sequence[tuple[str, Mapping[str, object]]]
    named: Sequence[tuple[str, str]]
    ids: tuple[str, ...]
    provenance: Sequence[tuple[str, Mapping[str, object]]]
    strict: bool
    locator: Locator
    context: EvalContext

    def finding(
        self,
        keyword: str,
        pointer: str,
        message: str,
        *,
        actual: str | None = None,
        allowed: Iterable[str] = (),
        related: tuple[Related, ...] = (),
    ) -> Finding:
        """A finding of this vocabulary about the value at the pointer."""
        return Finding(
            schema=self.vocabulary,
            keyword=keyword,
            message=message,
            pointer=pointer,
            severity=VOCABULARY[keyword].severity,
            subject=actual,
            place=self.locator.place(pointer),
            identity=self.locator.identity(pointer),
            allowed=tuple(allowed),
            actual=actual,
            related=related,
        )


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
    for evals in _declared(metadata, locator, frozenset(schemas), context):
        for run in _OF_VOCABULARY[evals.vocabulary]:
            faults += [Fault((finding,)) for finding in run(evals)]
    return tuple(faults)


def _declared(
    metadata: Mapping[str, object],
    locator: Locator,
    schemas: frozenset[str],
    context: EvalContext,
) -> Iterator[_Evals]:
    strict = ARTIFACT_EVALS_STRICT in schemas
    inner = metadata.get("metadata")
    places: list[tuple[str, Mapping[str, object], str]] = []
    if ARTIFACT_EVALS in schemas and isinstance(inner, dict):
        places.append((ARTIFACT_EVALS, inner, "/metadata"))
    if PAGE_EVALS in schemas:
        places.append((PAGE_EVALS, metadata, ""))
    for vocabulary, keys, base in places:
        entries = _mappings(keys.get("evals"), f"{base}/evals")
        named = [(at, name) for at, entry in entries if isinstance(name := entry.get("id"), str)]
        ids = tuple(dict.fromkeys([name for _, name in named]))
        trail = _mappings(keys.get("meta-provenance"), f"{base}/meta-provenance")
        yield _Evals(
            vocabulary, metadata, keys, base, entries, named, ids, trail, strict, locator, context
        )


def _unique_id(evals: _Evals) -> Iterator[Finding]:
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
                f"{_quoted(name)} is already the id of the eval on line {taken.span.line}",
                actual=name,
                related=_related(taken, "the first eval with this id"),
            )


def _provenance_target(evals: _Evals) -> Iterator[Finding]:
    """Ids that no eval has, and confidence in what its entry does not list."""
    known = frozenset(evals.ids)
    for pointer, entry in evals.provenance:
        for index, name in _strings(entry.get("evals")):
            if name not in known:
                place = f"{pointer}/evals/{index}"
                message = f"no eval of this artifact has the id {_quoted(name)}"
                yield _misnamed(
                    evals, "provenance-target", place, message, name=name, known=evals.ids
                )
        if "confidence" in entry:
            yield from _dangling_confidence(evals, pointer, entry)


_TRAIL_KEYS = frozenset(("generated-by", "evals", "fields", "confidence"))


def _listed(entry: Mapping[str, object]) -> dict[str, None] | None:
    """The names that `confidence` may hold; None where its entry cannot be relied on.

    What is wrong with the entry, such as a misspelled key, the schema says; it is not said twice.
    """
    lists = (entry.get("evals", []), entry.get("fields", []))
    names = [name for value in lists if isinstance(value, list) for name in value]
    sound = all(isinstance(value, list) for value in lists) and _STRING.issuperset(map(type, names))
    return dict.fromkeys(names) if sound and entry.keys() <= _TRAIL_KEYS else None


_STRING = frozenset((str,))


def _dangling_confidence(
    evals: _Evals, pointer: str, entry: Mapping[str, object]
) -> Iterator[Finding]:
    confidence = entry.get("confidence")
    listed = _listed(entry)
    if not isinstance(confidence, dict) or listed is None:
        return
    for name in confidence:
        if name not in listed:
            place = f"{pointer}/confidence/{escape_token(name)}"
            message = f"{_quoted(name)} is in neither evals nor fields of this entry"
            yield _misnamed(evals, "provenance-target", place, message, name=name, known=listed)


def _provenance_pointer(evals: _Evals) -> Iterator[Finding]:
    """JSON Pointers to values that the metadata does not hold."""
    for pointer, entry in evals.provenance:
        for index, field in _strings(entry.get("fields")):
            if field.startswith("/") and not _resolves(evals.metadata, field):
                message = f"{_quoted(field)} points at nothing in the metadata"
                place = f"{pointer}/fields/{index}"
                yield evals.finding("provenance-pointer", place, message, actual=field)


def _stale_hash(evals: _Evals) -> Iterator[Finding]:
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


def _unknown_grader(evals: _Evals) -> Iterator[Finding]:
    """Graders that nobody knows; the strict overlay says the same by itself."""
    if evals.strict:
        return
    for pointer, entry in evals.entries:
        name = entry.get("grader")
        if isinstance(name, str) and not _is_known_grader(name, evals.context.graders):
            known = (*GRADERS, *sorted(evals.context.graders))
            message = f"unknown grader {_quoted(name)}"
            yield _misnamed(
                evals, "unknown-grader", f"{pointer}/grader", message, name=name, known=known
            )


def _is_known_grader(name: str, extra: frozenset[str]) -> bool:
    return name in _GRADERS or name in extra or _TOOL_GRADER.fullmatch(name) is not None


_GRADERS = frozenset(GRADERS)


def _placeholder(evals: _Evals) -> Iterator[Finding]:
    """Commands that do not receive what is graded, or ask for what the other side receives."""
    of_page = evals.vocabulary == PAGE_EVALS
    wanted, other = (_FILE, _TRACE) if of_page else (_TRACE, _FILE)
    subject, graded = ("a page", "page") if of_page else ("an artifact", "session trace")
    for pointer, entry in evals.entries:
        if "command" not in entry:
            continue
        command = _strings(entry["command"])
        foreign = [index for index, word in command if other in word]
        if foreign:
            place = f"{pointer}/command/{foreign[0]}"
            message = f"{other} stands for nothing here; a command of {subject} receives {wanted}"
            yield evals.finding("placeholder", place, message, actual=other)
        elif command and not any(wanted in word for _, word in command):
            message = f"the command never receives the {graded}; pass {wanted} to it"
            yield evals.finding("placeholder", f"{pointer}/command", message)


def _skipped(evals: _Evals) -> Iterator[Finding]:
    """Evals that are switched off."""
    if evals.keys.get("eval-skip") is True:
        yield evals.finding("skipped", f"{evals.base}/eval-skip", "all evals here are skipped")
    for pointer, entry in evals.entries:
        if entry.get("skip") is True:
            name = entry.get("id", entry.get("use"))
            which = f"the eval {_quoted(name)}" if isinstance(name, str) else "this eval"
            yield evals.finding("skipped", f"{pointer}/skip", f"{which} is skipped")


def _use(evals: _Evals) -> Iterator[Finding]:
    """References to evals and suites that the config does not define."""
    defined, suites = evals.context.evals, evals.context.suites
    suite = evals.keys.get("eval-suite")
    if suites is not None and isinstance(suite, str) and suite not in suites:
        message = f"docevals.suites in the config defines no {_quoted(suite)}"
        yield _misnamed(
            evals, "use", f"{evals.base}/eval-suite", message, name=suite, known=sorted(suites)
        )
    if defined is None:
        return
    for pointer, entry in evals.entries:
        name = entry.get("use")
        if isinstance(name, str) and name not in defined:
            message = f"docevals.evals in the config defines no {_quoted(name)}"
            yield _misnamed(
                evals, "use", f"{pointer}/use", message, name=name, known=sorted(defined)
            )


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its keyword in findings and in the table of rules, and what it applies to."""

    keyword: str
    run: Callable[[_Evals], Iterator[Finding]]
    vocabularies: tuple[str, ...] = (ARTIFACT_EVALS, PAGE_EVALS)


_ARTIFACTS = (ARTIFACT_EVALS,)
_PAGES = (PAGE_EVALS,)

CHECKS = (
    Check("unique-id", _unique_id),
    Check("provenance-target", _provenance_target, _ARTIFACTS),
    Check("provenance-pointer", _provenance_pointer, _ARTIFACTS),
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


def _misnamed(
    evals: _Evals, keyword: str, pointer: str, message: str, *, name: str, known: Iterable[str]
) -> Finding:
    """A finding about a name that is none of those known; it says the nearest one."""
    names = tuple(known)
    near = nearest(name, names)
    said = message if near is None else f"{message}; did you mean {_quoted(near)}?"
    return evals.finding(keyword, pointer, said, actual=name, allowed=names)


def _related(place: Place, message: str) -> tuple[Related, ...]:
    return () if place.manifest is not None else (Related(place.span, message),)


def _mappings(value: object, base: str) -> list[tuple[str, Mapping[str, object]]]:
    if not isinstance(value, list):
        return []
    return [(f"{base}/{index}", item) for index, item in enumerate(value) if isinstance(item, dict)]


def _strings(value: object) -> list[tuple[int, str]]:
    """The strings of a list, each with its index."""
    if not isinstance(value, list):
        return []
    return [(index, item) for index, item in enumerate(value) if isinstance(item, str)]


def _resolves(value: object, pointer: str) -> bool:
    """Whether a JSON Pointer (RFC 6901) that is not empty names something in the value."""
    if _BAD_ESCAPE.search(pointer):
        return False
    for step in pointer.split("/")[1:]:
        if isinstance(value, dict):
            key = step.replace("~1", "/").replace("~0", "~")
            if key not in value:
                return False
            value = value[key]
        elif isinstance(value, list):
            if not _INDEX.fullmatch(step) or int(step) >= len(value):
                return False
            value = value[int(step)]
        else:
            return False
    return True


def _quoted(name: str) -> str:
    return f"'{shorten(name, _NAME_LIMIT)}'"
