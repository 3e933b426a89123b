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


class Reading(StrEnum):
    """How a host reads YAML front matter: see `documents.readings`.

    Attributes:
        YAML: as YAML; what is none is a fault.
        CLAUDE: like YAML and, where that fails, once more with quotes around the top-level values
            of one line that hold a character with a meaning.
        LENIENT: like YAML and, where that fails, top-level values of one line as they are written.
    """

    YAML = "yaml"
    CLAUDE = "claude"
    LENIENT = "lenient"


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
