"""The top-level keys that schemas describe and require."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from manni.model.findings import Severity
from manni.schemas import builtin

_BRANCHES = ("allOf", "anyOf", "oneOf")
_CONDITIONAL = ("then", "else")


def known_keys(schema: Mapping[str, Any]) -> frozenset[str]:
    """The top-level keys that a schema describes, in any of its branches."""
    return frozenset(_described(schema))


@cache
def known_anywhere() -> frozenset[str]:
    """The top-level keys of all built-in schemas, without those that are deprecated there."""
    return frozenset(
        key
        for entry in builtin.entries()
        for key, described in _described(builtin.document(entry)).items()
        if not (isinstance(described, dict) and described.get("deprecated"))
    )


def required_keys(schema: Mapping[str, Any], *, lowered: bool = False) -> dict[str, Severity]:
    """The top-level keys that every document needs, with the severity of their absence.

    Args:
        schema: the schema.
        lowered: whether all that it says are warnings.
    """
    severity = Severity.WARNING if lowered else Severity.ERROR
    found: dict[str, Severity] = {}
    for key, each in _required(schema, schema, severity):
        found[key] = min(each, found.get(key, each), key=lambda one: one.rank)
    return found


def _required(
    schema: Mapping[str, Any], root: Mapping[str, Any], severity: Severity
) -> Iterator[tuple[str, Severity]]:
    severity = max(
        severity, Severity(schema.get("x-manni-severity", severity)), key=lambda one: one.rank
    )
    for key in schema.get("required", ()):
        yield key, severity
    # The condition of a schema's `else` is about keys that are there.
    for branch in (*schema.get("allOf", ()), schema.get("else"), _referred(schema, root)):
        if branch is not None:
            yield from _required(branch, root, severity)


def _referred(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """What a schema refers to within its document; None where it does not."""
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    return root.get("$defs", {}).get(name)


def _described(
    schema: Any, root: Mapping[str, Any] | None = None, depth: int = 0
) -> dict[str, Any]:
    if not isinstance(schema, dict) or depth > 8:
        return {}
    root = schema if root is None else root
    found = dict(schema.get("properties", {}))
    inner = [schema.get(word) for word in _CONDITIONAL]
    inner += [branch for word in _BRANCHES for branch in schema.get(word, ())]
    inner.append(_referred(schema, root))
    for each in inner:
        for key, described in _described(each, root, depth + 1).items():
            found.setdefault(key, described)
    return found
