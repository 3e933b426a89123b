"""A schema compiled once, and what it says about metadata."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry

from manni.errors import SchemaError
from manni.findings import Fault, Locator
from manni.schema_files import dialect_of
from manni.text import shorten, visible
from manni.validation.applicators import Linked
from manni.validation.dialects import Dialect, dialect
from manni.validation.failures import false_schema
from manni.validation.faults import to_faults
from manni.validation.linking import Linker
from manni.validation.marks import Marks

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

    __slots__ = ("_engine", "_marks", "_root", "reference")

    def __init__(self, reference: str, root: Linked, rules: Dialect) -> None:
        self.reference = reference
        self._root = root
        self._engine: Any = rules.engine(
            root if isinstance(root, dict) else {}, registry=Registry()
        )
        self._marks = Marks(root, self._engine, reference)

    def is_valid(self, value: Any) -> bool:
        """Whether the metadata meets the schema; cheaper than asking for its faults."""
        return self._run(lambda: next(iter(self._failures(value)), None) is None)

    def faults(self, value: Any, locator: Locator) -> tuple[Fault, ...]:
        """Everything in which the metadata fails the schema, in evaluation order.

        Args:
            value: the metadata, as JSON values.
            locator: where its values stand.

        Raises:
            SchemaError: the schema nests too deep for this value.
        """
        return self._run(lambda: to_faults(list(self._failures(value)), self.reference, locator))

    def marks(self, value: Any) -> Mapping[str, str]:
        """Where the schema prefers the top-level keys of the metadata to be stored.

        Returns:
            `page` or `external` for each key of the metadata that has a mark.
        """
        if not isinstance(value, dict):
            return {}
        return self._run(lambda: self._marks.of(value))

    def _failures(self, value: Any) -> Any:
        if self._root is False:
            return [false_schema(value)]
        return self._engine.iter_errors(value)

    def _run(self, work: Callable[[], _T]) -> _T:
        try:
            return work()
        except RecursionError:
            return _with_deep_stack(work, self.reference)


def _with_deep_stack(work: Callable[[], _T], reference: str) -> _T:
    """Run deep but finite work in a thread that has the stack for it."""
    results: list[_T] = []

    def target() -> None:
        try:
            results.append(work())
        except RecursionError:
            return

    limit, size = sys.getrecursionlimit(), threading.stack_size(_DEEP_STACK)
    sys.setrecursionlimit(max(limit, _DEEP_FRAMES))
    try:
        thread = threading.Thread(target=target)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if not results:
        raise SchemaError("it nests too deep for this document; make it flatter", where=reference)
    return results[0]


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
    named = document if isinstance(document, dict) else {}
    rules = dialect(dialect_of(named, reference))
    _check_against_meta_schema(named, rules, reference)
    resolver = schema.registry.resolver(schema.base_uri)
    root = Linker(reference, rules).link(document, resolver)
    return Validator(reference, root, rules)


def _check_against_meta_schema(document: Any, rules: Dialect, reference: str) -> None:
    official: Any = rules.official
    checker = official(official.META_SCHEMA)
    try:
        wrong: ValidationError | None = best_match(checker.iter_errors(document))
    except RecursionError:
        raise SchemaError("it nests too deep; make it flatter", where=reference) from None
    if wrong is not None:
        place = "".join(
            "/" + str(part).replace("~", "~0").replace("/", "~1") for part in wrong.absolute_path
        )
        reason = shorten(visible(wrong.message), 300)
        raise SchemaError(
            f"this is no valid JSON Schema: {reason}", where=f"{reference}#{visible(place)}"
        )
