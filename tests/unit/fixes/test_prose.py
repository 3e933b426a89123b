"""Prose in tags below a key becomes a block of lines with the same text."""

from __future__ import annotations

import pytest

from manni.documents.front_matter import Document, DocumentFault, parse_document
from manni.documents.load import load
from manni.fixes.edits import apply
from manni.fixes.offers import with_fixes
from manni.fixes.passes import mend
from manni.fixes.prose import prose_fix
from manni.model.findings import Fault, Finding

AGENT = """\
---
name: helper
description: Use it when asked. Examples:

<example>
Context: somebody asks
user: "Do it"
  <commentary>
It's: done
</commentary>
</example>

<example>
- user: *x
</example>

model: inherit
---
body
"""
TEXT = AGENT[AGENT.index("Use it") : AGENT.index("\n\nmodel")]


def check(data: bytes) -> list[Finding]:
    document = Document()
    try:
        document = parse_document(data)
        load(document)
    except DocumentFault as fault:
        (found,) = with_fixes([Fault((fault.finding,))], document, None)
        return [found.representative]
    return list(document.findings)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_the_text_becomes_the_value(end: str, bom: bytes) -> None:
    mended = mend(bom + AGENT.replace("\n", end).encode(), check)
    value = load(parse_document(mended.data)).value
    assert value == {"name": "helper", "description": TEXT, "model": "inherit"}
    block = "|-\n" + "\n".join(f"  {line}" if line else "" for line in TEXT.split("\n"))
    assert mended.data == bom + AGENT.replace(TEXT, block).replace("\n", end).encode()
    assert mend(mended.data, check).data == mended.data


@pytest.mark.parametrize(
    "block",
    [
        "a: b: c\n",
        "a: text\n\n<example>\nuser: x\nb: 1\n",
        "a: text\n\n<example>\nuser: x\n</example>\nb: c: d\n",
        "a: 'text\n\n<example>\nuser: x\n</example>\n",
        "a: text\nplain\n<example>\nuser: x\n</example>\n",
        "a: text\n\n<example>\n\x00\n</example>\n",
    ],
)
def test_none_where_the_end_or_the_rest_is_not_plain(block: str) -> None:
    assert prose_fix(parse_document(f"---\n{block}---\n".encode())) is None


def test_several_texts_and_the_last_one_at_the_end() -> None:
    block = "a: x\n<e>\nu: 1: 2\n</e>\nb: y\n\n<e>z</e>\n"
    data = f"---\n{block}---\n".encode()
    fix = prose_fix(parse_document(data))
    assert fix is not None
    value = load(parse_document(apply(data, [fix]).data)).value
    assert value == {"a": "x\n<e>\nu: 1: 2\n</e>", "b": "y\n\n<e>z</e>"}


def test_tags_that_never_close_take_no_time() -> None:
    block = "".join(f"k{number}: x\n<t{number}>\n" for number in range(40_000))
    assert prose_fix(parse_document(f"---\n{block}---\n".encode())) is None


def test_other_languages_and_none() -> None:
    assert prose_fix(parse_document(b"+++\na = x\n+++\n")) is None
    assert prose_fix(Document()) is None
