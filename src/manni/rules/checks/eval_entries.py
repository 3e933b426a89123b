"""The evals of one artifact, as the checks of the eval vocabularies see them.

What has the wrong type is left to the schema and passed over here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from manni.base.spelling import nearest
from manni.base.text import shorten
from manni.model.findings import Finding, Locator, Related, Severity
from manni.schemas.vocabularies import ARTIFACT_EVALS, ARTIFACT_EVALS_STRICT, PAGE_EVALS

_NAME_LIMIT = 80

SEVERITIES = {
    "unique-id": Severity.ERROR,
    "provenance-target": Severity.ERROR,
    "provenance-pointer": Severity.WARNING,
    "stale-hash": Severity.WARNING,
    "unknown-grader": Severity.WARNING,
    "placeholder": Severity.WARNING,
    "skipped": Severity.NOTICE,
    "use": Severity.ERROR,
}
"""How much the findings of each check matter, by the keyword that they carry."""


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
class Evals:
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
            severity=SEVERITIES[keyword],
            subject=actual,
            place=self.locator.place(pointer),
            identity=self.locator.identity(pointer),
            allowed=tuple(allowed),
            actual=actual,
            related=related,
        )

    def misnamed(
        self, keyword: str, pointer: str, message: str, *, name: str, known: Iterable[str]
    ) -> Finding:
        """A finding about a name that is none of those known; it says the nearest one."""
        names = tuple(known)
        near = nearest(name, names)
        said = message if near is None else f"{message}; did you mean {quoted(near)}?"
        return self.finding(keyword, pointer, said, actual=name, allowed=names)


def declared(
    metadata: Mapping[str, object],
    locator: Locator,
    schemas: frozenset[str],
    context: EvalContext,
) -> Iterator[Evals]:
    """The evals of an artifact under each vocabulary of its schemas (given by their ids)."""
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
        yield Evals(
            vocabulary, metadata, keys, base, entries, named, ids, trail, strict, locator, context
        )


def _mappings(value: object, base: str) -> list[tuple[str, Mapping[str, object]]]:
    if not isinstance(value, list):
        return []
    return [(f"{base}/{index}", item) for index, item in enumerate(value) if isinstance(item, dict)]


def strings(value: object) -> list[tuple[int, str]]:
    """The strings of a list, each with its index."""
    if not isinstance(value, list):
        return []
    return [(index, item) for index, item in enumerate(value) if isinstance(item, str)]


def quoted(name: str) -> str:
    """The name in quotes, cut where it is very long."""
    return f"'{shorten(name, _NAME_LIMIT)}'"
