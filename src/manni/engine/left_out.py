"""Documents that turn out to be no artifacts, since they name no schemas of their own."""

from __future__ import annotations

from collections.abc import Sequence

from manni.base.errors import TargetError
from manni.base.text import count, visible
from manni.discovery.target import Target
from manni.engine.values import CheckResult

_SHOWN = 5


def with_schemas(
    targets: Sequence[Target], checked: Sequence[CheckResult], *, allow_empty: bool
) -> tuple[list[Target], list[CheckResult], tuple[str, ...]]:
    """The artifacts and their results, and a note about the other documents.

    Args:
        targets: what was checked.
        checked: what that gave, in the same order.
        allow_empty: whether there may be no artifact among them.

    Raises:
        TargetError: there is none, and that may not be.
    """
    pairs = list(zip(targets, checked, strict=True))
    kept = [pair for pair in pairs if not pair[0].optional or pair[1].chose_schemas]
    if len(kept) == len(pairs):
        return [*targets], [*checked], ()
    left = [target.label for target, found in pairs if target.optional and not found.chose_schemas]
    named = ", ".join(map(visible, left[:_SHOWN]))
    more = f" and {len(left) - _SHOWN} more" if len(left) > _SHOWN else ""
    said = f"{count(len(left), 'document')} without $schema left out ({named}{more})"
    if not kept and not allow_empty:
        raise TargetError(f"there is nothing to check: {said}; give schemas for all with -s")
    note = f"{said}; -s gives schemas for all"
    return [target for target, _ in kept], [found for _, found in kept], (note,)
