"""A config held against `schemas/config.schema.json`, with its mistakes in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from manni.base.json_types import children, escape_token
from manni.base.spelling import nearest
from manni.base.text import shorten, visible
from manni.config.source import ConfigSource, Mistake
from manni.schemas import builtin
from manni.schemas.store import SchemaStore
from manni.validation.compile import Validator, compile_schema

if TYPE_CHECKING:
    from manni.model.findings import Fault

_SHOWN = 60
_UNKNOWN = "additionalProperties"
_LACKING = frozenset({"oneOf", "required"})

_TELLING = {
    "enum": ("use ", "must be "),
    "minItems": ("list ", "must list "),
    "type": ("use ", "must be "),
}
"""Keywords whose advice says it all: how the advice starts, and what to say instead of that."""


def check(source: ConfigSource) -> list[Mistake]:
    """All in which a config differs from its schema.

    Unknown keys come first, since a misspelled key is what other mistakes often come from. What
    the mapping around one lacks is left out: it is most likely that very key.
    """
    faults = _validator().faults(source.value, source.locator)
    unknown = [fault for fault in faults if fault.representative.keyword == _UNKNOWN]
    owners = {fault.representative.pointer for fault in unknown}
    mistakes = [_mistake(source, fault) for fault in faults if not _follows(fault, owners)]
    return [_unknown_key(source, fault) for fault in unknown] + sorted(mistakes)


@cache
def _validator() -> Validator:
    directory = builtin.directory()
    return compile_schema(SchemaStore(directory).load(builtin.CONFIG.id, directory))


def _follows(fault: Fault, owners: set[str]) -> bool:
    """Whether unknown keys, whose owners these are, are or explain a fault."""
    keyword, pointer = fault.representative.keyword, fault.representative.pointer
    return keyword == _UNKNOWN or (keyword in _LACKING and pointer in owners)


def _unknown_key(source: ConfigSource, fault: Fault) -> Mistake:
    finding = fault.representative
    key = finding.subject or ""
    guess = nearest(key, finding.allowed)
    hint = f", did you mean `{guess}`?" if guess else ""
    allowed = ", ".join(f"`{name}`" for name in sorted(finding.allowed))
    shown, owner = visible(shorten(key, _SHOWN)), source.name(finding.pointer)
    return Mistake(
        source.line(f"{finding.pointer}/{escape_token(key)}"),
        f"unknown key `{shown}` in `{owner}`{hint} (the keys are {allowed})",
    )


def _mistake(source: ConfigSource, fault: Fault) -> Mistake:
    finding = fault.representative
    pointer = finding.pointer
    if finding.keyword == "propertyNames" and finding.actual is not None:
        pointer += f"/{escape_token(finding.actual)}"
    return source.mistake(pointer, _sentence(fault))


def _sentence(fault: Fault) -> str:
    """What is wrong, and what would be right, to follow the name of the value."""
    from manni.rules.advice import advice, explain

    keyword = fault.representative.keyword
    if keyword == "oneOf":
        return "needs exactly one of `files` and `collection`"
    words = _words()
    for finding in fault.findings:
        if finding.message in words:
            return words[finding.message]
    said = advice(fault)
    start, must = _TELLING.get(keyword, ("", ""))
    if start and said.startswith(start):
        return must + said.removeprefix(start)
    return explain(fault)


@cache
def _words() -> dict[str, str]:
    """What the schema itself says of its patterns, by the message of a finding about one."""
    return {
        f'must match pattern "{node["pattern"]}"': node["patternErrorMessage"]
        for node in _nodes(builtin.document(builtin.CONFIG))
        if "patternErrorMessage" in node
    }


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for child in children(value):
        yield from _nodes(child)
