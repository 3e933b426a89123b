"""From failures, a tree, to faults and findings, in the order in which they are reported."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from manni.model.findings import Fault, Finding, Locator
from manni.validation.failures import Failure

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


def _joined(parent: str, path: Iterable[str | int]) -> str:
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
        pointer = _joined(parent, failure.relative_path)
        if at is None and failure.validator == "propertyNames":
            at = _joined(pointer, [failure.member or ""])
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
            points_at = _joined(pointer, [failure.member])
        return Finding(
            schema=self.schema,
            keyword=str(failure.validator),
            message=failure.message,
            pointer=pointer,
            subject=failure.subject,
            place=self.locator.place(pointer if points_at is None else points_at),
            identity=self.locator.identity(pointer),
            allowed=failure.allowed,
            actual=failure.actual,
        )
