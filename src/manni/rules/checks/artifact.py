"""What a check of a kind of file is given: one artifact, read.

A check is a function from an `Artifact` to findings. It sees values and places, never the format;
what depends on other artifacts is in `inventory`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from manni.model.findings import Finding, Locator, Severity, Span


class Sources(Locator, Protocol):
    """Places in the front matter, and the text that stands there."""

    def key_span(self, pointer: str) -> Span | None:
        """Where the key of the mapping member at `pointer` stands; None likewise."""
        ...

    def value_span(self, pointer: str) -> Span | None:
        """Where the value itself stands, without its key; None where nothing can be said.

        It starts with an anchor or a tag where there is one, and with the quote of what is quoted.
        """
        ...

    def source(self, span: Span) -> str:
        """The text of a span of the file: 1-based lines and columns in code points."""
        ...


@dataclass(frozen=True, slots=True)
class Artifact:
    """One artifact of a kind.

    Attributes:
        kind: the id of its kind, such as `claude-agent`.
        host: the id of its host, such as `claude`.
        path: from the repository's root, `/` separated.
        in_plugin: whether a plugin ships it.
        has_front_matter: whether there is a block, empty or not.
        head: the text from the start of the file through the closing fence; `""` without a block.
        body_length: how many characters follow the head.
        value: the metadata; empty without front matter.
        sources: places and texts of the metadata.
        known: the top-level keys that the schemas of its kind describe.
        required: the top-level keys that these schemas require, each with the severity of its
            absence.
    """

    kind: str
    host: str
    path: str
    in_plugin: bool
    has_front_matter: bool
    head: str
    body_length: int
    value: Mapping[str, object]
    sources: Sources
    known: frozenset[str]
    required: Mapping[str, Severity]

    @property
    def folder(self) -> str:
        """The name of the directory that the file is in; `""` at the root."""
        return self.path.rpartition("/")[0].rpartition("/")[2]


Check = Callable[[Artifact], Iterator[Finding]]
"""Yields what is wrong with one artifact, in the order of the file."""
