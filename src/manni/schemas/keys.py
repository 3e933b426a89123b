"""The top-level keys that the schemas of a kind describe and demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from manni.discovery.kinds import Kind
from manni.model.findings import Severity
from manni.schemas import builtin

SEVERITY = "x-manni-severity"
"""The keyword that says how much a part of a schema matters."""

_DEFINITION = "#/$defs/"
_ALTERNATIVES = ("if", "then", "anyOf", "oneOf")


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of the metadata of one kind.

    Attributes:
        known: those that a schema describes, whatever it says of them.
        required: those without which empty metadata breaks a schema, each with the severity of its
            absence.
    """

    known: frozenset[str]
    required: Mapping[str, Severity]


@cache
def keys_of(kind: Kind) -> Keys:
    """The keys that the schemas of a kind are about."""
    known: set[str] = set()
    required: dict[str, Severity] = {}
    for name, lowered in kind.schemas:
        entry = builtin.find(name)
        assert entry is not None, name  # noqa: S101 - a test holds the table against the schemas
        document = builtin.document(entry)
        for node, severity in _nodes(document, document, lowered or Severity.ERROR):
            known.update(node.get("properties", ()))
            if severity is not None:
                for key in node.get("required", ()):
                    worse = required.get(key, severity)
                    required[key] = min(worse, severity, key=lambda each: each.rank)
    return Keys(frozenset(known), MappingProxyType(required))


def lower(one: Severity, other: Severity) -> Severity:
    """The severity of the two that matters less."""
    return max(one, other, key=lambda each: each.rank)


def _nodes(
    node: dict[str, Any], document: dict[str, Any], severity: Severity | None
) -> Iterator[tuple[dict[str, Any], Severity | None]]:
    """The parts of a schema that are about the root of the metadata.

    Each comes with the severity of breaking it, or None where empty metadata does not meet it.
    """
    if severity is not None and SEVERITY in node:
        severity = lower(severity, Severity(node[SEVERITY]))
    yield (node, severity)
    reference = node.get("$ref", "")
    if reference.startswith(_DEFINITION):
        yield from _nodes(
            document["$defs"][reference.removeprefix(_DEFINITION)], document, severity
        )
    for each in _listed(node.get("allOf")):
        yield from _nodes(each, document, severity)
    # No built-in schema has an `if` that empty metadata meets.
    for each in _listed(node.get("else")):
        yield from _nodes(each, document, severity)
    for keyword in _ALTERNATIVES:
        for each in _listed(node.get(keyword)):
            yield from _nodes(each, document, None)


def _listed(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value]
    return value if isinstance(value, list) else []
