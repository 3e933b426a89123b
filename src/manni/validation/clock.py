"""The time that one document may take."""

from __future__ import annotations

import time

SECONDS = 10.0
"""How long one document may be checked, with all its schemas."""


class OutOfTimeError(Exception):
    """The time for a document is over."""


class Clock:
    """Stops what takes too long; one for a process, which checks one document at a time."""

    __slots__ = ("_end",)

    def __init__(self) -> None:
        self._end = 0.0

    def start(self, deadline: float | None = None) -> None:
        """Begin with a document.

        Args:
            deadline: when it has to be done, by `time.monotonic`; else `SECONDS` from now.
        """
        self._end = time.monotonic() + SECONDS if deadline is None else deadline

    def check(self) -> None:
        """Go on, or end what takes too long.

        Raises:
            OutOfTimeError: the time is over.
        """
        if time.monotonic() > self._end:
            raise OutOfTimeError


CLOCK = Clock()
