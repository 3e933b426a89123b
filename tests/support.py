"""Types and data that tests share."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Completed:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        """Standard output, read as one JSON document."""
        document: dict[str, Any] = json.loads(self.out)
        return document


Manni = Callable[..., Completed]
