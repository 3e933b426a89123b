"""Keywords that apply subschemas (JSON Schema Core 2020-12, section 10).

Functions as `jsonschema` calls them; see `keywords`. Composite keywords yield one failure whose
context holds those of their subschemas. Subschemas are linked: a `$ref` holds its target.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from manni.validation.failures import (
    MAX_ALLOWED,
    Failure,
    Found,
    apply,
    is_valid,
    limit_failure,
    too_many_items,
)
from manni.validation.graph import Linked
from manni.validation.patterns import PatternLimitError
from manni.validation.values import in_order, spell_number

_VALUE_LISTS = frozenset(("enum", "const", "anyOf", "oneOf"))


def ref(validator: Any, target: Linked, instance: Any, _: Any) -> Found:
    """`$ref`, `$dynamicRef` and `$recursiveRef`; linking has put the target in their place."""
    yield from apply(validator, instance, target)


def not_(validator: Any, schema: Linked, instance: Any, _: Any) -> Found:
    """`not`."""
    try:
        if is_valid(validator, instance, schema):
            yield Failure("must NOT be valid")
    except PatternLimitError as error:
        yield limit_failure(error)


def all_of(validator: Any, schemas: list[Linked], instance: Any, _: Any) -> Found:
    """`allOf`: the failures of every subschema, and none of its own."""
    for schema in schemas:
        yield from apply(validator, instance, schema)


def any_of(validator: Any, schemas: list[Linked], instance: Any, _: Any) -> Found:
    """`anyOf`."""
    inner: list[Any] = []
    for schema in schemas:
        failures = list(apply(validator, instance, schema))
        if not failures:
            return
        inner += failures
    yield Failure("must match a schema in anyOf", allowed=_union(inner), context=inner)


def one_of(validator: Any, schemas: list[Linked], instance: Any, _: Any) -> Found:
    """`oneOf`; the search ends at the second subschema that holds."""
    inner: list[Any] = []
    held = 0
    for schema in schemas:
        failures = list(apply(validator, instance, schema))
        held += not failures
        inner += failures
        if held == 2:
            break
    if held != 1:
        yield Failure(
            "must match exactly one schema in oneOf", allowed=_union(inner), context=inner
        )


def _union(failures: list[Any]) -> tuple[str, ...]:
    """The values that the alternatives of a composite allow for the instance itself."""
    allowed = dict.fromkeys(
        value
        for failure in failures
        if not failure.relative_path and failure.validator in _VALUE_LISTS
        for value in failure.allowed
    )
    return tuple(allowed)[:MAX_ALLOWED]


def if_(validator: Any, condition: Linked, instance: Any, schema: dict[str, Linked]) -> Found:
    """`if` with its `then` and `else`."""
    then, otherwise = schema.get("then", True), schema.get("else", True)
    if then is True and otherwise is True:
        return
    try:
        holds = is_valid(validator, instance, condition)
    except PatternLimitError as error:
        yield limit_failure(error)
        return
    word, branch = ("then", then) if holds else ("else", otherwise)
    inner = list(apply(validator, instance, branch))
    if inner:
        yield Failure(f'must match "{word}" schema', context=inner)


def prefix_items(validator: Any, schemas: list[Linked], instance: Any, _: Any) -> Found:
    """`prefixItems`, and `items` of the older drafts where it is a list."""
    if isinstance(instance, list):
        for index, (schema, item) in enumerate(zip(schemas, instance, strict=False)):
            yield from apply(validator, item, schema, index)


def items(validator: Any, schema: Linked, instance: Any, around: dict[str, Linked]) -> Found:
    """`items` of 2020-12: what comes after `prefixItems`."""
    if isinstance(instance, list):
        yield from _rest(validator, schema, instance, around.get("prefixItems"))


def items_draft7(validator: Any, value: Linked, instance: Any, around: dict[str, Linked]) -> Found:
    """`items` up to 2019-09: one schema for all, or a list with one for each."""
    if isinstance(value, list):
        return prefix_items(validator, value, instance, around)
    return items(validator, value, instance, {})


def additional_items(
    validator: Any, schema: Linked, instance: Any, around: dict[str, Linked]
) -> Found:
    """`additionalItems` up to 2019-09, which only a list in `items` gives a meaning."""
    prefix = around.get("items")
    if isinstance(instance, list) and isinstance(prefix, list):
        yield from _rest(validator, schema, instance, prefix)


def _rest(
    validator: Any, schema: Linked, instance: list[Any], prefix: list[Linked] | None
) -> Iterable[Any]:
    start = len(prefix or ())
    if schema is False and prefix is not None:
        if len(instance) > start:
            yield too_many_items(start)
    elif schema is not True:
        for index in range(start, len(instance)):
            yield from apply(validator, instance[index], schema, index)


def contains(validator: Any, schema: Linked, instance: Any, around: dict[str, Linked]) -> Found:
    """`contains` with `minContains` and `maxContains`.

    The search ends as soon as the answer is known; the context holds the failures met until then.
    """
    if not isinstance(instance, list):
        return
    least, most = around.get("minContains", 1), around.get("maxContains")
    if most is None and least == 0:
        return
    inner: list[Any] = []
    held = 0
    is_possible = most is None or least <= most
    for index, item in enumerate(instance if is_possible else ()):
        failures = list(apply(validator, item, schema, index))
        inner += failures
        held += not failures
        if held >= least if most is None else held > most:
            break
    if held >= least and (most is None or held <= most):
        return
    bound = "" if most is None else f" and no more than {spell_number(most)}"
    yield Failure(
        f"must contain at least {spell_number(least)}{bound} valid item(s)", context=inner
    )


def property_names(validator: Any, schema: Linked, instance: Any, _: Any) -> Found:
    """`propertyNames`: one failure for each name that does not meet the schema."""
    if not isinstance(instance, dict) or schema is True:
        return
    for name in in_order(instance):
        inner = list(apply(validator, name, schema))
        if inner:
            yield Failure(
                "property name must be valid",
                member=name,
                allowed=_union(inner),
                actual=name,
                context=inner,
            )


def additional_properties(
    validator: Any, schema: Linked, instance: Any, around: dict[str, Any]
) -> Found:
    """`additionalProperties`: what neither `properties` nor `patternProperties` describes."""
    if not isinstance(instance, dict) or schema is True:
        return
    described = around.get("properties", {})
    expressions = around.get("patternProperties", ())
    extra = [name for name in instance if name not in described]
    for name in in_order(extra):
        try:
            if any(expression.matches(name) for expression, _ in expressions):
                continue
        except PatternLimitError:
            continue  # patternProperties says so
        if schema is False:
            yield Failure(
                f"must NOT have additional property '{name}'",
                subject=name,
                member=name,
                allowed=tuple(described)[:MAX_ALLOWED],
                actual=name,
            )
        else:
            yield from apply(validator, instance[name], schema, name)


def properties(validator: Any, schemas: dict[str, Linked], instance: Any, _: Any) -> Found:
    """`properties`, in the order of the schema."""
    if isinstance(instance, dict):
        for name, schema in schemas.items():
            if schema is not True and name in instance:
                yield from apply(validator, instance[name], schema, name)


def pattern_properties(
    validator: Any, schemas: list[tuple[Any, Linked]], instance: Any, _: Any
) -> Found:
    """`patternProperties`, one expression after the other."""
    if not isinstance(instance, dict):
        return
    names = in_order(instance)
    for expression, schema in schemas:
        if schema is True:
            continue
        for name in names:
            try:
                matches = expression.matches(name)
            except PatternLimitError as error:
                yield limit_failure(error, name)
                continue
            if matches:
                yield from apply(validator, instance[name], schema, name)


def dependent_schemas(validator: Any, schemas: dict[str, Linked], instance: Any, _: Any) -> Found:
    """`dependentSchemas`."""
    if isinstance(instance, dict):
        for name, schema in schemas.items():
            if name in instance:
                yield from apply(validator, instance, schema)
