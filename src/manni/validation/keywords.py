"""Keywords that look at one value: types, numbers, strings, lengths, names.

Each is a function as `jsonschema` calls it: the validator, the keyword's value, the instance and
the schema around the keyword, yielding a failure for each thing wrong. They mean what JSON Schema
Validation (2020-12, section 6) says, and skip instances of other types.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import jsonschema_rs

from manni.validation.failures import MAX_ALLOWED, Failure, Found, limit_failure
from manni.validation.patterns import Pattern, PatternLimitError, is_format
from manni.validation.values import (
    TYPES,
    is_number,
    key,
    repeated,
    scalar_types,
    spell,
    spell_number,
    type_name,
    types_of,
)

Keyword = Callable[[Any, Any, Any, Any], Iterator[Any]]


def type_(_: Any, __: Any, instance: Any, schema: dict[str, Any]) -> Found:
    """`type`."""
    names = types_of(schema)
    if any(TYPES[name](instance) for name in names):
        return
    spelled = ",".join(names)
    met = type_name(instance) if isinstance(instance, (str, list, dict)) else spell(instance)
    yield Failure(f"must be {spelled}", subject=spelled, actual=met)


def const(_: Any, constant: Any, instance: Any, __: Any) -> Found:
    """`const`."""
    if key(instance) != key(constant):
        yield Failure(
            "must be equal to constant", allowed=(spell(constant),), actual=spell(instance)
        )


def enum(_: Any, values: list[Any], instance: Any, __: Any) -> Found:
    """`enum`."""
    met = key(instance)
    if not any(key(value) == met for value in values):
        yield Failure(
            "must be equal to one of the allowed values",
            allowed=tuple(spell(value) for value in values[:MAX_ALLOWED]),
            actual=spell(instance),
        )


def _limit(sign: str, holds: Callable[[Any, Any], bool]) -> Keyword:
    def keyword(_: Any, limit: float, instance: Any, __: Any) -> Found:
        if is_number(instance) and not holds(instance, limit):
            yield Failure(f"must be {sign} {spell_number(limit)}", actual=spell_number(instance))

    return keyword


maximum = _limit("<=", operator.le)
minimum = _limit(">=", operator.ge)
exclusive_maximum = _limit("<", operator.lt)
exclusive_minimum = _limit(">", operator.gt)


def maximum_draft4(validator: Any, limit: float, instance: Any, schema: dict[str, Any]) -> Found:
    """`maximum` of draft 4, which a boolean `exclusiveMaximum` beside it sharpens."""
    keyword = exclusive_maximum if schema.get("exclusiveMaximum") else maximum
    return keyword(validator, limit, instance, schema)


def minimum_draft4(validator: Any, limit: float, instance: Any, schema: dict[str, Any]) -> Found:
    """`minimum` of draft 4, which a boolean `exclusiveMinimum` beside it sharpens."""
    keyword = exclusive_minimum if schema.get("exclusiveMinimum") else minimum
    return keyword(validator, limit, instance, schema)


@lru_cache(maxsize=256)
def _multiples(divisor: float) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for({"multipleOf": divisor})


def multiple_of(_: Any, divisor: float, instance: Any, __: Any) -> Found:
    """`multipleOf`; whether 0.3 is a multiple of 0.1 is for the engine that decides to say."""
    if not is_number(instance):
        return
    finite = isinstance(instance, int) or math.isfinite(instance)
    if not (finite and _multiples(divisor).is_valid(instance)):
        yield Failure(f"must be multiple of {spell_number(divisor)}", actual=spell_number(instance))


def _count(
    kind: type[str | list[Any] | dict[str, Any]],
    holds: Callable[[Any, Any], bool],
    word: str,
    noun: str,
) -> Keyword:
    def keyword(_: Any, limit: float, instance: Any, __: Any) -> Found:
        if isinstance(instance, kind) and not holds(len(instance), limit):
            yield Failure(
                f"must NOT have {word} than {spell_number(limit)} {noun}",
                actual=str(len(instance)),
            )

    return keyword


max_length = _count(str, operator.le, "more", "characters")
min_length = _count(str, operator.ge, "fewer", "characters")
max_items = _count(list, operator.le, "more", "items")
min_items = _count(list, operator.ge, "fewer", "items")
max_properties = _count(dict, operator.le, "more", "properties")
min_properties = _count(dict, operator.ge, "fewer", "properties")


def pattern(_: Any, expression: Pattern, instance: Any, __: Any) -> Found:
    """`pattern`: the expression matches somewhere in the string."""
    if not isinstance(instance, str):
        return
    try:
        if not expression.matches(instance):
            yield Failure(f'must match pattern "{expression.source}"', actual=spell(instance))
    except PatternLimitError as error:
        yield limit_failure(error)


def format_(dialect: str) -> Keyword:
    """`format`, as an assertion; a format that is not known accepts everything.

    Args:
        dialect: the URI of the meta-schema by which formats are read.
    """

    def keyword(_: Any, name: str, instance: Any, __: Any) -> Found:
        if isinstance(instance, str) and not is_format(name, instance, dialect):
            yield Failure(f'must match format "{name}"', subject=name, actual=spell(instance))

    return keyword


def required(_: Any, names: list[str], instance: Any, __: Any) -> Found:
    """`required`: one failure for each name that is missing."""
    if isinstance(instance, dict):
        for name in names:
            if name not in instance:
                yield Failure(f"must have required property '{name}'", subject=name)


def dependent_required(_: Any, dependents: dict[str, list[str]], instance: Any, __: Any) -> Found:
    """`dependentRequired`, and the lists of names in `dependencies`."""
    if not isinstance(instance, dict):
        return
    for name, needed in dependents.items():
        if name not in instance:
            continue
        noun = "property" if len(needed) == 1 else "properties"
        message = f"must have {noun} {', '.join(needed)} when property {name} is present"
        for missing in needed:
            if missing not in instance:
                yield Failure(message)


def unique_items(_: Any, wanted: bool, instance: Any, schema: dict[str, Any]) -> Found:  # noqa: FBT001
    """`uniqueItems`: one failure, for the first equal pair met when scanning from the end.

    Where `items` states scalar types alone, only items of these types are compared.
    """
    if not wanted or not isinstance(instance, list):
        return
    pair = repeated(instance, scalar_types(schema))
    if pair:
        first, second = pair
        yield Failure(
            f"must NOT have duplicate items (items ## {first} and {second} are identical)",
            actual=spell(instance[first]),
        )
