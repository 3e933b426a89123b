"""What a failing keyword yields: one `Failure`, with those beneath it as its context."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jsonschema.exceptions import ValidationError

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
