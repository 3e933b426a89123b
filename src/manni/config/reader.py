"""Reading a config file value by value, where each mistake is one sentence with its line.

A `Node` is a value together with its name and place. Its methods give the value as the type that
the caller wants, or raise a `ConfigError` that says where, what was found and what is allowed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from yaml import YAMLError

from manni.base.errors import ConfigError
from manni.base.json_types import Json, escape_token
from manni.base.spelling import nearest
from manni.base.text import shorten, visible
from manni.documents.front_matter import Document, DocumentFault, Format, read_file
from manni.documents.load import load
from manni.documents.yaml.reader import YamlFault, read
from manni.model.findings import Locator

MAX_CONFIG = 1 << 20
"""Size limit of a config file, in bytes."""

_SHOWN = 60


def read_text(path: Path, label: str) -> str:
    """The text of a config file.

    Raises:
        ConfigError: it cannot be read, is too large, or is not UTF-8.
    """
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


def read_keys(path: Path) -> frozenset[str]:
    """The top-level keys of a config file.

    Raises:
        ConfigError: the file cannot be read or parsed.
    """
    try:
        return frozenset(load(_document(read_text(path, str(path)))).value)
    except DocumentFault as fault:
        raise ConfigError(fault.finding.message, where=str(path)) from fault


def read_root(path: Path, label: str) -> Node:
    """The root of a config file, which is a mapping.

    Raises:
        ConfigError: the file cannot be read or parsed, or its root is no mapping.
    """
    text = read_text(path, label)
    try:
        metadata = load(_document(text))
    except DocumentFault as fault:
        _refuse_root(text, label)
        span = fault.finding.span
        where = f"{label}:{span.line}:{span.column}" if span else label
        raise ConfigError(fault.finding.message, where=where) from fault
    return Node(metadata.value, "", "", _File(label, metadata))


def _refuse_root(text: str, label: str) -> None:
    """Say what a config is when the text is well-formed and its root is no mapping."""
    try:
        value = read(text)
    except (YamlFault, YAMLError):
        return
    if not isinstance(value, dict):
        raise ConfigError(
            f"a config is a mapping with the keys `meta` and `collections`, not {describe(value)}",
            where=label,
        )


def _document(text: str) -> Document:
    return Document(format=Format.YAML, block=text)


@dataclass(frozen=True, slots=True)
class _File:
    label: str
    locator: Locator


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a config.

    Attributes:
        value: as parsed.
        name: as messages name it, such as `meta.overrides[0].files`; empty for the root.
        pointer: its JSON Pointer (RFC 6901).
    """

    value: Json
    name: str
    pointer: str
    _file: _File

    @property
    def line(self) -> int:
        """The 1-based line of its key, or of the start of a list item."""
        return self._file.locator.place(self.pointer).span.line

    def error(self, message: str) -> ConfigError:
        """An error about this value; the message follows its name."""
        where = f"{self._file.label}:{self.line}"
        return ConfigError(f"`{visible(self.name)}` {message}", where=where)

    def mismatch(self, wanted: str) -> ConfigError:
        """The error that says what is wanted and what was found."""
        return self.error(f"must be {wanted}, not {describe(self.value)}")

    def members(self) -> Mapping[str, Node]:
        """The members of a mapping, by key; an empty value is an empty mapping."""
        if self.value is None:
            return {}
        if not isinstance(self.value, dict):
            raise self.mismatch("a mapping")
        prefix = f"{self.name}." if self.name else ""
        return {
            key: Node(value, f"{prefix}{key}", f"{self.pointer}/{escape_token(key)}", self._file)
            for key, value in self.value.items()
        }

    def section(self, allowed: Iterable[str], required: Iterable[str] = ()) -> Mapping[str, Node]:
        """The members of a mapping that may hold only some keys.

        Raises:
            ConfigError: a key is unknown, or a required one is missing.
        """
        members = self.members()
        names = tuple(allowed)
        for key, member in members.items():
            if key not in names:
                raise member.unknown_key(key, self.name, names)
        for key in required:
            if key not in members:
                raise self.error(f"lacks the key `{key}`")
        return members

    def unknown_key(self, key: str, owner: str, names: tuple[str, ...]) -> ConfigError:
        """The error about this member, whose key is none of those that its owner may have."""
        guess = nearest(key, names)
        hint = f", did you mean `{guess}`?" if guess else ""
        allowed = ", ".join(f"`{name}`" for name in sorted(names))
        where = f"{self._file.label}:{self.line}"
        shown = visible(shorten(key, _SHOWN))
        return ConfigError(
            f"unknown key `{shown}` in `{visible(owner)}`{hint} (the keys are {allowed})",
            where=where,
        )

    def items(self, wanted: str) -> Iterator[Node]:
        """The items of a list; `wanted` describes the list when the value is none."""
        if not isinstance(self.value, list):
            raise self.mismatch(wanted)
        for index, value in enumerate(self.value):
            yield Node(value, f"{self.name}[{index}]", f"{self.pointer}/{index}", self._file)

    def text(self, wanted: str = "text") -> str:
        """A string that holds more than white space."""
        if not isinstance(self.value, str):
            raise self.mismatch(wanted)
        if not self.value.strip():
            raise self.error("must not be blank")
        return self.value

    def texts(self, wanted: str, *, least: int = 0) -> tuple[str, ...]:
        """A list of strings that hold more than white space, `least` of them or more."""
        found = tuple(item.text() for item in self.items(wanted))
        if len(found) < least:
            raise self.error(f"must be {wanted}, with at least one item")
        return found

    def flag(self) -> bool:
        """A boolean; words such as `yes` are strings in YAML 1.2."""
        if not isinstance(self.value, bool):
            raise self.mismatch("true or false")
        return self.value

    def choice(self, allowed: Iterable[str]) -> str:
        """One of some strings."""
        names = tuple(allowed)
        if self.value in names and isinstance(self.value, str):
            return self.value
        guess = nearest(self.value, names) if isinstance(self.value, str) else None
        hint = f"; did you mean `{guess}`?" if guess else ""
        listed = ", ".join(f"`{name}`" for name in names)
        raise self.error(f"must be one of {listed}, not {describe(self.value)}{hint}")


def describe(value: Json) -> str:
    """A value in a few plain words."""
    if value is None:
        return "an empty value"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return f"the text `{visible(shorten(value, _SHOWN))}`"
    return f"`{shorten(json.dumps(value), _SHOWN)}`"
