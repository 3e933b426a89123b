"""Where the keys of a TOML text stand.

`tomllib` tells no positions. This scanner walks a text that it has accepted, so it only has to
find where things end. Whatever it does not know stays without a position.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from manni.documents.faults import DuplicateKey
from manni.documents.source_map import SourceMap

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLANK = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_SEPARATOR = re.compile(r"(?:[ \t\r\n,]++|#[^\n]*+)*+")
_KEY = re.compile(r"""[ \t]*+([A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+""")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}'
    r"|'''(?:[^']|'(?!''))*+'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+'",
    re.DOTALL,
)
_BARE = re.compile(r"[^,\]}#\r\n]*+")


def source_map(text: str) -> SourceMap:
    """The positions of a TOML text, as far as they can be found.

    Raises:
        DuplicateKey: a key has two values.
    """
    return _Scanner(text).document()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._arrays: set[int] = set()
        self._declared: set[int] = set()

    def document(self) -> SourceMap:
        root = SourceMap(0, len(self._text))
        table = root
        for _ in self._items(_BLANK):
            if self._text[self._at] == "[":
                table = self._header(root)
            else:
                self._pair(table)
        return root

    def _items(self, between: re.Pattern[str], closing: str | None = None) -> Iterator[int]:
        """The offset of each item up to a closing bracket; the taker moves past the item."""
        self._match(between)
        while self._at < len(self._text) and not (closing and self._take(closing)):
            start = self._at
            yield start
            self._match(between)
            if self._at == start:
                break

    def _match(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            return ""
        self._at = match.end()
        return match.group()

    def _take(self, token: str) -> bool:
        found = self._text.startswith(token, self._at)
        self._at += len(token) if found else 0
        return found

    def _keys(self) -> list[tuple[str, int]]:
        """A dotted key: each part with its offset."""
        parts = []
        while match := _KEY.match(self._text, self._at):
            self._at = match.end()
            parts.append((_unquote(match[1]), match.start(1)))
            if not self._take("."):
                break
        return parts

    def _latest(self, table: SourceMap) -> SourceMap:
        """The name of an array of tables stands for its last table."""
        if id(table) not in self._arrays or not table.children:
            return table
        return table.children[str(len(table.children) - 1)]

    def _header(self, root: SourceMap) -> SourceMap:
        """`[table]` or `[[array of tables]]`: the table that its keys belong to."""
        start = self._at
        many = self._take("[[") or not self._take("[")
        keys = self._keys()
        self._take("]]" if many else "]")
        table = root
        for name, _ in keys[:-1]:
            table = self._latest(self._child(table, name, start))
        if not keys:
            return table
        name = keys[-1][0]
        table = self._child(table, name, start)
        if many:
            self._arrays.add(id(table))
            self._declared.add(id(table))
            return self._child(table, str(len(table.children)), start)
        if id(table) in self._declared:
            raise DuplicateKey(name, table.start, start, self._at)
        self._declared.add(id(table))
        return table

    def _child(self, parent: SourceMap, name: str, start: int) -> SourceMap:
        """The member of a table, made where it is new."""
        return parent.children.setdefault(name, SourceMap(start, self._at))

    def _pair(self, table: SourceMap) -> None:
        """`key = value`, with a dotted key too."""
        keys = self._keys()
        if not keys or not self._take("="):
            return
        start, key_end = keys[0][1], self._at
        value = self._value()
        for name, _ in keys[:-1]:
            table = self._child(table, name, start)
        name = keys[-1][0]
        if name in table.children:
            raise DuplicateKey(name, table.children[name].start, start, key_end)
        value.start = start
        table.children[name] = value

    def _value(self) -> SourceMap:
        """Pass over a value; its positions."""
        self._match(_BLANK)
        value = SourceMap(self._at, self._at)
        if self._take("["):
            for _ in self._items(_SEPARATOR, "]"):
                value.children[str(len(value.children))] = self._value()
        elif self._take("{"):
            for _ in self._items(_SEPARATOR, "}"):
                self._pair(value)
        elif not self._match(_STRING):
            bare = self._match(_BARE)
            self._at -= len(bare) - len(bare.rstrip())
        value.end = self._at
        return value


def _unquote(part: str) -> str:
    if part[0] == "'":
        return part[1:-1]
    if part[0] != '"':
        return part
    try:
        return str(tomllib.loads(f"key = {part}")["key"])
    except tomllib.TOMLDecodeError:
        return part
