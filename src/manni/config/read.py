"""Reading and parsing a config file, whatever it says."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from yaml import YAMLError

from manni.base.errors import ConfigError
from manni.config.source import ConfigSource
from manni.documents.document import Document, Format
from manni.documents.faults import DocumentFault
from manni.documents.files import read_file
from manni.documents.load import Metadata, load
from manni.documents.yaml.reader import YamlFault, read

SECTIONS = ("meta", "collections", "action")
"""The top-level keys that this tool reads, and of which a config has at least one."""

MAX_CONFIG = 1 << 20
"""Size limit of a config file, in bytes."""


def read_config(path: Path, label: str) -> ConfigSource:
    """Read and parse a config file.

    Raises:
        ConfigError: it cannot be read, is too large, is not UTF-8, cannot be parsed, or its root
            is no mapping.
    """
    text = _text(path, label)
    try:
        metadata = _parsed(text)
    except DocumentFault as fault:
        _refuse_root(text, label)
        span = fault.finding.span
        where = f"{label}:{span.line}:{span.column}" if span else label
        raise ConfigError(fault.finding.message, where=where) from fault
    return ConfigSource(label, metadata.value, metadata)


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
