"""`unevaluatedProperties` and `unevaluatedItems` (JSON Schema Core 2020-12, section 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from manni.schemas.vocabularies import REFERENCES
from manni.validation.clock import CLOCK
from manni.validation.failures import (
    MAX_ALLOWED,
    Failure,
    Found,
    apply,
    is_valid,
    too_many_items,
)
from manni.validation.graph import Linked
from manni.validation.values import in_order


def taken(validator: Any, schema: dict[str, Linked], instance: Any) -> Iterator[Linked]:
    """The subschemas that do apply to the same instance.

    Those of `anyOf`, `oneOf`, `dependentSchemas` and the taken branch of `if` when they hold;
    those of `not` never.
    """
    for keyword in REFERENCES:
        if keyword in schema:
            yield schema[keyword]
    yield from schema.get("allOf", ())
    candidates = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if "if" in schema:
        branch = "then" if is_valid(validator, instance, schema["if"]) else "else"
        candidates += [schema["if"], schema.get(branch, True)]
    if isinstance(instance, dict):
        for keyword in ("dependencies", "dependentSchemas"):
            candidates += [
                dependent
                for name, dependent in schema.get(keyword, {}).items()
                if name in instance and not isinstance(dependent, list)
            ]
    for candidate in candidates:
        if is_valid(validator, instance, candidate):
            yield candidate


def _names(
    validator: Any, schema: Linked, instance: dict[str, Any], *, inner: bool = True
) -> set[str]:
    """The names of members that a schema describes, with what it applies to the same value.

    Args:
        validator: of `jsonschema`.
        schema: linked.
        instance: the mapping.
        inner: whether the schema's own `unevaluatedProperties` counts.
    """
    CLOCK.check()
    if not isinstance(schema, dict):
        return set()
    if "additionalProperties" in schema or (inner and "unevaluatedProperties" in schema):
        return set(instance)
    found = {name for name in schema.get("properties", ()) if name in instance}
    for pattern, _ in schema.get("patternProperties", ()):
        found |= {name for name in instance if pattern.matches(name)}
    for part in taken(validator, schema, instance):
        found |= _names(validator, part, instance)
    return found


def _indices(
    validator: Any, schema: Linked, instance: list[Any], *, contains: bool, inner: bool = True
) -> set[int]:
    """The indices of items that a schema describes, likewise.

    Args:
        validator: of `jsonschema`.
        schema: linked.
        instance: the list.
        contains: whether `contains` describes the items that it accepts, as since 2020-12.
        inner: whether the schema's own `unevaluatedItems` counts.
    """
    CLOCK.check()
    if not isinstance(schema, dict):
        return set()
    items = schema.get("items")
    everything = set(range(len(instance)))
    if (inner and "unevaluatedItems" in schema) or isinstance(items, (dict, bool)):
        return everything
    if isinstance(items, list) and "additionalItems" in schema:
        return everything
    found = everything & set(range(len(items or schema.get("prefixItems", ()))))
    if contains and "contains" in schema:
        wanted = schema["contains"]
        found |= {i for i, item in enumerate(instance) if is_valid(validator, item, wanted)}
    for part in taken(validator, schema, instance):
        found |= _indices(validator, part, instance, contains=contains)
    return found


def unevaluated_properties(
    validator: Any, schema: Linked, instance: Any, around: dict[str, Any]
) -> Found:
    """`unevaluatedProperties`: one failure for each property that nothing else evaluated."""
    if not isinstance(instance, dict) or schema is True:
        return
    known = _names(validator, around, instance, inner=False)
    for name in in_order(name for name in instance if name not in known):
        if schema is False:
            yield Failure(
                "must NOT have unevaluated properties",
                member=name,
                allowed=tuple(around.get("properties", ()))[:MAX_ALLOWED],
                actual=name,
            )
        else:
            yield from apply(validator, instance[name], schema, name)


def unevaluated_items(*, contains: bool) -> Callable[[Any, Any, Any, Any], Iterator[Any]]:
    """`unevaluatedItems`: the items that nothing else evaluated.

    Args:
        contains: whether `contains` evaluates the items that it accepts.
    """

    def keyword(validator: Any, schema: Linked, instance: Any, around: dict[str, Any]) -> Found:
        if not isinstance(instance, list) or schema is True:
            return
        known = _indices(validator, around, instance, contains=contains, inner=False)
        rest = [index for index in range(len(instance)) if index not in known]
        if schema is False and rest:
            yield too_many_items(rest[0])
        elif schema is not False:
            for index in rest:
                yield from apply(validator, instance[index], schema, index)

    return keyword
