"""`unevaluatedProperties` and `unevaluatedItems` (JSON Schema Core 2020-12, section 11).

Both ask what the other keywords of their schema evaluated, so the schema is walked once more over
the instance. `None` stands for "all of them".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from manni.validation.applicators import Linked, apply, is_valid, too_many_items
from manni.validation.assertions import MAX_ALLOWED, Found
from manni.validation.failures import Failure
from manni.validation.values import in_order


def in_place(validator: Any, schema: Linked, instance: Any) -> Iterator[Linked]:
    """The subschemas that apply to the same instance and whose annotations count.

    Those of `anyOf`, `oneOf`, `dependentSchemas` and the taken branch of `if` count when they
    hold; those of `not` never do.
    """
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        if keyword in schema:
            yield schema[keyword]
    yield from schema.get("allOf", ())
    yield from _holding(validator, schema, instance)
    if "if" in schema and ("then" in schema or "else" in schema):
        holds = is_valid(validator, instance, schema["if"])
        if holds:
            yield schema["if"]
        branch = schema.get("then" if holds else "else", True)
        if is_valid(validator, instance, branch):
            yield branch


def _holding(validator: Any, schema: Linked, instance: Any) -> Iterator[Linked]:
    candidates = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if isinstance(instance, dict):
        for keyword in ("dependentSchemas", "dependencies"):
            candidates += [
                dependent
                for name, dependent in schema.get(keyword, {}).items()
                if name in instance and not isinstance(dependent, list)
            ]
    for candidate in candidates:
        if is_valid(validator, instance, candidate):
            yield candidate


def _evaluated_properties(
    validator: Any, schema: Linked, instance: dict[str, Any]
) -> set[str] | None:
    if not isinstance(schema, dict):
        return set()
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return None
    names = set(schema.get("properties", ()))
    for expression, _ in schema.get("patternProperties", ()):
        names.update(name for name in instance if expression.matches(name))
    for subschema in in_place(validator, schema, instance):
        inner = _evaluated_properties(validator, subschema, instance)
        if inner is None:
            return None
        names |= inner
    return names


def unevaluated_properties(
    validator: Any, schema: Linked, instance: Any, around: dict[str, Any]
) -> Found:
    """`unevaluatedProperties`: one failure for each property that nothing else evaluated."""
    if not isinstance(instance, dict) or schema is True or "additionalProperties" in around:
        return
    others = {name: value for name, value in around.items() if name != "unevaluatedProperties"}
    evaluated = _evaluated_properties(validator, others, instance)
    if evaluated is None:
        return
    for name in in_order(name for name in instance if name not in evaluated):
        if schema is False:
            yield Failure(
                "must NOT have unevaluated properties",
                member=name,
                allowed=tuple(around.get("properties", ()))[:MAX_ALLOWED],
                actual=name,
            )
        else:
            yield from apply(validator, instance[name], schema, name)


def _evaluated_items(validator: Any, schema: Linked, instance: list[Any]) -> int | None:
    if not isinstance(schema, dict):
        return 0
    items = schema.get("items", ())
    if not isinstance(items, (list, tuple)) or "additionalItems" in schema:
        return None
    if "contains" in schema or "unevaluatedItems" in schema:
        return None
    count = max(len(items), len(schema.get("prefixItems", ())))
    for subschema in in_place(validator, schema, instance):
        inner = _evaluated_items(validator, subschema, instance)
        if inner is None:
            return None
        count = max(count, inner)
    return count


def unevaluated_items(
    validator: Any, schema: Linked, instance: Any, around: dict[str, Any]
) -> Found:
    """`unevaluatedItems`: the items after the last one that something else evaluated."""
    if not isinstance(instance, list) or schema is True:
        return
    others = {name: value for name, value in around.items() if name != "unevaluatedItems"}
    count = _evaluated_items(validator, others, instance)
    if count is None or len(instance) <= count:
        return
    if schema is False:
        yield too_many_items(count)
        return
    for index in range(count, len(instance)):
        yield from apply(validator, instance[index], schema, index)
