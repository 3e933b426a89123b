"""`unevaluatedProperties` and `unevaluatedItems` (JSON Schema Core 2020-12, section 11)."""

from __future__ import annotations

from typing import Any

from manni.validation.applicators import apply, is_valid, too_many_items
from manni.validation.assertions import MAX_ALLOWED, Found, Keyword
from manni.validation.effort import Effort
from manni.validation.evaluated import Holds, evaluated_items, evaluated_names
from manni.validation.failures import Failure
from manni.validation.graph import Linked
from manni.validation.values import in_order


def _counted(validator: Any, effort: Effort) -> Holds:
    """Whether subschemas hold; what they take counts, since each of them may ask again."""

    def holds(instance: Any, schema: Linked) -> bool:
        effort.spend()
        return is_valid(validator, instance, schema)

    return holds


def unevaluated_properties(effort: Effort) -> Keyword:
    """`unevaluatedProperties`: one failure for each property that nothing else evaluated."""

    def keyword(validator: Any, schema: Linked, instance: Any, around: dict[str, Any]) -> Found:
        if not isinstance(instance, dict) or schema is True:
            return
        known = evaluated_names(_counted(validator, effort), instance, around)
        if known is True:
            return
        for name in in_order(name for name in instance if known is None or name not in known):
            if schema is False:
                yield Failure(
                    "must NOT have unevaluated properties",
                    member=name,
                    allowed=tuple(around.get("properties", ()))[:MAX_ALLOWED],
                    actual=name,
                )
            else:
                yield from apply(validator, instance[name], schema, name)

    return keyword


def unevaluated_items(effort: Effort) -> Keyword:
    """`unevaluatedItems`: the items after the last one that something else evaluated."""

    def keyword(validator: Any, schema: Linked, instance: Any, around: dict[str, Any]) -> Found:
        if not isinstance(instance, list) or schema is True:
            return
        start = evaluated_items(_counted(validator, effort), instance, around)
        if start is True:
            return
        if schema is False:
            if len(instance) > start:
                yield too_many_items(start)
            return
        for index in range(start, len(instance)):
            yield from apply(validator, instance[index], schema, index)

    return keyword
