"""The attribution trail, `meta-provenance`, held against the evals and values that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from manni.base.json_types import escape_token
from manni.model.findings import Finding
from manni.rules.checks.eval_entries import Evals, quoted, strings

_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
_BAD_ESCAPE = re.compile("~(?![01])")


def provenance_target(evals: Evals) -> Iterator[Finding]:
    """Ids that no eval has, and confidence in what its entry does not list."""
    known = frozenset(evals.ids)
    for pointer, entry in evals.provenance:
        for index, name in strings(entry.get("evals")):
            if name not in known:
                place = f"{pointer}/evals/{index}"
                message = f"no eval of this artifact has the id {quoted(name)}"
                yield evals.misnamed(
                    "provenance-target", place, message, name=name, known=evals.ids
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
    evals: Evals, pointer: str, entry: Mapping[str, object]
) -> Iterator[Finding]:
    confidence = entry.get("confidence")
    listed = _listed(entry)
    if not isinstance(confidence, dict) or listed is None:
        return
    for name in confidence:
        if name not in listed:
            place = f"{pointer}/confidence/{escape_token(name)}"
            message = f"{quoted(name)} is in neither evals nor fields of this entry"
            yield evals.misnamed("provenance-target", place, message, name=name, known=listed)


def provenance_pointer(evals: Evals) -> Iterator[Finding]:
    """JSON Pointers to values that the metadata does not hold."""
    for pointer, entry in evals.provenance:
        for index, field in strings(entry.get("fields")):
            if field.startswith("/") and not _resolves(evals.metadata, field):
                message = f"{quoted(field)} points at nothing in the metadata"
                place = f"{pointer}/fields/{index}"
                yield evals.finding("provenance-pointer", place, message, actual=field)


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
