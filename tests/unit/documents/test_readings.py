"""Front matter that is no YAML and that a host reads all the same."""

from __future__ import annotations

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from manni.base.json_types import Json
from manni.documents.document import Reading
from manni.documents.front_matter import MAX_FRONT_MATTER, DocumentFault, parse_document
from manni.documents.load import Metadata, load
from manni.documents.readings import LenientRead
from manni.fixes.edits import apply
from manni.model.findings import Span

LENIENT = (Reading.CLAUDE, Reading.LENIENT)


def loaded(block: str, reading: Reading = Reading.YAML, *, lists: bool = False) -> Metadata:
    document = parse_document(f"---\n{block}---\nBody.\n".encode())
    return load(document, reading, lists=lists)


def fault_of(block: str, reading: Reading = Reading.YAML) -> DocumentFault:
    with pytest.raises(DocumentFault) as raised:
        loaded(block, reading)
    return raised.value


def read_or_none(block: str, reading: Reading) -> Metadata | None:
    try:
        return loaded(block, reading)
    except DocumentFault:
        return None


def facts(block: str, reading: Reading) -> LenientRead:
    found = loaded(block, reading).lenient
    assert found is not None
    return found


def mended(block: str, reading: Reading) -> dict[str, Json]:
    """What YAML reads once the fix is made."""
    fix = facts(block, reading).fix
    assert fix is not None
    assert fix.safe
    data = f"---\n{block}---\nBody.\n".encode()
    applied = apply(data, [fix])
    assert applied.fixes == (fix,)
    return load(parse_document(applied.data)).value


@pytest.mark.parametrize(
    ("block", "value"),
    [
        ("description: Reviews: style\n", {"description": "Reviews: style"}),
        ("argument-hint: [file] [mode]\n", {"argument-hint": "[file] [mode]"}),
        ("paths: **/*.ts\n", {"paths": "**/*.ts"}),
        ("a: {x}-{y}\nb: @me\nc: `go`\n", {"a": "{x}-{y}", "b": "@me", "c": "`go`"}),
        ("a: %x\r\nb:\t!x!y  \r\n", {"a": "%x", "b": "!x!y"}),
        ("d: a: b\ntools: [Read, Grep]\n", {"d": "a: b", "tools": "[Read, Grep]"}),
        ("d: a: b\ncolor: red # warm\n", {"d": "a: b", "color": "red # warm"}),
        ("d: a: b\nn: 42\non: true\nq: 'a: b'\n", {"d": "a: b", "n": 42, "on": True, "q": "a: b"}),
        ("d: a: b\nl:\n  - x\n  - [y]\nm:\n  k: [z]\n", {"d": "a: b", "l": ["x", ["y"]],
         "m": {"k": ["z"]}}),
        ("d: a: b\nt: |\n  x: y\n  # z\n", {"d": "a: b", "t": "x: y\n# z\n"}),
        ("d: a: b\nt: |\n  # z\n\nu: v\n", {"d": "a: b", "t": "# z\n", "u": "v"}),
        ("d: a: b\n\n  # note\nt: [x,\n  y]\n", {"d": "a: b", "t": ["x", "y"]}),
        ('d: say "x": y\\n\n', {"d": 'say "x": y\\n'}),
    ],
)  # fmt: skip
def test_claude_code_quotes_loose_values_of_one_line(block: str, value: Json) -> None:
    assert loaded(block, Reading.CLAUDE).value == value


@pytest.mark.parametrize(
    "block",
    [
        "d: ends with a colon:\n",
        'd: "a" or "b"\n',
        "a.b: x: y\n",
        "  indented: x: y\n",
        "l:\n  - a: b: c\n",
        "d: a: b\nno key here\n",
        "d: a: b\nd: twice\n",
        "d: a: b\n  and: more\n",
        "d: a: b\nx: &one 1\ny:\n  - *one\n",
        'd: "one\nname: x: y\n"\ne: f: g\n',
        "d: a: b \x07\n",
    ],
)
def test_what_claude_code_cannot_read_either_is_the_fault_of_the_first_try(block: str) -> None:
    assert fault_of(block, Reading.CLAUDE).finding == fault_of(block).finding


@pytest.mark.parametrize(
    ("block", "value"),
    [
        ("globs: **/*.ts\n", {"globs": "**/*.ts"}),
        ("globs: *.ts,{a,b}/**\nalwaysApply: false\ndescription:\n",
         {"globs": "*.ts,{a,b}/**", "alwaysApply": False, "description": None}),
        ("globs: {a,b}/*.ts\nalwaysApply: true # yes\n",
         {"globs": "{a,b}/*.ts", "alwaysApply": True}),
        ('globs: "a", "b"\n', {"globs": '"a", "b"'}),
        ("globs: [**/*.ts]\n", {"globs": "[**/*.ts]"}),
        ('globs: *.ts\nalwaysApply: "true"\n', {"globs": "*.ts", "alwaysApply": "true"}),
        ('globs: *.ts\nlist: ["a"]\nname: it\'s # it\n',
         {"globs": "*.ts", "list": ["a"], "name": "it's # it"}),
        ("globs: *.ts\nversion: 1.0\n# note\nempty: # none\n",
         {"globs": "*.ts", "version": "1.0", "empty": None}),
        ("globs: !src/**\r\ndescription: - x: y\r\n",
         {"globs": "!src/**", "description": "- x: y"}),
        ("globs: *.ts\ntext: >-\n  a\n  b\nmore: a\n  b\n",
         {"globs": "*.ts", "text": "a b", "more": "a b"}),
        ("globs:\n  - a\nwhen.x : *\n", {"globs": ["a"], "when.x": "*"}),
    ],
)  # fmt: skip
def test_lines_are_read_as_they_are_written(block: str, value: Json) -> None:
    assert loaded(block, Reading.LENIENT).value == value


@pytest.mark.parametrize(
    "block", ["globs:\n  - **/*.ts\n", "globs: *.ts\nglobs: b\n", "globs: *.ts\nno key\n", "[a\n"]
)
def test_what_is_more_than_loose_lines_stays_a_fault(block: str) -> None:
    assert fault_of(block, Reading.LENIENT).finding == fault_of(block).finding


@pytest.mark.parametrize("reading", Reading)
def test_yaml_is_read_as_yaml(reading: Reading) -> None:
    block = "a: [x]\nb: 1.5 # c\nd: *x\n".replace("*x", "'*x'")
    metadata = loaded(block, reading)
    assert metadata.value == {"a": ["x"], "b": 1.5, "d": "*x"}
    assert metadata.lenient is None


@pytest.mark.parametrize("fence", ["+++", ";;;"])
def test_other_formats_are_what_they_are(fence: str) -> None:
    document = parse_document(f"{fence}\na: **/*.ts\n{fence}\n".encode())
    for reading in LENIENT:
        with pytest.raises(DocumentFault):
            load(document, reading)


def test_facts_say_where_the_fault_is_and_what_it_turns() -> None:
    block = "tools: [Read, Grep]\nx: {y\nname: n\ndescription: Reviews: style\n"
    found = facts(block, Reading.CLAUDE)
    assert found.fault == Span(3, 4, 3, 6)
    assert found.loose == ((Span(3, 4, 3, 6), "{y"), (Span(5, 14, 5, 28), "Reviews: style"))
    assert found.turned == ("tools",)
    assert found.message == fault_of(block).finding.message
    assert mended(block, Reading.CLAUDE) == {
        "tools": ["Read", "Grep"],
        "x": "{y",
        "name": "n",
        "description": "Reviews: style",
    }


def test_the_value_at_fault_is_the_first_of_the_loose_ones() -> None:
    found = facts("a: 'x' y\nb: *\nc: d\n", Reading.LENIENT)
    assert [text for _, text in found.loose] == ["'x' y", "*"]
    found = facts("a: [b\nc: d: e]\nf: g\n", Reading.CLAUDE)
    assert found.loose[0][0].line == found.fault.line


def test_places_are_those_of_the_text() -> None:
    metadata = loaded("paths: **/*.ts  \nitems:\n  - id: one\n    x: y\n", Reading.CLAUDE)
    assert metadata.place("/paths").span == Span(2, 1, 2, 15)
    assert metadata.parts("/paths") == ((0, 5), (7, 14))
    assert metadata.place("/items/0/x").span == Span(5, 5, 5, 9)
    assert metadata.identity("/items/0/x") == "/items/one/x"


def test_a_list_of_mappings_is_read_where_it_may_be_one() -> None:
    block = "- name: one\n  kind: remote\n- name: two\n"
    metadata = loaded(block, lists=True)
    assert metadata.whole == [{"name": "one", "kind": "remote"}, {"name": "two"}]
    assert metadata.value == {}
    assert metadata.place("/1/name").span == Span(4, 3, 4, 12)
    assert metadata.place("").span == Span(1, 1, 1, 4)
    assert metadata.identity("/1/name") == "/1/name"
    fault_of(block)
    for other in ("[]\n", "- a\n", "text\n"):
        with pytest.raises(DocumentFault):
            loaded(other, lists=True)
    assert loaded("a: b\n", lists=True).whole == {"a": "b"}


WORDS = st.lists(
    st.sampled_from(
        ["a", "b c", "**/*.ts", "{x,y}", "[f]", "[", ": ", ":", " #", "#", "'", '"', "&n", "*n",
         "!t", "|", ">", "%", "@", "`", "- ", "?", ",", "\\", "é", "1", "true", "\t", "\x85"]
    ),
    min_size=1,
    max_size=4,
).map("".join)  # fmt: skip
LINES = st.one_of(
    WORDS.map(lambda text: f": {text}"),
    st.sampled_from([":", ":\n  - x\n  - [y]", ": |\n  x: y\n", ": >-\n  a\n  # b", ": x\n  y",
                     ": [a,\n  b]", ": 'q: r'", ": [s, t]", ": 7", ": false # no",
                     ":\n  k: &n v", ": {m: n}"]),
)  # fmt: skip
BLOCKS = st.lists(LINES, min_size=1, max_size=5).map(
    lambda values: "".join(f"key-{chr(97 + at)}{value}\n" for at, value in enumerate(values))
)


@given(BLOCKS, st.sampled_from(LENIENT), st.sampled_from(["\n", "\r\n"]))
def test_a_block_is_read_with_its_places_or_is_the_fault_of_yaml(
    block: str, reading: Reading, ends: str
) -> None:
    block = block.replace("\n", ends)
    metadata = read_or_none(block, reading)
    if metadata is None:
        assert fault_of(block, reading).finding == fault_of(block).finding
        return
    found = metadata.lenient
    if found is None:
        assert metadata.value == loaded(block).value
        return
    assert found.message == fault_of(block).finding.message
    texts = dict.fromkeys(text for _, text in found.loose)
    lines = f"---{ends}{block}".replace("\r", "").split("\n")
    for span, text in found.loose:
        assert span.line == span.end_line
        assert lines[span.line - 1][span.column - 1 : span.end_column - 1] == text
    read_as_text = 0
    for key, value in metadata.value.items():
        parts = metadata.parts(f"/{key}")
        assert parts is not None
        assert parts.key is not None
        assert block[slice(*parts.key)] == key
        written = block[slice(*parts.value)]
        if written in texts or key in found.turned:
            read_as_text += 1
            assert value == written
    assert read_as_text >= len(texts)


@given(BLOCKS, st.sampled_from(LENIENT))
def test_the_fix_keeps_what_was_meant(block: str, reading: Reading) -> None:
    metadata = read_or_none(block, reading)
    found = metadata.lenient if metadata else None
    assume(found is not None and found.loose)
    assert metadata is not None
    assert found is not None
    value = mended(block, reading)
    assert [*value] == [*metadata.value]
    kept = {key: value[key] for key in value if key not in found.turned}
    assert kept == {key: metadata.value[key] for key in kept}
    for key in found.turned:
        line = next(line for line in block.split("\n") if line.startswith(f"{key}:"))
        assert value[key] == loaded(f"{line}\n").value[key] != metadata.value[key]


@pytest.mark.parametrize("reading", LENIENT)
@pytest.mark.parametrize(
    "value", ["x: y", "*", '["\\ud83d\\ude00"]', "&a *b", "|\n  # c", "'\n\n\n"]
)
def test_a_large_block_is_read_in_good_time(value: str, reading: Reading) -> None:
    lines = [f"{key(at)}: {value}\n" for at in range(MAX_FRONT_MATTER // (len(value) + 8))]
    block = f"b-: a: b\n{''.join(lines)}"
    began = time.monotonic()
    metadata = read_or_none(block, reading)
    assert metadata is None or metadata.lenient
    assert time.monotonic() - began < 60


def key(number: int) -> str:
    """A name of letters for each number up to 26 ** 5."""
    return "".join(chr(97 + number // 26**place % 26) for place in range(5))
