"""How far a run is, on one line of a terminal."""

from __future__ import annotations

import time
from typing import TextIO

from manni.base.text import count

_AFTER_SECONDS = 1.0
_EVERY_SECONDS = 0.1


class Progress:
    """The line, shown once a run takes longer than a second, and taken away at its end."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._next = time.monotonic() + _AFTER_SECONDS
        self._shown = False

    @classmethod
    def on(cls, stream: TextIO) -> Progress | None:
        """A progress line on the stream, or None when it is not a terminal."""
        return cls(stream) if stream.isatty() else None

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` files are checked."""
        now = time.monotonic()
        if now >= self._next and done < total:
            self._next = now + _EVERY_SECONDS
            self._shown = True
            self._stream.write(f"\rchecked {done} of {count(total, 'file')}")
            self._stream.flush()
        elif self._shown and done >= total:
            self._shown = False
            self._stream.write("\r\x1b[K")
            self._stream.flush()
