"""A config as it was read: its values, the line of each, and how messages name them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from manni.base.json_types import pointer_tokens
from manni.base.text import shorten, visible
from manni.model.findings import Locator

_SHOWN = 60


@dataclass(frozen=True, slots=True, order=True)
class Mistake:
    """What is wrong in one place: its 1-based line, and a sentence without a full stop."""

    line: int
    sentence: str


@dataclass(frozen=True, slots=True)
class ConfigSource:
    """One config file, parsed.

    Attributes:
        label: the file as messages name it.
        value: its root, of JSON values; nobody may change it.
        locator: where its values stand.
    """

    label: str
    value: dict[str, Any]
    locator: Locator

    def line(self, pointer: str) -> int:
        """The 1-based line of the key or list item at a JSON Pointer (RFC 6901)."""
        return self.locator.place(pointer).span.line

    def name(self, pointer: str) -> str:
        """What messages call the value at a JSON Pointer: `meta.overrides[0].files`."""
        value: Any = self.value
        name = ""
        for token in pointer_tokens(pointer):
            if isinstance(value, list):
                name += f"[{token}]"
                value = value[int(token)]
            else:
                shown = visible(shorten(token, _SHOWN))
                name += f".{shown}" if name else shown
                value = value[token]
        return name

    def mistake(self, pointer: str, message: str) -> Mistake:
        """The mistake in one value; the message follows its name."""
        return Mistake(self.line(pointer), f"`{self.name(pointer)}` {message}")
