"""Comments that take findings out: where they are comments, what they are for, what is left."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manni.documents.comments import comments
from manni.documents.front_matter import parse_document
from manni.documents.load import load
from manni.fixes.edits import apply
from manni.model.findings import PARSE_SCHEMA, Fault, Finding, Place, Span
from manni.rules.suppression import MAX_COMMENTS, Ignore, ignores, suppress, unused

NOTE = "# manni: ignore[s/enum] because"


def read(block: str, fence: str = "---") -> tuple[Ignore, ...]:
    language = "toml" if fence == "+++" else ""
    document = parse_document(f"{fence}{language and ''}\n{block}\n{fence}\n".encode())
    return ignores(document, load(document))


def ignored(block: str, *pointers: str, fence: str = "---") -> list[str]:
    """Which of the findings at some pointers the comments of a block take out."""
    document = parse_document(f"{fence}\n{block}\n{fence}\n".encode())
    metadata = load(document)
    faults = [
        Fault((Finding("s", "enum", "m", each, place=metadata.place(each)),)) for each in pointers
    ]
    _, out, _ = suppress(faults, ignores(document, metadata))
    return [each.finding.pointer for each in out]


@pytest.mark.parametrize(
    ("block", "taken"),
    [
        (f"{NOTE}\na: 1\nb: 2", ["/a"]),
        (f"a: 1\n\n{NOTE}\n# about b\n\nb: 2", ["/b"]),
        (f"a: 1 {NOTE}\nb: 2", ["/a"]),
        (f"{NOTE}\na:\n  c: 1\n  d: 2\nb: 2", ["/a", "/a/c", "/a/d"]),
        (f"a: {NOTE}\n  c: 1\nb: 2", ["/a", "/a/c"]),
        (f"a:\n  {NOTE}\n  c: 1\n  d: 1", ["/a/c"]),
        (f"a:\n  - c: 1 {NOTE}\n    d: 2\n  - c: 2", ["/a/0", "/a/0/c"]),
        (f"a:\n  {NOTE}\n  - c: 1\n    d: 2\n  - c: 2", ["/a/0", "/a/0/c", "/a/0/d"]),
        (f"a: [1,\n  2, {NOTE}\n  3]", ["/a/1"]),
        (f"a: [1,\n  2] {NOTE}\nb: 1", ["/a", "/a/0", "/a/1"]),
        (f"a: {{c: 1, d: 2}} {NOTE}\nb: 1", ["/a", "/a/c", "/a/d"]),
        (f"a: | {NOTE}\n  text\nb: 1", ["/a"]),
        (f"a: 'x\n  y' {NOTE}\nb: 1", ["/a"]),
        (f"a: 1\nb: 2\n{NOTE}", []),
        (f"a: 1\r\n{NOTE}\r\nb: 2\r", ["/b"]),
        ("# manni: ignore-file[s] all of it\na: 1\nb: 2", ["/a", "/b"]),
        ("#manni:ignore[s/*]\na: 1\nb: 2", ["/a"]),
        ("# manni: ignore[t/enum, s/type]\na: 1", []),
        ("# manni: ignored[s/enum]\na: 1", []),
    ],
)
def test_what_a_comment_is_for(block: str, taken: list[str]) -> None:
    known = ["/a", "/a/0", "/a/1", "/a/c", "/a/d", "/a/0/c", "/a/0/d", "/b"]
    document = parse_document(f"---\n{block}\n---\n".encode())
    metadata = load(document)
    pointers = [each for each in known if metadata.parts(each)]
    assert ignored(block, *pointers) == taken


@pytest.mark.parametrize(
    ("block", "taken"),
    [
        (f"{NOTE}\na = 1\nb = 2", ["/a"]),
        (f"a = '#' {NOTE}\nb = 2", ["/a"]),
        (f'a = """\n{NOTE}\n"""\nb = 2', []),
        (f"b = 2\n{NOTE}\n[a]\nc = 1\nd = 2", ["/a", "/a/c", "/a/d"]),
        (f"b = 2\n[a] {NOTE}\nc = 1", ["/a", "/a/c"]),
    ],
)
def test_toml(block: str, taken: list[str]) -> None:
    pointers = ["/a", "/b"] if "[a]" not in block else ["/a", "/a/c", "/a/d", "/b"]
    pointers = [each for each in pointers if each != "/a/d" or "d = " in block]
    assert ignored(block, *pointers, fence="+++") == taken


@pytest.mark.parametrize(
    "block",
    [
        f'a: "{NOTE}"',
        f"a: '\n  {NOTE}'",
        f"a: |\n  {NOTE}\nb: 1",
        f"a: >-\n  x\n  {NOTE}\n\n  y",
        f"a: x{NOTE.replace(chr(58), chr(59))}",
        f"# see {NOTE}\na: 1",
        f"? |\n  {NOTE}\n: 1",
    ],
)
def test_what_only_looks_like_a_comment(block: str) -> None:
    assert read(block) == ()


def test_a_comment_below_a_block_scalar_is_one() -> None:
    assert len(read(f"a: |\n  text\n  # text too\n{NOTE}\nb: 1")) == 1


LINES = st.sampled_from(
    ["a: 1", "b: '# x'", 'c: "a # b', '  d" # e', "f: |", "  # g", "# h", "", "i: # j", "k: l#m"]
)


@given(lines=st.lists(LINES, max_size=8, unique=True))
@settings(max_examples=200)
def test_without_its_comments_a_text_reads_the_same(lines: list[str]) -> None:
    document = parse_document("\n".join(["---", *lines, "---", ""]).encode())
    try:
        value = load(document).value
    except Exception:  # noqa: BLE001 - not every mixture of lines can be read
        return
    text = document.block
    for start, end in reversed(list(comments(document))):
        assert text[start] == "#"
        text = text[:start] + text[end:]
    assert load(parse_document(f"---\n{text}---\n".encode())).value == value


def test_the_reason_is_text() -> None:
    [found] = read("# manni: ignore[ s/enum ,s/type] -- why ::error:: [x](y)\na: 1")
    assert (found.names, found.reason) == (("s/enum", "s/type"), "-- why ::error:: [x](y)")


def test_a_parse_error_is_never_taken_out() -> None:
    [whole] = read("# manni: ignore-file[*]\na: 1")
    place = Place(Span(2, 1, 2, 2))
    parse = Fault((Finding(PARSE_SCHEMA, "parse", "m", place=place),))
    schema = Fault((Finding(PARSE_SCHEMA, "schema", "m", place=place),))
    left, out, _ = suppress([parse, schema], [whole])
    assert left == (parse,)
    assert [each.finding for each in out] == [schema.representative]


def test_a_mistake_goes_with_what_stands_for_it() -> None:
    [note] = read("# manni: ignore[s/anyOf] x\na: 1")
    place = Place(Span(3, 1, 3, 2))
    lead, other = (Finding("s", each, "m", "/a", place=place) for each in ("anyOf", "type"))
    left, out, used = suppress([Fault((other, lead), lead=1), Fault((other,))], [note])
    assert left == (Fault((other,)),)
    assert [(each.finding, each.reason) for each in out] == [(other, "x"), (lead, "x")]
    assert used == {(note, "s/anyOf")}
    [inner] = read("# manni: ignore[s/type] x\na: 1")
    left, out, _ = suppress([Fault((other, lead), lead=1)], [inner])
    assert left == (Fault((lead,)),)
    assert [each.finding for each in out] == [other]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: 1 # manni: ignore[x] r\nb: 2", "a: 1\nb: 2"),
        ("  # manni: ignore[x]\na: 1", "a: 1"),
        ("a: 1\n# manni: ignore-file[x]", "a: 1"),
        ("a: 1 # manni: ignore[x, s/enum] r", "a: 1 # manni: ignore[s/enum] r"),
        ("a: 1 # manni: ignore[] r", None),
        ("a: 1 # manni: ignore r", None),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_one_that_takes_nothing_out_is_removed(before: str, after: str | None, end: str) -> None:
    data = f"---\n{before}\n---\n".replace("\n", end).encode()
    document = parse_document(data)
    metadata = load(document)
    found = ignores(document, metadata)
    fault = Fault((Finding("s", "enum", "m", "/a", place=metadata.place("/a")),))
    _, _, used = suppress([fault], found)
    [stale] = [each.representative for each in unused(found, used)]
    assert stale.rule_id == "manni/unused-ignore"
    if after is None:
        assert stale.fix is None
    else:
        assert stale.fix is not None
        expected = f"---\n{after}\n---\n".replace("\n", end).encode()
        assert apply(data, [stale.fix]).data == expected


def test_only_so_many_count() -> None:
    assert len(read("\n".join([NOTE] * (MAX_COMMENTS + 5)) + "\na: 1")) == MAX_COMMENTS
