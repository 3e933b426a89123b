"""Which members of an instance the keywords of a schema evaluated.

`unevaluatedProperties` and `unevaluatedItems` (JSON Schema Core 2020-12, section 11) ask, so the
other keywords are walked once more over the instance. What counts is what ajv counts, which is not
always what the specification says: names in `properties` count even where their values fail, and
a property that an earlier keyword evaluated is forgotten when a `dependentSchemas` entry or an
alternative that might have evaluated more does not apply. Two of its slips are not followed, since
they would call right documents wrong: an alternative that evaluates every item does so here, and
nothing is remembered from one item of a list to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from manni.validation.graph import Linked

Holds = Callable[[Any, Linked], bool]
"""Whether an instance meets a subschema."""


def in_place(holds: Holds, schema: Linked, instance: Any) -> Iterator[Linked]:
    """The subschemas that do apply to the same instance.

    Those of `anyOf`, `oneOf`, `dependentSchemas` and the taken branch of `if` when they hold;
    those of `not` never.
    """
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        if keyword in schema:
            yield schema[keyword]
    yield from schema.get("allOf", ())
    candidates = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if "if" in schema:
        taken = "then" if holds(instance, schema["if"]) else "else"
        candidates += [schema["if"], schema.get(taken, True)]
    if isinstance(instance, dict):
        for keyword in ("dependencies", "dependentSchemas"):
            candidates += [
                dependent
                for name, dependent in schema.get(keyword, {}).items()
                if name in instance and not isinstance(dependent, list)
            ]
    for candidate in candidates:
        if holds(instance, candidate):
            yield candidate


Amount = Any
"""What was evaluated: None for nothing, True for everything; else a set of names or a count."""


@dataclass(slots=True)
class Evaluated:
    """The names, or the number of leading items, that a schema evaluated.

    Attributes:
        amount: what was evaluated.
        varies: whether that depends on the instance, and not on the schema alone.
    """

    amount: Amount = None
    varies: bool = False

    @property
    def all(self) -> bool:
        """Whether the schema evaluates everything whatever the instance."""
        return self.amount is True and not self.varies

    def add(
        self, other: Evaluated, *, applies: bool = True, conditional: bool = False
    ) -> Evaluated:
        """This with what a subschema evaluated.

        Args:
            other: what the subschema evaluated.
            applies: whether the subschema counts for this instance.
            conditional: whether that depends on the instance.
        """
        if self.all or (other.amount is None and not other.varies):
            return self
        both = _union(self.amount, other.amount)
        if not self.varies and not other.varies:
            kept = None if conditional and not applies else both
            return Evaluated(kept, varies=conditional)
        alone = self.amount if self.varies else other.amount
        return Evaluated(both if applies else alone, varies=True)


def _union(first: Amount, second: Amount) -> Amount:
    if first is True or second is True:
        return True
    if first is None or second is None:
        return second if first is None else first
    return max(first, second) if isinstance(first, int) else first | second


@dataclass(slots=True)
class Walk:
    """What the keywords of one schema evaluated, so far.

    Attributes:
        test: tells whether an instance meets a subschema.
        instance: what they were applied to.
        runs: whether the schema was applied at all; if not, only what it could evaluate matters.
        names: the properties that were evaluated.
        items: the leading items that were evaluated.
    """

    test: Holds
    instance: Any
    runs: bool
    names: Evaluated = field(default_factory=Evaluated)
    items: Evaluated = field(default_factory=Evaluated)

    def over(self, schema: Linked, until: str = "") -> Walk:
        """Take in the keywords of a schema, as far as the one named `until`."""
        if isinstance(schema, dict):
            for keyword, value in schema.items():
                if keyword == until:
                    break
                step = _STEPS.get(keyword)
                if step:
                    step(self, value, schema)
        return self

    def holds(self, schema: Linked) -> bool:
        """Whether a subschema is applied and holds."""
        return self.runs and self.test(self.instance, schema)

    def add(
        self, schema: Linked, *, runs: bool = True, applies: bool = True, conditional: bool = False
    ) -> None:
        """Take in what a subschema evaluated; see `Evaluated.add`."""
        inner = Walk(self.test, self.instance, self.runs and runs).over(schema)
        self.names = self.names.add(inner.names, applies=applies, conditional=conditional)
        self.items = self.items.add(inner.items, applies=applies, conditional=conditional)

    def has_member(self, name: str) -> bool:
        """Whether the instance is a mapping with this key."""
        return self.runs and isinstance(self.instance, dict) and name in self.instance


_Step = Callable[[Walk, Any, dict[str, Any]], None]


def _refers(walk: Walk, target: Linked, _: Any) -> None:
    walk.add(target, applies=walk.holds(target))


def _all(walk: Walk, schemas: list[Linked], _: Any) -> None:
    for schema in schemas:
        walk.add(schema, applies=walk.runs)


def _any(walk: Walk, schemas: list[Linked], _: Any) -> None:
    for schema in schemas:
        walk.add(schema, applies=walk.holds(schema), conditional=True)


def _one(walk: Walk, schemas: list[Linked], _: Any) -> None:
    held = 0
    for schema in schemas:
        holds = held < 2 and walk.holds(schema)
        held += holds
        walk.add(schema, runs=held < 2 or holds, applies=holds and held < 2, conditional=True)


def _if(walk: Walk, condition: Linked, schema: dict[str, Linked]) -> None:
    branches = [(schema.get(word, True), word == "then") for word in ("then", "else")]
    if all(branch is True for branch, _ in branches):
        return
    holds = walk.holds(condition)
    walk.add(condition, runs=holds, applies=walk.runs)
    for branch, wanted in branches:
        taken = holds is wanted
        walk.add(branch, runs=taken, applies=taken and walk.holds(branch), conditional=True)


def _dependents(walk: Walk, schemas: dict[str, Any], _: Any) -> None:
    for name, schema in schemas.items():
        if not isinstance(schema, list):
            has = walk.has_member(name)
            walk.add(schema, runs=has, applies=has and walk.holds(schema), conditional=True)


def _names(walk: Walk, amount: Amount) -> None:
    applies = walk.runs and isinstance(walk.instance, dict)
    walk.names = walk.names.add(Evaluated(amount), applies=applies)


def _items(walk: Walk, amount: Amount) -> None:
    applies = walk.runs and isinstance(walk.instance, list)
    walk.items = walk.items.add(Evaluated(amount), applies=applies)


def _properties(walk: Walk, schemas: dict[str, Linked], _: Any) -> None:
    if schemas:
        _names(walk, frozenset(schemas))


def _pattern_properties(walk: Walk, schemas: list[tuple[Any, Linked]], _: Any) -> None:
    if not schemas or walk.names.all:
        return
    if not walk.runs or not isinstance(walk.instance, dict):
        walk.names = Evaluated(walk.names.amount if walk.names.varies else None, varies=True)
        return
    matched = frozenset(
        name for name in walk.instance if any(pattern.matches(name) for pattern, _ in schemas)
    )
    walk.names = Evaluated(_union(walk.names.amount, matched), varies=True)


def _every_name(walk: Walk, *_: Any) -> None:
    walk.names = Evaluated(amount=True)


def _every_item(walk: Walk, *_: Any) -> None:
    walk.items = Evaluated(amount=True)


def _prefix(walk: Walk, schemas: Any, _: Any) -> None:
    if isinstance(schemas, list):
        _items(walk, len(schemas))
    else:
        _every_item(walk)


def _additional_items(walk: Walk, _: Any, schema: dict[str, Any]) -> None:
    if isinstance(schema.get("items"), list):
        _every_item(walk)


def _contains(walk: Walk, wanted: Linked, schema: dict[str, Any]) -> None:
    least, most = schema.get("minContains", 1), schema.get("maxContains")
    ignored = most is None and least == 0
    impossible = most is not None and least > most
    if wanted is not True and not ignored and not impossible:
        _every_item(walk)


_STEPS: dict[str, _Step] = {
    "$ref": _refers,
    "$dynamicRef": _refers,
    "$recursiveRef": _refers,
    "allOf": _all,
    "anyOf": _any,
    "oneOf": _one,
    "if": _if,
    "dependencies": _dependents,
    "dependentSchemas": _dependents,
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _every_name,
    "unevaluatedProperties": _every_name,
    "prefixItems": _prefix,
    "items": _prefix,
    "additionalItems": _additional_items,
    "contains": _contains,
    "unevaluatedItems": _every_item,
}


def evaluated_names(test: Holds, instance: dict[str, Any], schema: dict[str, Linked]) -> Amount:
    """The names that `unevaluatedProperties` leaves alone: None, a set of them, or True for all."""
    return Walk(test, instance, runs=True).over(schema, "unevaluatedProperties").names.amount


def evaluated_items(test: Holds, instance: list[Any], schema: dict[str, Linked]) -> Amount:
    """How many leading items `unevaluatedItems` leaves alone; True for all."""
    known = Walk(test, instance, runs=True).over(schema, "unevaluatedItems").items
    return True if known.varies and known.amount is None else known.amount or 0
