"""What the command line prints, and how."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import islice

from manni.base.errors import UsageError
from manni.base.text import visible

_PIECES_AT_A_TIME = 1_000


def complain(message: str) -> None:
    """Print `manni: <message>` on standard error, on one line."""
    sys.stderr.write(f"manni: {visible(message)}\n")


def emit(pieces: Iterable[str]) -> None:
    """Print the pieces of a report on standard output.

    Raises:
        BrokenPipeError: nobody reads it any more.
        UsageError: it cannot be written.
    """
    left = iter(pieces)
    try:
        # A terminal is written to with each line, so lines are handed on many at a time.
        while text := "".join(islice(left, _PIECES_AT_A_TIME)):
            sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        raise UsageError(f"standard output cannot be written: {reason}") from None
