"""From a document to its metadata: JSON values, and a position for each.

Whatever the language of the front matter, what leaves this module are the values of JSON, so that
nothing later knows the format. Two ways lead here and agree on every value and every fault:
`load_values` is quick and knows no positions, `load` knows them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from manni.documents import Document, Format
from manni.findings import Span
from manni.marks import Mark, Metadata
from manni.positions import Lines
from manni.values import Json

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Json", "Metadata", "load", "load_values"]


def load_values(document: Document) -> dict[str, Json]:
    """The metadata of a document; empty when it has no front matter.

    Raises:
        DocumentFault: the front matter cannot be read; the same one that `load` raises.
    """
    if document.format is None:
        return {}
    value = _QUICK[document.format](document.block)
    # What the quick way cannot read, the other explains.
    return value if type(value) is dict else load(document).value


def load(document: Document) -> Metadata:
    """The metadata of a document with positions; empty when it has no front matter.

    Raises:
        DocumentFault: the front matter cannot be read; its one finding says where and why.
    """
    if document.format is None:
        return Metadata({}, root=Span(1, 1, 1, 1))
    return _COMPLETE[document.format](document)


def _root(document: Document) -> Span:
    """The root stands for the whole block: its place is the opening fence."""
    return Lines(document.head[:4096]).span(0, len(document.head))


def _quick_yaml(block: str) -> Json:
    from yaml import YAMLError

    from manni.yaml_reader import YamlFault, read

    try:
        value = read(block)
    except (YAMLError, YamlFault):
        return None
    return {} if value is None else value


def _complete_yaml(document: Document) -> Metadata:
    from yaml import YAMLError

    from manni.yaml_diagnosis import diagnose, not_a_mapping
    from manni.yaml_reader import YamlFault, read_marked

    lines = Lines(document.block, document.first_line)
    try:
        value, mark = read_marked(document.block)
    except (YAMLError, YamlFault) as error:
        raise diagnose(lines, error) from error
    if value is None:
        value = {}
    if not isinstance(value, dict):
        start, end = (mark.start, mark.end) if mark else (0, 0)
        raise not_a_mapping(lines, value, start, end)
    return Metadata(value, root=_root(document), lines=lines, mark=mark)


def _quick_toml(block: str) -> Json:
    from manni.block_faults import BlockFault
    from manni.toml_reader import read

    try:
        return read(block)
    except BlockFault:
        return None


def _complete_toml(document: Document) -> Metadata:
    from manni.toml_reader import read_marked

    return _complete_block(document, read_marked)


def _quick_json(block: str) -> Json:
    from manni.json_reader import read

    try:
        return read(block) if block.strip() else {}
    except (ValueError, RecursionError):
        return None


def _complete_json(document: Document) -> Metadata:
    from manni.json_reader import read_marked

    if not document.block.strip():
        return Metadata({}, root=_root(document))
    return _complete_block(document, read_marked)


def _complete_block(document: Document, read: Callable[[str], tuple[Json, Mark]]) -> Metadata:
    from manni.block_faults import BlockFault, finding_at, of_block_fault

    lines = Lines(document.block, document.first_line)
    try:
        value, mark = read(document.block)
    except BlockFault as fault:
        raise of_block_fault(lines, fault) from fault
    if not isinstance(value, dict):
        message = 'JSON front matter is an object, {"key": value}; put the value in one'
        raise finding_at(lines, message, mark.start, mark.end)
    return Metadata(value, root=_root(document), lines=lines, mark=mark)


_QUICK: dict[Format, Callable[[str], Json]] = {
    Format.YAML: _quick_yaml,
    Format.TOML: _quick_toml,
    Format.JSON: _quick_json,
}
_COMPLETE: dict[Format, Callable[[Document], Metadata]] = {
    Format.YAML: _complete_yaml,
    Format.TOML: _complete_toml,
    Format.JSON: _complete_json,
}
