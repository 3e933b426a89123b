"""An artifact cut at its fences: what every reader of front matter starts from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from manni.model.findings import Finding


class Format(StrEnum):
    """The language of a front matter."""

    YAML = "yaml"
    TOML = "toml"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Document:
    """An artifact cut at its fences.

    All else follows from `head`, so that what is found in one artifact holds for any other with the
    same head.

    Attributes:
        format: the language of the block; None when there is no front matter.
        block: the text between the fences, with its line ends; `""` when there is none.
        first_line: the 1-based line on which `block` starts.
        head: the text that reports may quote, from the start of the file (without a byte-order
            mark) through the closing fence; `""` without front matter. Where a fence is at
            fault it reaches as far as that finding needs.
        findings: what is wrong with the fences.
    """

    format: Format | None = None
    block: str = ""
    first_line: int = 1
    head: str = ""
    findings: tuple[Finding, ...] = ()
