"""The comments of a front matter, as the readers of its language see them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from manni.documents.document import Document, Format
from manni.documents.source_map import Extent, Node, end_of, start_of

_HASH = re.compile(r"(?<![^ \t\r\n])#[^\r\n]*")
_LINE_END = re.compile(r"\r\n?|\n|\Z")
_TOML = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}'
    r"|'''(?:[^']|'(?!''))*+'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+'"
    r"|(#[^\r\n]*+)",
    re.DOTALL,
)


def comments(document: Document) -> Iterator[Extent]:
    """Where each comment stands in the block, from its `#` to the end of its line, in order.

    Args:
        document: the artifact. JSON has no comments, and neither has what is no YAML.
    """
    if document.format is Format.YAML:
        yield from _of_yaml(document.block)
    elif document.format is Format.TOML:
        yield from (match.span(1) for match in _TOML.finditer(document.block) if match[1])


def _of_yaml(text: str) -> Iterator[Extent]:
    """A `#` behind white space starts a comment (YAML 1.2 section 6.6), but not in a scalar."""
    from manni.documents.yaml.reader import UNREADABLE, parse

    try:
        opaque = sorted(_opaque(text, parse(text)[1]))
    except UNREADABLE:  # only some hosts can read it, and take a `#` for text
        return
    at = 0
    while found := _HASH.search(text, at):
        before = bisect_right(opaque, (found.start(), len(text))) - 1
        if before >= 0 and found.start() < opaque[before][1]:
            at = opaque[before][1]
        else:
            yield found.span()
            at = found.end()


def _opaque(text: str, root: Node) -> Iterator[Extent]:
    """Where quoted scalars stand, and the lines of block scalars."""
    nodes = [root] if root is not None else []
    while nodes:
        node = nodes.pop()
        if type(node) is list:
            nodes += node[1:-1]
        elif type(node) is not tuple and node.style in ("'", '"', "|", ">"):
            start, end = start_of(node), end_of(node)
            if node.style in "|>":
                line_end = _LINE_END.search(text, start)
                start = line_end.end() if line_end else end
            yield start, end
