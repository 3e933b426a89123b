"""A schema compiled once, and what it says about metadata."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.model.findings import Fault, Locator
from manni.schemas import builtin as builtins
from manni.schemas.loader import dialect_of
from manni.validation.dialects import Dialect
from manni.validation.dialects import dialect as dialect_named
from manni.validation.effort import EffortError
from manni.validation.graph import Linked
from manni.validation.linking import Linker
from manni.validation.marks import Marks
from manni.validation.predicates import Predicates
from manni.validation.resolution import scope_of

if TYPE_CHECKING:
    from referencing import Registry

    from manni.validation.explanation import Explanation

_T = TypeVar("_T")

_DEEP_STACK = 256 * 2**20
_DEEP_FRAMES = 100_000


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
        """The URI of the document, under which `registry` knows it."""
        ...

    @property
    def registry(self) -> Registry[Any]:
        """Whatever it may refer to."""
        ...


class Validator:
    """A compiled schema. Its methods take metadata and never change it."""

    __slots__ = ("_dialect", "_explanation", "_marks", "_predicates", "_root", "reference")

    def __init__(self, reference: str, root: Linked, dialect: Dialect) -> None:
        self.reference = reference
        self._root = root
        self._dialect = dialect
        self._explanation: Explanation | None = None
        self._predicates = Predicates(draft4=dialect.is_draft4)
        self._marks = Marks(root, self._predicates.holds, reference)

    def is_valid(self, value: Any) -> bool:
        """Whether the metadata meets the schema.

        Args:
            value: the metadata, as JSON values.

        Raises:
            SchemaError: the schema nests too deep for this value.
        """
        return self._run(lambda: self._predicates.holds(value, self._root))

    def faults(self, value: Any, locator: Locator) -> tuple[Fault, ...]:
        """Everything in which the metadata fails the schema, in evaluation order.

        Args:
            value: the metadata, as JSON values.
            locator: where its values stand; asked only where something fails.

        Raises:
            SchemaError: the schema nests too deep for this value.
        """
        if self.is_valid(value):
            return ()
        return self._run(lambda: self._explain(value, locator))

    @property
    def has_marks(self) -> bool:
        """Whether the schema may prefer a place for some key."""
        return not self._marks.are_none

    def marks(self, value: Any) -> Mapping[str, str]:
        """Where the schema prefers the top-level keys of the metadata to be stored.

        Args:
            value: the metadata, as JSON values.

        Returns:
            `page` or `external` for each key of the metadata that has a mark.
        """
        if not isinstance(value, dict):
            return {}
        return self._run(lambda: self._marks.of(value))

    def _explain(self, value: Any, locator: Locator) -> tuple[Fault, ...]:
        # Most runs have nothing to explain, and this import takes longer than they do.
        from manni.validation.explanation import Explanation

        if self._explanation is None:
            self._explanation = Explanation(self._root, self._dialect)
        return self._explanation.faults(value, self.reference, locator)

    def _run(self, work: Callable[[], _T]) -> _T:
        self._predicates.effort.renew()
        try:
            try:
                return work()
            except RecursionError:
                return _with_deep_stack(work, self.reference)
        except EffortError:
            raise SchemaError(
                "its references multiply without bound on this document; let fewer of them "
                "describe the same value",
                where=self.reference,
            ) from None


def _with_deep_stack(work: Callable[[], _T], reference: str) -> _T:
    """Run deep but finite work in a thread that has the stack for it."""
    import threading
    from concurrent.futures import ThreadPoolExecutor

    limit, size = sys.getrecursionlimit(), threading.stack_size(_DEEP_STACK)
    sys.setrecursionlimit(max(limit, _DEEP_FRAMES))
    try:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(work).result()
    except RecursionError:
        raise SchemaError(
            "it nests too deep for this document; make it flatter", where=reference
        ) from None
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)


def compile_schema(schema: SchemaSource) -> Validator:
    """Compile a schema.

    Args:
        schema: as it was loaded. Its `$schema` chooses the dialect: draft 4, 6 or 7, 2019-09 or
            2020-12, and the last when it has none.

    Raises:
        SchemaError: its `$schema` names no known dialect, it breaks its meta-schema, a pattern is
            no ECMAScript regular expression, a `$ref` leads nowhere or round in a circle, or its
            location marks make no sense. The message names the schema and the place in it.
    """
    document, reference = schema.document, schema.reference
    dialect = dialect_named(dialect_of(document if isinstance(document, dict) else {}, reference))
    if isinstance(document, dict) and builtins.find(schema.base_uri) is None:
        _check_against_meta_schema(document, dialect, reference)
    scope = scope_of(document, schema.base_uri, lambda: schema.registry, dialect.uri)
    return Validator(reference, Linker(reference, dialect).link(document, scope), dialect)


def _check_against_meta_schema(document: Any, dialect: Dialect, reference: str) -> None:
    from manni.validation.explanation import wrong_in_schema

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
