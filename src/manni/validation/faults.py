"""From what fails, a tree of failures, to faults and findings in the order of reports.

See `failures`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from manni.model.findings import Fault, Finding, Locator

_COMPOSITES = frozenset(("anyOf", "oneOf", "propertyNames", "contains"))


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

    def faults(self, failure: Any, parent: str, at: str | None) -> list[Fault]:
        """The faults of one failure.

        Args:
            failure: what failed.
            parent: the pointer that its path is relative to.
            at: the pointer of the property name that is at fault, when a name is.
        """
        pointer = joined(parent, failure.relative_path)
        if at is None and failure.validator == "propertyNames":
            at = joined(pointer, [failure.member or ""])
        inner = [fault for child in failure.context for fault in self.faults(child, pointer, at)]
        own = self._finding(failure, pointer, at)
        if failure.validator in _COMPOSITES:
            beneath = tuple(finding for fault in inner for finding in fault.findings)
            return [Fault((*beneath, own), lead=len(beneath))]
        if inner:
            *others, last = inner
            return [*others, Fault((*last.findings, own), last.lead)]
        return [Fault((own,))]

    def _finding(self, failure: Any, pointer: str, at: str | None) -> Finding:
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
