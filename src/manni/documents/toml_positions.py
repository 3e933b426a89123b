"""Where the keys of a TOML text stand.

`tomllib` tells no positions. This scanner walks a text that it has accepted, so it only has to
find where things end. Whatever it does not know stays without a mark.
"""

from __future__ import annotations

import re
import tomllib

from manni.documents.faults import DuplicateKey
from manni.documents.source_map import Mark

_BLANK = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_SPACE = re.compile(r"[ \t]*+")
_KEY = re.compile(r"""[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'""")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}'
    r"|'''(?:[^']|'(?!''))*+'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+'",
    re.DOTALL,
)
_BARE = re.compile(r"[^,\]}#\r\n]*+")


def mark(text: str) -> Mark:
    """The marks of a TOML text, as far as they can be found.

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

    def _latest(self, table: Mark) -> Mark:
        """The name of an array of tables stands for its last table."""
        children = table.children
        if id(table) not in self._arrays or not children:
            return table
        return children[str(len(children) - 1)]

    def document(self) -> Mark:
        root = Mark(0, len(self._text), {})
        table = root
        self._match(_BLANK)
        while self._at < len(self._text):
            before = self._at
            if self._text[before] == "[":
                table = self._header(root)
            else:
                self._pair(table)
            if self._at == before:
                break
            self._match(_BLANK)
        return root

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
        while True:
            self._match(_SPACE)
            start = self._at
            part = self._match(_KEY)
            if not part:
                break
            parts.append((_unquote(part), start))
            self._match(_SPACE)
            if not self._take("."):
                break
        return parts

    def _header(self, root: Mark) -> Mark:
        """`[table]` or `[[array of tables]]`: the mark that its keys belong to."""
        start = self._at
        many = self._take("[[") or not self._take("[")
        keys = self._keys()
        self._take("]]" if many else "]")
        table = root
        for name, _ in keys[:-1]:
            table = self._latest(_child(table, name, start, self._at))
        if not keys:
            return table
        name = keys[-1][0]
        if not many:
            return self._table(table, name, start)
        array = _child(table, name, start, self._at)
        self._arrays.add(id(array))
        self._declared.add(id(array))
        return _child(array, str(len(array.children or ())), start, self._at)

    def _table(self, parent: Mark, name: str, start: int) -> Mark:
        table = _child(parent, name, start, self._at)
        if id(table) in self._declared:
            raise DuplicateKey(name, table.start, start, self._at)
        self._declared.add(id(table))
        return table

    def _pair(self, table: Mark) -> None:
        """`key = value`, with a dotted key too."""
        keys = self._keys()
        if not keys or not self._take("="):
            return
        self._match(_SPACE)
        start = keys[0][1]
        key_end = self._at
        inside = self._value()
        for name, _ in keys[:-1]:
            table = _child(table, name, start, self._at)
        name = keys[-1][0]
        children = table.children if table.children is not None else {}
        if name in children:
            raise DuplicateKey(name, children[name].start, start, key_end)
        children[name] = Mark(start, self._at, inside)

    def _value(self) -> dict[str, Mark] | None:
        """Pass over a value; the marks inside of it."""
        if self._take("["):
            return self._array()
        if self._take("{"):
            return self._inline_table()
        if not self._match(_STRING):
            bare = self._match(_BARE)
            self._at -= len(bare) - len(bare.rstrip())
        return None

    def _array(self) -> dict[str, Mark]:
        marks: dict[str, Mark] = {}
        self._match(_BLANK)
        while self._at < len(self._text) and not self._take("]"):
            start = self._at
            inside = self._value()
            marks[str(len(marks))] = Mark(start, self._at, inside)
            self._match(_BLANK)
            self._take(",")
            self._match(_BLANK)
            if self._at == start:
                break
        return marks

    def _inline_table(self) -> dict[str, Mark]:
        table = Mark(self._at, self._at, {})
        self._match(_BLANK)
        while self._at < len(self._text) and not self._take("}"):
            start = self._at
            self._pair(table)
            self._match(_BLANK)
            self._take(",")
            self._match(_BLANK)
            if self._at == start:
                break
        return table.children or {}


def _child(parent: Mark, name: str, start: int, end: int) -> Mark:
    """The mark of a member, made where it is new."""
    if parent.children is None:
        parent.children = {}
    return parent.children.setdefault(name, Mark(start, end, {}))


def _unquote(part: str) -> str:
    if part[0] == "'":
        return part[1:-1]
    if part[0] != '"':
        return part
    try:
        return str(tomllib.loads(f"key = {part}")["key"])
    except tomllib.TOMLDecodeError:
        return part
