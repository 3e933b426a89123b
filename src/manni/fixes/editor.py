"""Edits of the metadata of one document, each read again before it is offered."""

from __future__ import annotations

import json
from dataclasses import replace

from manni.base.json_types import Json, escape_token, pointer_tokens
from manni.documents.document import Document, Format
from manni.documents.faults import DocumentFault
from manni.documents.lines import Lines
from manni.documents.load import Metadata, load
from manni.documents.source_map import Parts
from manni.documents.yaml.quoting import spell
from manni.fixes.edits import edited, span_between
from manni.model.findings import Edit, Fix

MAX_READ = 500_000
"""How many characters are read to verify the edits of one document; then no more are offered."""

_COST = 200


class Editor:
    """Makes fixes for one document that change one value or key and nothing else.

    Every method that makes a fix gives None where the value's place is not known, and where the
    text with the edit does not read as meant.

    Args:
        document: the artifact.
        metadata: what its front matter holds.
    """

    def __init__(self, document: Document, metadata: Metadata) -> None:
        self._document = document
        self._metadata = metadata
        self._lines = Lines(document.block, document.first_line)
        self._left = MAX_READ

    @property
    def is_yaml(self) -> bool:
        """Whether the front matter is YAML."""
        return self._document.format is Format.YAML

    def value(self, pointer: str) -> Json:
        """The value at a JSON Pointer; None also where there is none."""
        value: Json = self._metadata.value
        for token in pointer_tokens(pointer):
            value = _child(value, token)
        return value

    def source(self, pointer: str) -> str:
        """The value at a JSON Pointer as it is written; `""` where its place is not known."""
        parts = self._metadata.parts(pointer)
        return self._document.block[slice(*parts.value)] if parts else ""

    def spell(self, value: str, like: str = "") -> str:
        """A text as the front matter spells one, quoted where `like` is."""
        return spell(value, like=like) if self.is_yaml else json.dumps(value, ensure_ascii=False)

    def replace(
        self, pointer: str, text: str, meant: Json, description: str, *, safe: bool = True
    ) -> Fix | None:
        """Write `text` in the place of the value at `pointer`, which then has to be `meant`."""
        parts = self._parts(pointer)
        if parts is None:
            return None
        return self._fix(*parts.value, text, _with(self, pointer, meant), description, safe=safe)

    def rewrite(self, pointer: str, text: str, meant: Json, description: str) -> Fix | None:
        """Like `replace`, and put the value of a member on the line of its key."""
        parts = self._parts(pointer)
        if parts is None or parts.key is None:
            return None
        after = parts.key[1]
        return self._fix(
            after, parts.value[1], f": {text}", _with(self, pointer, meant), description
        )

    def rename(self, parent: str, name: str, new: str, description: str) -> Fix | None:
        """Give the member `name` of the mapping at `parent` the name `new`."""
        members = self.value(parent)
        parts = self._parts(f"{parent}/{escape_token(name)}")
        if not isinstance(members, dict) or parts is None or parts.key is None:
            return None
        written = self._document.block[slice(*parts.key)]
        renamed = {new if key == name else key: value for key, value in members.items()}
        meant = _with(self, parent, renamed)
        return self._fix(*parts.key, self.spell(new, like=written), meant, description)

    def _parts(self, pointer: str) -> Parts | None:
        """Where a value stands; None also when no more edits are offered."""
        return self._metadata.parts(pointer) if self._left > 0 else None

    def _fix(
        self, start: int, end: int, text: str, meant: Json, description: str, *, safe: bool = True
    ) -> Fix | None:
        block = edited(self._document.block, [(start, end, text)])
        if not self._reads_as(block, meant):
            return None
        return Fix(description, (Edit(span_between(self._lines, start, end), text),), safe)

    def _reads_as(self, block: str, meant: Json) -> bool:
        self._left -= len(block) + _COST
        try:
            value = load(replace(self._document, block=block)).value
        except DocumentFault:
            return False
        # Unlike `==`, their spelling tells 1 from 1.0 and true.
        return json.dumps(value) == json.dumps(meant)


def _with(editor: Editor, pointer: str, new: Json) -> Json:
    """The metadata with another value at a pointer that exists."""
    meant = new
    while pointer:
        parent, _, _ = pointer.rpartition("/")
        (token,) = pointer_tokens(pointer[len(parent) :])
        around = editor.value(parent)
        if isinstance(around, dict):
            meant = {**around, token: meant}
        elif isinstance(around, list):
            meant = [*around[: int(token)], meant, *around[int(token) + 1 :]]
        pointer = parent
    return meant


def _child(value: Json, token: str) -> Json:
    if isinstance(value, dict):
        return value.get(token)
    if isinstance(value, list) and token.isascii() and token.isdigit() and len(token) < 10:
        return value[int(token)] if int(token) < len(value) else None
    return None
