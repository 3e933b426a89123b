"""What a YAML mistake is called, where it is placed, and which edit mends it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manni.documents.front_matter import DocumentFault, parse_document
from manni.documents.lines import Lines
from manni.documents.load import load
from manni.model.findings import Finding


def fault_of(block: str) -> Finding:
    with pytest.raises(DocumentFault) as raised:
        load(parse_document(f"---\n{block}---\n".encode()))
    return raised.value.finding


def mended(block: str) -> str | None:
    """The block with the fix of its fault applied."""
    fix = fault_of(block).fix
    if fix is None:
        return None
    lines = Lines(block, 2)
    (edit,) = fix.edits
    start = lines.start(edit.span.line - 2) + edit.span.column - 1
    end = lines.start(edit.span.end_line - 2) + edit.span.end_column - 1
    return block[:start] + edit.text + block[end:]


# block, line and column (in a file with a fence in front), words of the message, mended block
SLIPS = [
    # `: ` in a plain value
    ("d: Use when: now\n", 2, 12, ['": "', '"d"', "quotes"], 'd: "Use when: now"\n'),
    ("a: 1\n- b\nk: x: y\n", 3, 1, ["list item"], None),
    ("a:\n  k: x: y\n", 3, 7, ['": "', '"k"'], 'a:\n  k: "x: y"\n'),
    ("l:\n- k: x: y\n", 3, 7, ['": "', '"k"'], 'l:\n- k: "x: y"\n'),
    ('d: Say "a": b\n', 2, 11, ['": "'], "d: 'Say \"a\": b'\n"),
    ("d: it's \\n: b\n", 2, 11, ['": "'], "d: 'it''s \\n: b'\n"),
    ("d: Use when: now # c\n", 2, 12, ['": "'], None),
    ("d: x: y\ne: z: w\n", 2, 5, ['": "'], 'd: "x: y"\ne: z: w\n'),
    ("d: long text\n  more: text\n", 3, 7, ['"d"', "line 2", '"more"', "indent"], None),
    (
        "d: long text\n  and so on: text\n",
        3,
        12,
        ['"d"', "line 2", "quotes", '">-"'],
        'd: "long text\n  and so on: text"\n',
    ),
    ("a:\n- b\n c: d\n", 4, 3, ["line 3", "quotes"], None),
    # first characters with a meaning
    ("a: @x\n", 2, 4, ['"@"', "quotes"], 'a: "@x"\n'),
    ("a: `x`\n", 2, 4, ['"`"', "quotes"], 'a: "`x`"\n'),
    ("a: %x\n", 2, 4, ['"%"'], 'a: "%x"\n'),
    ("a: *.md\n", 2, 4, ['"*"', "alias"], 'a: "*.md"\n'),
    ("a: **/*.ts\n", 2, 4, ['"*"'], 'a: "**/*.ts"\n'),
    ("a: *bold* x\n", 2, 4, ['"*"'], 'a: "*bold* x"\n'),
    ("a: *nope\n", 2, 4, ['"*nope"', "quotes"], 'a: "*nope"\n'),
    ("a: *nope x\n", 2, 4, ['"*nope"', "quotes"], 'a: "*nope x"\n'),
    ("a: && x\n", 2, 4, ['"&"', "anchor"], 'a: "&& x"\n'),
    ("a: !x!y z\n", 2, 4, ['"!"', "tag"], 'a: "!x!y z"\n'),
    ("a: >text\n", 2, 4, ['">"', "block"], 'a: ">text"\n'),
    ("a: |text\n", 2, 4, ['"|"', "block"], 'a: "|text"\n'),
    ("a: ? b\n", 2, 4, ['"?"'], 'a: "? b"\n'),
    ("a: , b\n", 2, 4, ['","'], 'a: ", b"\n'),
    ("a:\n  - @x\n", 3, 5, ['"@"'], 'a:\n  - "@x"\n'),
    ("@x: 1\n", 2, 1, ["key", '"@"', "quotes"], None),
    ("a: - b\n", 2, 4, ['"- "', "line of its own"], None),
    # brackets and quotes
    ("a: [1, 2\n", 2, 4, ['"["', "never closes", '"]"'], None),
    ("a: [1, 2\nb: c\n", 2, 4, ['"["', "never closes"], None),
    ("a: [\n  x,\n", 2, 4, ['"["', "never closes"], None),
    ("a: {b: c\n", 2, 4, ['"{"', "never closes", '"}"'], None),
    ("a: [b: c: d]\n", 2, 9, ['"["', "commas"], None),
    ("a: [x] y\n", 2, 8, ['"["', "list", "quotes"], 'a: "[x] y"\n'),
    ("a: [x] [y]\n", 2, 8, ['"["'], 'a: "[x] [y]"\n'),
    ("a: {x}/y\n", 2, 7, ['"{"', "mapping"], 'a: "{x}/y"\n'),
    ("a: {{ x }} y\n", 2, 4, ["template placeholder", "quote"], 'a: "{{ x }} y"\n'),
    ("a: [topic] rest\nb: c\n", 2, 12, ["list", "quotes"], 'a: "[topic] rest"\nb: c\n'),
    ('a: "open\nb: c\n', 2, 4, ["never closes"], 'a: "open"\nb: c\n'),
    ('a: "open\n  more\n', 2, 4, ["never closes"], None),
    ("a: 'it's'\n", 2, 8, ["apostrophe"], 'a: "it\'s"\n'),
    ('a: "x" y\n', 2, 8, ["single quotes"], "a: '\"x\" y'\n"),
    ('a: "say "x" now"\n', 2, 10, ["single quotes"], "a: 'say \"x\" now'\n"),
    ('a: "x" or "y"\n', 2, 8, ["single quotes"], 'a: \'"x" or "y"\'\n'),
    ("a: 'x\nb: 'y'\n", 2, 4, ["closes only on line 3"], None),
    ("{a: 1} b\n", 2, 8, ["text after"], None),
    # keys, indentation, tabs
    ("\ta: 1\n", 2, 1, ["tab", "spaces"], None),
    ("a: 1\n\tb: 2\n", 3, 1, ["tab"], None),
    ("a:\n  \tb: 2\n", 3, 3, ["tab"], None),
    ("name:foo\n", 2, 1, ['"name"', "space"], "name: foo\n"),
    ("name:foo\nd: x\n", 2, 1, ['"name"', "space"], "name: foo\nd: x\n"),
    ("a: 1\nname:foo\nb: 2\n", 3, 1, ['"name"', "space"], "a: 1\nname: foo\nb: 2\n"),
    ("d: use\ngoes on\nname: x\n", 3, 1, ['"key: value"', "indent"], None),
    ("a b c\nd: e\n", 2, 1, ['"a b c"', "colon"], None),
    ("a:\n   b: 1\n  c: 2\n", 4, 3, ['"c"', "2 spaces"], None),
    ("a:\n  - b\n - c\n", 4, 2, ["list", "indentation"], None),
    ("  a: 1\nb: 2\n", 3, 1, ["indented less"], None),
    ("- a\nb: 1\n", 3, 1, ["list without a key"], None),
    ("x:\n  - a\n  b: 1\n", 4, 3, ['"- "'], None),
    ("a: |\n    x\n  y\n", 4, 3, ["indent"], None),
    ('a: "b"\n: d\n', 3, 1, ["no key"], None),
    ("a: 1\nb: 2\na: 3\n", 4, 1, ['"a"', "lines 2 and 4"], None),
    ("a: {b: 1, b: 2}\n", 2, 11, ['"b"', "twice on line 2"], None),
    # roots, documents, characters, escapes
    ("- a\n- b\n", 2, 1, ["a list", '"key: value"'], None),
    ("just text\n", 2, 1, ["without a key"], None),
    ("a: 1\n--- \nb: 2\n---\n", 3, 1, ["second document"], None),
    ("%YAML 1.2\na: 1\n", 2, 1, ["directive"], None),
    ("a: x\x07\n", 2, 5, ["U+0007"], None),
    ("é: x\x00\n", 2, 5, ["U+0000"], None),
    ('a: "\\d+"\n', 2, 5, ["\\d", "twice"], 'a: "\\\\d+"\n'),
    ('a: "\\xzz"\n', 2, 5, ["\\x"], None),
    ('a: "\\ud83d x"\n', 2, 5, ["U+D83D"], None),
    # limits
    ("a: &x [*x]\n", 2, 8, ["alias", "inside"], None),
    ("a: &x 1\nb: [" + "*x," * 101 + "]\n", 3, 305, ["100 aliases"], None),
    ("a: " + "[" * 5000 + "\n", 2, 1003, ["100 levels"], None),
]


@pytest.mark.parametrize(
    ("block", "line", "column", "words", "expected"), SLIPS, ids=[slip[0][:30] for slip in SLIPS]
)
def test_a_slip_is_named_where_it_is(
    block: str, line: int, column: int, words: list[str], expected: str | None
) -> None:
    finding = fault_of(block)
    assert finding.span is not None
    assert (finding.span.line, finding.span.column) == (line, column)
    for word in words:
        assert word in finding.message
    assert mended(block) == expected


@pytest.mark.parametrize("slip", [slip for slip in SLIPS if slip[4] and "e: z" not in slip[0]])
def test_a_fix_makes_the_block_readable(slip: tuple[str, int, int, list[str], str]) -> None:
    load(parse_document(f"---\n{slip[4]}---\n".encode()))


def test_a_duplicate_points_at_the_first_one_too() -> None:
    (related,) = fault_of("b: 1\na: 1\na: 3\n").related
    assert (related.span.line, related.span.column) == (3, 1)


def test_positions_hold_with_crlf_and_wide_characters() -> None:
    finding = fault_of("é😀: x\r\nd: 日本: y\r\n")
    assert finding.span is not None
    assert (finding.span.line, finding.span.column) == (3, 6)


def test_messages_hold_no_text_that_could_act() -> None:
    key = "\u202e\x9b31m" + "k" * 500
    message = fault_of(f"{key}: a: b\n").message
    assert message.isprintable()
    assert "\\u202e\\x9b31m" in message
    assert len(message) < 250


@settings(max_examples=150, deadline=None)
@given(
    st.text("ab:-#'\"\\[]{}&*!|>%@`,? \t\u00e9", min_size=1, max_size=12),
    st.sampled_from(["", "a: 1\n", "l:\n- "]),
)
def test_a_fix_of_a_value_leaves_its_text_as_it_is_written(value: str, before: str) -> None:
    block = f"{before}key: {value}\n"
    try:
        load(parse_document(f"---\n{block}---\n".encode()))
    except DocumentFault as fault:
        fix = fault.finding.fix
        if fix is None or fix.description != "Quote the value":
            return
        text = mended(block)
        assert text is not None
        loaded = load(parse_document(f"---\n{text}---\n".encode())).value
        items = loaded.get("l", [loaded])
        assert isinstance(items, list)
        entry = items[0]
        assert isinstance(entry, dict)
        written = value.strip(" \t")
        inside = written[1:-1] if written[:1] in ('"', "'") else written
        assert entry["key"] in (written, inside)
