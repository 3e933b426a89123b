"""A config as it was read: its values, the line of each, and how messages name them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from yaml import YAMLError

from manni.base.errors import ConfigError
from manni.base.json_types import pointer_tokens
from manni.base.text import shorten, visible
from manni.documents.front_matter import Document, DocumentFault, Format, read_file
from manni.documents.load import Metadata, load
from manni.documents.yaml.reader import YamlFault, read

MAX_CONFIG = 1 << 20
"""Size limit of a config file, in bytes."""

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
        metadata: its values, JSON's, under a root that is a mapping; and their places.
    """

    label: str
    metadata: Metadata

    @property
    def value(self) -> dict[str, Any]:
        """The root; nobody may change it."""
        return self.metadata.value

    def line(self, pointer: str) -> int:
        """The 1-based line of the key or list item at a JSON Pointer (RFC 6901)."""
        return self.metadata.place(pointer).span.line

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


def read_config(path: Path, label: str) -> ConfigSource:
    """Read and parse a config file.

    Raises:
        ConfigError: it cannot be read, is too large, is not UTF-8, cannot be parsed, or its root
            is no mapping.
    """
    text = _text(path, label)
    try:
        return ConfigSource(label, _parsed(text))
    except DocumentFault as fault:
        _refuse_root(text, label)
        span = fault.finding.span
        where = f"{label}:{span.line}:{span.column}" if span else label
        raise ConfigError(fault.finding.message, where=where) from fault


@lru_cache(maxsize=2)
def _parsed(text: str) -> Metadata:
    # The search for a config has read the very file that is loaded next.
    return load(Document(format=Format.YAML, block=text))


def _text(path: Path, label: str) -> str:
    try:
        data = read_file(path)
    except DocumentFault as fault:
        raise ConfigError(fault.finding.message, where=label) from fault
    if len(data) > MAX_CONFIG:
        raise ConfigError("the config is larger than 1 MiB", where=label)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError("the config is not UTF-8 text", where=f"{label}:{line}") from error


def _refuse_root(text: str, label: str) -> None:
    """Say what a config is where the text is good YAML, since a reader of pages would not."""
    try:
        value = read(text)
    except (YamlFault, YAMLError):
        return
    if not isinstance(value, dict):
        what = "a list" if isinstance(value, list) else "a single value"
        raise ConfigError(
            f"a config is a mapping with the keys `meta` and `collections`, not {what}",
            where=label,
        )
