"""A bound on the work that one schema may cause for one value.

Without references, a schema applies each of its subschemas to a value once. With them, a small
schema can double its work at every level; the bound ends that with an error in place of a run that
never ends.
"""

from __future__ import annotations

MAX_STEPS = 2_000_000
"""How many references one evaluation may follow to learn whether a value is valid."""

MAX_EXPLAINED_STEPS = 500_000
"""How many it may follow to list what fails; these take longer, and each may be a finding."""


class EffortError(Exception):
    """An evaluation took too many steps."""


class Effort:
    """The steps that one evaluation has left.

    Args:
        steps: how many each evaluation may take.
    """

    __slots__ = ("_left", "_steps")

    def __init__(self, steps: int) -> None:
        self._steps = self._left = steps

    def renew(self) -> None:
        """Start another evaluation."""
        self._left = self._steps

    def spend(self) -> None:
        """Take one step.

        Raises:
            EffortError: none is left.
        """
        self._left -= 1
        if self._left < 0:
            raise EffortError
