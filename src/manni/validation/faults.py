"""From what fails, a tree of failures, to faults and findings in the order of reports.

See `failures`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from manni.base.spelling import nearest
from manni.model.findings import Fault, Finding, Locator

_COMPOSITES = frozenset(("anyOf", "oneOf", "propertyNames", "contains"))
_UNWANTED = frozenset(("additionalProperties", "unevaluatedProperties"))


def to_faults(failures: Iterable[Any], schema: str, locator: Locator) -> tuple[Fault, ...]:
    """The faults behind the failures of one schema.

    A failing `if` joins the last fault of its branch. A failing `anyOf`, `oneOf`,
    `propertyNames` or `contains` is one fault with the failures beneath it. A required property
    that is missing and an unwanted one right after it, whose name is nearly the same, are one
    fault. Everything else is a fault of its own.

    Args:
        failures: those of the root schema, in order.
        schema: the reference that the findings name.
        locator: where the values stand.
    """
    writer = _Writer(schema, locator)
    found = [fault for failure in failures for fault in writer.faults(failure, "", None)]
    return tuple(_renamed(found))


def _renamed(faults: Iterable[Fault]) -> Iterator[Fault]:
    """The faults, where a property that is missing and a misspelled one after it are one.

    Others between the two keep them apart: findings stay in the order of evaluation.
    """
    held: Fault | None = None
    for fault in faults:
        if held is not None and _is_rename(held.representative, fault.representative):
            lead = len(held.findings) + fault.lead
            held = Fault((*held.findings, *fault.findings), lead)
            continue
        if held is not None:
            yield held
        held = fault
    if held is not None:
        yield held


def _is_rename(missing: Finding, unwanted: Finding) -> bool:
    if missing.keyword != "required" or unwanted.keyword not in _UNWANTED:
        return False
    if missing.subject is None or unwanted.subject is None or missing.pointer != unwanted.pointer:
        return False
    return nearest(unwanted.subject, (missing.subject,)) is not None


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
