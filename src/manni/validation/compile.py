"""A schema compiled once, and what it says about metadata.

`jsonschema-rs` decides whether metadata meets a schema. Only what does not is looked at again, by
`jsonschema`, for the findings in their order; see `explain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import jsonschema_rs

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.schemas import builtin as builtins
from manni.schemas.dialects import Dialect, dialect_of
from manni.validation.graph import Linked, in_order_of_work, most_work
from manni.validation.limits import CLOCK, MAX_BACKTRACKING, MAX_DEPTH, MAX_WORK, OutOfTimeError
from manni.validation.link import Linker
from manni.validation.location_keywords import LocationKeywords
from manni.validation.measure import measured, texts, with_deep_stack
from manni.validation.patterns import OPTIONS, Pattern, PatternLimitError, is_linear

if TYPE_CHECKING:
    from manni.model.findings import Fault, Locator
    from manni.validation.explain import Explanation

_T = TypeVar("_T")


class SchemaSource(Protocol):
    """A schema as it was loaded."""

    @property
    def reference(self) -> str:
        """As the user wrote it."""
        ...

    @property
    def document(self) -> Any:
        """The schema: an object, or a boolean."""
        ...

    @property
    def base_uri(self) -> str:
        """The URI of the document."""
        ...

    def retrieve(self, uri: str) -> Any:
        """The document of another URI that it refers to.

        Raises:
            SchemaError: there is none, or it may not be used.
        """
        ...


class Validator:
    """A compiled schema. Its methods take metadata and never change it.

    Attributes:
        reference: of the schema, as the user wrote it.
        notice: what a run should say about the schema, if anything.
    """

    def __init__(
        self,
        schema: SchemaSource,
        dialect: Dialect,
        native: jsonschema_rs.Validator | None,
    ) -> None:
        self.reference = schema.reference
        self.notice: str | None = None
        self._schema = schema
        self._dialect = dialect
        self._native = native
        self._is_trusted = _is_built_in(schema)
        self._work: dict[int, int] = {}

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
            verdict = self._run(lambda: self._explanation.holds(value, self.root))
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

            slow = self._slow_patterns[0].source if self._slow_patterns else None
            return (out_of_time(self.reference, slow, locator),)
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

    def check(self, refusal: str | None) -> None:
        """Follow all that the schema refers to, and read its annotations.

        Args:
            refusal: why `jsonschema-rs` does not run the schema, if it does not.

        Raises:
            SchemaError: as `compile_schema`.
        """
        try:
            self._run(lambda: (self.nodes, self._locations))
        except (AttributeError, TypeError, ValueError):
            if refusal is None:
                raise
            raise SchemaError(
                f"this is no valid JSON Schema: {refusal}", where=self.reference
            ) from None

    @cached_property
    def root(self) -> Linked:
        """The linked schema.

        Raises:
            SchemaError: as `compile_schema`.
        """
        schema = self._schema
        linker = Linker(self.reference, self._dialect, schema.base_uri, schema.retrieve)
        return linker.link(schema.document)

    @cached_property
    def nodes(self) -> list[dict[str, Linked]]:
        """Its linked schemas, each behind those that it applies to the same value.

        Raises:
            SchemaError: a `$ref` leads round in a circle.
        """
        return in_order_of_work(self.root, self.reference)

    @cached_property
    def _locations(self) -> LocationKeywords:
        return LocationKeywords(self.root, self._taken, self.reference)

    @cached_property
    def _explanation(self) -> Explanation:
        # Most runs have nothing to explain, and this import takes longer than they do.
        from manni.validation.explain import Explanation

        return Explanation(self.root, self._dialect, self.reference)

    def _taken(self, value: Any, schema: Linked) -> Iterable[Linked]:
        return self._explanation.taken(value, schema)

    @cached_property
    def _slow_patterns(self) -> list[Pattern]:
        patterns = [node["pattern"] for node in self.nodes if "pattern" in node]
        patterns += [one for node in self.nodes for one, _ in node.get("patternProperties", ())]
        return [each for each in patterns if not is_linear(each.source)]

    def _verdict(self, value: Any) -> bool | None:
        """What `jsonschema-rs` says; None where it cannot be asked."""
        if self._native is None:
            return None
        count, depth = measured(value)
        if not 0 <= depth <= MAX_DEPTH or not (self._is_trusted or self._is_quick(count, depth)):
            return None
        try:
            valid = self._native.is_valid(value)
        except ValueError:
            return None
        # A branch may have been left because its pattern took too long.
        return None if valid and not self._is_trusted and self._is_slow_on(value) else valid

    def _is_slow_on(self, value: Any) -> bool:
        try:
            for pattern in self._slow_patterns:
                for text in texts(value):
                    pattern.matches(text)
        except PatternLimitError:
            return True
        return False

    def _is_quick(self, count: int, depth: int) -> bool:
        if count * len(self._slow_patterns) > MAX_BACKTRACKING:
            return False
        if depth not in self._work:
            self._work[depth] = most_work(self.nodes, self.root, depth)
        return count * self._work[depth] <= MAX_WORK

    def _run(self, work: Callable[[], _T]) -> _T:
        try:
            return work()
        except RecursionError:
            return with_deep_stack(work, self.reference)


def compile_schema(schema: SchemaSource) -> Validator:
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
        _check_against_meta_schema(document, dialect, reference)
        validator.notice = (
            f"{reference} is checked the slow way, since the quick engine refuses it: {refusal}"
        )
    if not _is_built_in(schema):
        validator.check(refusal)
    return validator


def _is_built_in(schema: SchemaSource) -> bool:
    return builtins.find(schema.base_uri) is not None


def _native(schema: SchemaSource) -> tuple[jsonschema_rs.Validator | None, str | None]:
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


def _check_against_meta_schema(document: Any, dialect: Dialect, reference: str) -> None:
    from manni.validation.explain import wrong_in_schema

    try:
        wrong = wrong_in_schema(document, dialect)
    except RecursionError:
        raise SchemaError("it nests too deep; make it flatter", where=reference) from None
    if wrong is not None:
        place, reason = wrong
        raise SchemaError(
            f"this is no valid JSON Schema: {shorten(visible(reason), 300)}",
            where=f"{reference}#{shorten(visible(place), 300)}",
        )
