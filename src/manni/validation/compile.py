"""Schemas and sets of them, compiled once, and what they say about metadata.

`jsonschema-rs` decides whether metadata meets a schema. Only what does not is looked at again, by
`jsonschema`, for the findings in their order; see `explain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeVar

import jsonschema_rs

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.schemas import builtin as builtins
from manni.schemas.dialects import Dialect, dialect_of
from manni.schemas.vocabularies import EVAL_VOCABULARIES
from manni.validation.bounds import MAX_DEPTH, Bounds, in_order, measured, with_deep_stack
from manni.validation.clock import CLOCK, OutOfTimeError
from manni.validation.graph import Linked
from manni.validation.link import Linker
from manni.validation.location_keywords import LocationKeywords
from manni.validation.patterns import OPTIONS

if TYPE_CHECKING:
    from manni.base.json_types import Json
    from manni.model.findings import Fault, Locator, SchemaInfo, Severity
    from manni.schemas.store import Schema, SchemaSet
    from manni.validation.explain import Explanation

_T = TypeVar("_T")


class Validator:
    """A compiled schema. Its methods take metadata and never change it.

    Attributes:
        reference: of the schema, as the user wrote it.
        notice: what a run should say about the schema, if anything.
    """

    def __init__(
        self,
        schema: Schema,
        dialect: Dialect,
        native: jsonschema_rs.Validator | None,
    ) -> None:
        self.reference = schema.reference
        self.notice: str | None = None
        self._schema = schema
        self._dialect = dialect
        self._native = native
        self._is_trusted = _is_built_in(schema)

    def is_valid(self, value: Any) -> bool:
        """Whether the metadata meets the schema.

        Args:
            value: the metadata, as JSON values.

        Raises:
            SchemaError: the schema nests too deep for this value.
        """
        CLOCK.start()
        verdict = self._verdict(value)
        if verdict is None:
            verdict = self._run(lambda: self._explanation.holds(value, self._root))
        return verdict

    def faults(
        self, value: Any, locator: Locator, deadline: float | None = None
    ) -> tuple[Fault, ...]:
        """Everything in which the metadata fails the schema, in evaluation order.

        Args:
            value: the metadata, as JSON values.
            locator: where its values stand; asked only where something fails.
            deadline: when this has to be done, by `time.monotonic`; else in 10 seconds.

        Raises:
            SchemaError: the schema nests too deep for this value.
        """
        verdict = self._verdict(value)
        if verdict is True:
            return ()
        CLOCK.start(deadline)
        try:
            found = self._run(lambda: self._explanation.faults(value, locator))
        except OutOfTimeError:
            from manni.validation.explain import out_of_time

            return (out_of_time(self.reference, self._bounds.slow_patterns, locator),)
        if verdict is None or found or self._native is None:
            return found
        from manni.validation.explain import unexplained

        return unexplained(self._native.iter_errors(value), self.reference, locator)

    @property
    def has_marks(self) -> bool:
        """Whether the schema may prefer a place for some key."""
        return not self._locations.are_none

    def marks(self, value: Any) -> Mapping[str, str]:
        """Where the schema prefers the top-level keys of the metadata to be stored.

        Args:
            value: the metadata, as JSON values.

        Returns:
            `page` or `external` for each key of the metadata that has a mark.
        """
        if not isinstance(value, dict):
            return {}
        CLOCK.start()
        return self._run(lambda: self._locations.of(value))

    def link(self) -> None:
        """Follow all that the schema refers to, and read its annotations.

        Raises:
            SchemaError: as `compile_schema`.
        """
        self._run(lambda: (self._nodes, self._locations))

    @cached_property
    def _root(self) -> Linked:
        schema = self._schema
        linker = Linker(self.reference, self._dialect, schema.base_uri, schema.retrieve)
        return linker.link(schema.document)

    @cached_property
    def _nodes(self) -> list[dict[str, Linked]]:
        return in_order(self._root, self.reference)

    @cached_property
    def _locations(self) -> LocationKeywords:
        def taken(value: Any, schema: Linked) -> Iterable[Linked]:
            return self._explanation.taken(value, schema)

        return LocationKeywords(self._root, taken, self.reference)

    @cached_property
    def _explanation(self) -> Explanation:
        # Most runs have nothing to explain, and this import takes longer than they do.
        from manni.validation.explain import Explanation

        return Explanation(self._root, self._dialect, self.reference)

    @cached_property
    def _bounds(self) -> Bounds:
        return Bounds(self._root, self._nodes)

    def _verdict(self, value: Any) -> bool | None:
        """What `jsonschema-rs` says; None where it cannot be asked."""
        if self._native is None:
            return None
        count, depth = measured(value)
        if not (0 <= depth <= MAX_DEPTH and (self._is_trusted or self._bounds.allow(count, depth))):
            return None
        try:
            valid = self._native.is_valid(value)
        except ValueError:
            return None
        # A branch may have been left because its pattern took too long.
        if valid and not self._is_trusted and not self._bounds.are_met_by(value):
            return None
        return valid

    def _run(self, work: Callable[[], _T]) -> _T:
        try:
            return work()
        except RecursionError:
            return with_deep_stack(work, self.reference)


def compile_schema(schema: Schema) -> Validator:
    """Compile a schema.

    Args:
        schema: as it was loaded. Its `$schema` chooses the dialect: draft 4, 6 or 7, 2019-09 or
            2020-12, and the last when it has none.

    Raises:
        SchemaError: its `$schema` names no known dialect, it breaks its meta-schema, a pattern is
            no ECMAScript regular expression, a `$ref` leads nowhere or round in a circle, or its
            annotations for locations or severities make no sense. The message names the schema and
            the place in it.
    """
    document, reference = schema.document, schema.reference
    dialect = dialect_of(document, reference)
    native, refusal = _native(schema)
    validator = Validator(schema, dialect, native)
    if refusal is not None:
        from manni.validation.explain import check_schema

        check_schema(document, dialect, reference)
        validator.notice = (
            f"{reference} is checked the slow way, since the quick engine refuses it: {refusal}"
        )
    if _is_built_in(schema):
        return validator
    try:
        validator.link()
    except (AttributeError, TypeError, ValueError):
        if refusal is None:
            raise
        raise SchemaError(f"this is no valid JSON Schema: {refusal}", where=reference) from None
    return validator


def _is_built_in(schema: Schema) -> bool:
    return builtins.find(schema.base_uri) is not None


def _native(schema: Schema) -> tuple[jsonschema_rs.Validator | None, str | None]:
    """The schema compiled by `jsonschema-rs`, or why it cannot be."""

    def retrieve(uri: str) -> Any:
        try:
            return schema.retrieve(uri)
        except SchemaError:
            return {}  # linking refuses it, unless nothing leads there

    if not _is_built_in(schema) and measured(schema.document)[1] < 0:
        return None, "a number in it is too large"
    try:
        return jsonschema_rs.validator_for(
            schema.document,
            validate_formats=True,
            retriever=retrieve,
            base_uri=schema.base_uri or None,
            pattern_options=OPTIONS,
        ), None
    except ValueError as error:
        return None, shorten(visible(str(error).partition("\n")[0]), 200)


@dataclass(frozen=True, slots=True, eq=False)
class CompiledSchemas:
    """A schema set, compiled.

    Attributes:
        references: of its schemas, in order.
        infos: what reports say about its schemas.
        validators: of those schemas that compile, in order.
        lowered: what the findings of each of these are lowered to, None for not at all.
        marking: the validators of those that mark keys.
        broken: what is wrong with those that do not.
        notices: what a run should say about its schemas.
        vocabularies: the ids in it, where one of them is an eval vocabulary; else empty.
    """

    references: tuple[str, ...]
    infos: tuple[SchemaInfo, ...]
    validators: tuple[Validator, ...]
    lowered: tuple[Severity | None, ...]
    marking: tuple[Validator, ...]
    broken: tuple[str, ...]
    notices: tuple[str, ...]
    vocabularies: frozenset[str]

    def marks(self, value: dict[str, Json]) -> list[tuple[str, Mapping[str, str]]]:
        """The marks of each schema that reaches one, with its reference; see `Validator.marks`."""
        return [(each.reference, marks) for each in self.marking if (marks := each.marks(value))]


class SchemaCompiler:
    """Compiles the schemas of a run, each once."""

    def __init__(self) -> None:
        self._sets: dict[SchemaSet, CompiledSchemas] = {}
        self._validators: dict[Schema, Validator | SchemaError] = {}

    def compiled(self, chosen: SchemaSet) -> CompiledSchemas:
        """The set, compiled.

        Raises:
            SchemaError: a schema that the run or the config names does not compile.
        """
        known = self._sets.get(chosen)
        if known is None:
            known = self._sets[chosen] = self._compile(chosen)
        return known

    def _compile(self, chosen: SchemaSet) -> CompiledSchemas:
        validators: list[Validator] = []
        lowered: list[Severity | None] = []
        broken: list[str] = []
        for schema, severity in zip_longest(chosen.schemas, chosen.severities):
            made = self._validator(schema)
            if not isinstance(made, SchemaError):
                validators.append(made)
                lowered.append(severity)
            elif chosen.from_document:
                broken.append(str(made))
            else:
                raise made
        identifiers = frozenset(schema.identifier for schema in chosen.schemas)
        return CompiledSchemas(
            references=tuple(schema.reference for schema in chosen.schemas),
            infos=tuple(schema.info for schema in chosen.schemas),
            validators=tuple(validators),
            lowered=tuple(lowered),
            marking=tuple(each for each in validators if each.has_marks),
            broken=tuple(broken),
            notices=tuple(each.notice for each in validators if each.notice),
            vocabularies=identifiers if identifiers & EVAL_VOCABULARIES else frozenset(),
        )

    def _validator(self, schema: Schema) -> Validator | SchemaError:
        if schema not in self._validators:
            try:
                self._validators[schema] = compile_schema(schema)
            except SchemaError as error:
                self._validators[schema] = error
        return self._validators[schema]
