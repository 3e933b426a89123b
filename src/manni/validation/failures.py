"""What a failing keyword yields, and how subschemas are applied: what all keywords share.

Subschemas are linked: a `$ref` holds its target. See `link`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from jsonschema.exceptions import ValidationError

from manni.base.text import shorten, visible
from manni.model.findings import Severity
from manni.schemas.vocabularies import SEVERITY
from manni.validation.clock import CLOCK
from manni.validation.graph import Linked
from manni.validation.patterns import PatternLimitError

MAX_ALLOWED = 50
"""How many of the allowed names or values a failure lists."""

Found = Iterator["Failure"]

FALSE_SCHEMA = "false schema"
"""The keyword of a failure that no keyword states: a schema that is `false`."""


class Failure(ValidationError):  # noqa: N818
    """One failing keyword.

    The library adds the keyword, its value, the instance and the path. Composite keywords carry
    the failures of their subschemas as `context`, whose paths are relative to the composite's.

    Attributes:
        subject: the name or type that it is about, where it has one.
        member: the property at which it points, when that is not the instance itself: a property
            that is present and should not be, or whose name is wrong.
        allowed: what would have been accepted, spelled for people.
        actual: what was met instead, spelled likewise; for `type`, a list, mapping or string is
            named by its type.
        severity: the lowest that the schemas around it ask for.
        limit: the search that took too many steps, when it is about one.
    """

    def __init__(
        self,
        message: str,
        *,
        subject: str | None = None,
        member: str | None = None,
        allowed: tuple[str, ...] = (),
        actual: str | None = None,
        context: Sequence[ValidationError] = (),
    ) -> None:
        super().__init__(message, context=context)
        self.subject = subject
        self.member = member
        self.allowed = allowed
        self.actual = actual
        self.severity = Severity.ERROR
        self.limit: PatternLimitError | None = None

    def lower(self, severity: Severity) -> None:
        """Let this and what is beneath it weigh no more than a severity."""
        if severity.rank > self.severity.rank:
            self.severity = severity
        for failure in self.context:
            failure.lower(severity)  # type: ignore[attr-defined]


def false_schema(instance: Any, path: str | int | None = None) -> Failure:
    """The failure of a schema that is `false`.

    Args:
        instance: the value that it was applied to.
        path: the key or index of that value, when the schema describes a member.
    """
    failure = Failure("boolean schema is false")
    failure.validator = FALSE_SCHEMA
    failure.validator_value = None
    failure.instance = instance
    failure.schema = False
    if path is not None:
        failure.path.appendleft(path)
    return failure


def limit_failure(error: PatternLimitError, member: str | None = None) -> Failure:
    """The failure of a search that takes too many steps.

    Args:
        error: what the search raised.
        member: the property whose name was searched, if it was a name.
    """
    failure = Failure(shorten(visible(error.message), 400), member=member)
    failure.limit = error
    return failure


def too_many_items(limit: int) -> Failure:
    """The failure of a list that is longer than its schemas describe."""
    return Failure(f"must NOT have more than {limit} items")


def apply(
    validator: Any, instance: Any, schema: Linked, path: str | int | None = None
) -> Iterable[Any]:
    """The failures of one subschema; `path` is the member's key or index, if it is a member."""
    CLOCK.check()
    if schema is True:
        return ()
    if schema is False:
        return (false_schema(instance, path),)
    failures: Iterator[Any] = validator.descend(instance, schema, path)
    return _lowered(failures, schema[SEVERITY]) if SEVERITY in schema else failures


def _lowered(failures: Iterable[Any], severity: Severity) -> Iterator[Any]:
    for failure in failures:
        failure.lower(severity)
        yield failure


def is_valid(validator: Any, instance: Any, schema: Linked) -> bool:
    """Whether an instance meets a subschema.

    Raises:
        PatternLimitError: that cannot be said.
    """
    failure = next(iter(apply(validator, instance, schema)), None)
    if failure is not None and failure.limit is not None:
        raise failure.limit
    return failure is None
