"""From what fails, a tree of failures, to faults and findings in the order of reports.

A failing keyword yields one `Failure`, with those beneath it as its context.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema.exceptions import ValidationError

from manni.base.text import shorten, visible
from manni.model.findings import Fault, Finding, Locator, Severity
from manni.validation.patterns import PatternLimitError

_COMPOSITES = frozenset(("anyOf", "oneOf", "propertyNames", "contains"))

MAX_ALLOWED = 50
"""How many of the allowed names or values a failure lists."""

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


def to_faults(failures: Iterable[Any], schema: str, locator: Locator) -> tuple[Fault, ...]:
    """The faults behind the failures of one schema.

    A failing `if` joins the last fault of its branch. A failing `anyOf`, `oneOf`,
    `propertyNames` or `contains` is one fault with the failures beneath it. Everything else is a
    fault of its own.

    Args:
        failures: those of the root schema, in order.
        schema: the reference that the findings name.
        locator: where the values stand.
    """
    writer = _Writer(schema, locator)
    return tuple(fault for failure in failures for fault in writer.faults(failure, "", None))


def joined(parent: str, path: Iterable[str | int]) -> str:
    """The JSON Pointer (RFC 6901) of what a path leads to from a pointer."""
    return parent + "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


@dataclass(frozen=True, slots=True)
class _Writer:
    schema: str
    locator: Locator

    def faults(self, failure: Failure, parent: str, at: str | None) -> list[Fault]:
        """The faults of one failure.

        Args:
            failure: what failed.
            parent: the pointer that its path is relative to.
            at: the pointer of the property name that is at fault, when a name is.
        """
        pointer = joined(parent, failure.relative_path)
        if at is None and failure.validator == "propertyNames":
            at = joined(pointer, [failure.member or ""])
        inner = [
            fault
            for child in failure.context
            for fault in self.faults(child, pointer, at)  # type: ignore[arg-type]
        ]
        own = self._finding(failure, pointer, at)
        if failure.validator in _COMPOSITES:
            beneath = tuple(finding for fault in inner for finding in fault.findings)
            return [Fault((*beneath, own), lead=len(beneath))]
        if inner:
            *others, last = inner
            return [*others, Fault((*last.findings, own), last.lead)]
        return [Fault((own,))]

    def _finding(self, failure: Failure, pointer: str, at: str | None) -> Finding:
        points_at = at
        if points_at is None and failure.member is not None:
            points_at = joined(pointer, [failure.member])
        return Finding(
            schema=self.schema,
            keyword=str(failure.validator),
            message=failure.message,
            severity=failure.severity,
            pointer=pointer,
            subject=failure.subject,
            place=self.locator.place(pointer if points_at is None else points_at),
            identity=self.locator.identity(pointer),
            allowed=failure.allowed,
            actual=failure.actual,
        )
