"""Which fix a finding gets, and that the text with it reads as the author meant."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manni.base.json_types import Json
from manni.documents.front_matter import DocumentFault, parse_document
from manni.documents.load import load
from manni.fixes.editor import Editor
from manni.fixes.edits import apply
from manni.fixes.offers import join, with_fixes
from manni.model.findings import Fault, Finding, Fix, Place, Span


def fixed(block: str, finding: Finding, *beneath: Finding) -> tuple[str, bool] | None:
    """The block with the fix that the finding gets, and whether it is safe."""
    data = f"---\n{block}\n---\n".encode()
    document = parse_document(data)
    (fault,) = with_fixes([Fault((*beneath, finding), len(beneath))], document, load(document))
    fix = fault.representative.fix
    return None if fix is None else (made(data, fix), fix.safe)


def made(data: bytes, fix: Fix) -> str:
    applied = apply(data, [fix])
    assert applied.fixes == (fix,)
    return parse_document(applied.data).block.removesuffix("\n")


def about(keyword: str, pointer: str = "/k", **more: object) -> Finding:
    return Finding("s", keyword, "wrong", pointer, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "source", ["1.10", "007", "1e3", "0o17", "0x1F", "True", "FALSE", "-1", ".5"]
)
@pytest.mark.parametrize("shape", ["k: {}", "k: {}  # why", "k:\n  {}", "{{k: {} }}", "? k\n: {}"])
def test_a_scalar_becomes_the_text_that_stands_there(source: str, shape: str) -> None:
    found = fixed(shape.format(source), about("type", subject="string"))
    assert found == (shape.format(f'"{source}"'), True)


@pytest.mark.parametrize(
    "source",
    [
        "null",
        "",
        "~",
        "&a 1",
        "!!int 3",
        "*a",
        "|\n  text",
        "{a: 1,\n b: 2}",
        "\n  - 1",
        "\n  a: 1",
    ],
)
def test_what_may_mean_something_else_gets_no_quotes(source: str) -> None:
    assert fixed(f"a: &a 5\nk: {source}", about("type", subject="string")) is None


@pytest.mark.parametrize(
    ("source", "after", "safe"),
    [
        ("[topic]", '"[topic]"', True),
        ("[a, b]", '"[a, b]"', False),
        ('["a"]', "'[\"a\"]'", True),
        ("{{ x }}", '"{{ x }}"', True),
        ("[it's]", '"[it\'s]"', True),
        ("['it''s']", "\"['it''s']\"", True),
    ],
)
def test_brackets_where_text_is_wanted(source: str, after: str, safe: bool) -> None:
    assert fixed(f"k: {source}", about("type", subject="string")) == (f"k: {after}", safe)


@pytest.mark.parametrize(
    ("source", "after"),
    [
        ("x", "[x]"),
        ("Read, Grep", "[Read, Grep]"),
        ("Bash(a, b), Read", '["Bash(a, b)", Read]'),
        ("a), b", '["a), b"]'),
        ("a,", '["a,"]'),
        ("3", "[3]"),
        ("'a: b'", "['a: b']"),
        ("yes", '["yes"]'),
    ],
)
def test_one_value_where_a_list_is_wanted(source: str, after: str) -> None:
    assert fixed(f"k: {source}", about("type", subject="array")) == (f"k: {after}", False)


@pytest.mark.parametrize("source", ["a\n  b", ">\n  a", "{a: 1}", "null"])
def test_what_is_no_one_line_gets_no_brackets(source: str) -> None:
    assert fixed(f"k: {source}", about("type", subject="array")) is None


@pytest.mark.parametrize(
    ("wanted", "source", "after"),
    [
        ("boolean", '"true"', ("true", True)),
        ("boolean", "'False'", ("false", True)),
        ("boolean", "yes", ("true", False)),
        ("boolean", "'off'", ("false", False)),
        ("boolean", "maybe", None),
        ("integer", '"3"', ("3", True)),
        ("integer", '"3.5"', None),
        ("integer", '"007"', None),
        ("number", "'3.50'", ("3.50", True)),
        ("number", "'1e400'", None),
        ("integer,array", '"3"', ("3", True)),
        ("object", '"3"', None),
        ("null", '"null"', None),
    ],
)
def test_texts_that_spell_a_boolean_or_number(
    wanted: str, source: str, after: tuple[str, bool] | None
) -> None:
    found = fixed(f"k: {source} # c", about("type", subject=wanted))
    assert found == (None if after is None else (f"k: {after[0]} # c", after[1]))


@pytest.mark.parametrize(
    ("source", "allowed", "after"),
    [
        ("hgih", ("low", "high"), ("high", False)),
        ('"hgih"', ("low", "high"), ('"high"', False)),
        ("'hgih'", ("low", "high"), ("'high'", False)),
        ("tru", ("true", "false"), None),
        ("other", ("low", "high"), None),
        ("1.0", ("1.0", "2.0"), ('"1.0"', True)),
        ("3", ("1", "2"), None),
        ("On Dmand", ("on demand", "on"), ("on demand", False)),
        ("n:one", ("n: one",), ('"n: one"', False)),
        ("ab\u2028cd", ("ab\u2028cde",), ('"ab\\u2028cde"', False)),
        ("abcd", ("abc\ud800",), None),
    ],
)
def test_a_value_that_is_not_allowed(
    source: str, allowed: tuple[str, ...], after: tuple[str, bool] | None
) -> None:
    for keyword in ("enum", "const"):
        found = fixed(f"k: {source}", about(keyword, allowed=allowed))
        assert found == (None if after is None else (f"k: {after[0]}", after[1]))


@pytest.mark.parametrize(
    "keyword", ["additionalProperties", "unevaluatedProperties", "propertyNames"]
)
@pytest.mark.parametrize(
    ("block", "name", "after"),
    [
        ("titel: 1\nx: 2", "titel", "title: 1\nx: 2"),
        ("'titel': 1", "titel", "'title': 1"),
        ("{titel: 1}", "titel", "{title: 1}"),
        ("titel: &a 1\nb: *a", "titel", "title: &a 1\nb: *a"),
        ("titel: 1\ntitle: 2", "titel", None),
        ("other: 1", "other", None),
        ("ul: 1", "ul", None),
        ("URL: 1", "URL", "url: 1"),
    ],
)
def test_a_key_that_is_nearly_right(keyword: str, block: str, name: str, after: str | None) -> None:
    finding = about(keyword, "", subject=name, allowed=("title", "url"))
    assert fixed(block, finding) == (None if after is None else (after, True))


def test_pointers_are_followed_into_lists_and_odd_names() -> None:
    block = "a/b:\n- x\n- ~y: [tru, hgih] # c"
    finding = about("enum", "/a~1b/1/~0y/1", allowed=("high",))
    assert fixed(block, finding) == ("a/b:\n- x\n- ~y: [tru, high] # c", False)


def test_alternatives_of_types_alone_and_of_values_alone() -> None:
    string, array = about("type", subject="string"), about("type", subject="array")
    assert fixed("k: 3", about("anyOf"), string, array) == ('k: "3"', True)
    assert fixed("k: hgih", about("oneOf", allowed=("high",)), about("enum")) == ("k: high", False)
    assert fixed("k: 3", about("anyOf"), string, about("minimum")) is None
    assert fixed("k: 3", about("anyOf"), string, about("type", "/k/0", subject="array")) is None


@pytest.mark.parametrize(
    ("block", "pointer"),
    [
        ("a: &a [1]\nk: *a", "/k/0"),
        ("a: &a {x: 1}\nk: *a", "/k/x"),
        ("k: 1", "/gone"),
        ("k: [1]", "/k/1"),
        ("k: [1]", "/k/00"),
        ("k: 1", ""),
    ],
)
def test_no_fix_where_no_place_is_the_values_own(block: str, pointer: str) -> None:
    assert fixed(block, about("type", pointer, subject="string")) is None


def test_a_fix_that_stands_and_another_file_are_left_alone() -> None:
    fix = Fix("mine", ())
    document = parse_document(b"---\nk: 3\n---\n")
    for finding in (
        about("type", subject="string", fix=fix),
        about("type", subject="string", place=Place(Span(1, 1, 1, 2), "m.yaml")),
        about("minLength"),
    ):
        fault = Fault((finding,))
        assert with_fixes([fault], document, load(document)) == (fault,)


@pytest.mark.parametrize("text", ["+++\nk = 3\n+++\n", ';;;\n{"k": 3}\n;;;\n'])
def test_other_languages_read_as_meant_or_get_none(text: str) -> None:
    document = parse_document(text.encode())
    (fault,) = with_fixes([Fault((about("type", subject="string"),))], document, load(document))
    fix = fault.representative.fix
    if fix is not None:
        assert load(parse_document(apply(text.encode(), [fix]).data)).value == {"k": "3"}


@pytest.mark.parametrize(
    ("block", "after"),
    [
        ("k: [a, 'b c']", 'k: "a,b c"'),
        ("k:\n  - '**/*.ts'\n  - b\nx: 1", 'k: "**/*.ts,b"\nx: 1'),
        ("k:\n- a\n- b", 'k: "a,b"'),
        ("k:\n- a # why\n- b", None),
        ("k: ['a,b', c]", None),
        ("k: [1]", None),
        ("k: []", None),
        ("k: a", None),
    ],
)
def test_a_list_joined_to_one_text(block: str, after: str | None) -> None:
    data = f"---\n{block}\n---\n".encode()
    document = parse_document(data)
    fix = join(Editor(document, load(document)), "/k")
    assert (fix and made(data, fix)) == after


def test_patterns_that_one_text_holds() -> None:
    finding = about("type", "/applyTo", subject="string")
    finding = replace(finding, schema="github:copilot-instructions:1.0")
    assert fixed("applyTo:\n  - '**/*.py'\n  - b", finding) == ('applyTo: "**/*.py,b"', True)
    assert fixed("applyTo: [1, 2]", finding) == ('applyTo: "[1, 2]"', False)


def test_a_large_document_with_many_findings_gets_as_many_fixes_as_can_be_read_again() -> None:
    block = "x: '" + "x" * 300_000 + "'\n" + "".join(f"k{n}: 1\n" for n in range(100))
    document = parse_document(f"---\n{block}---\n".encode())
    faults = [Fault((about("type", f"/k{n}", subject="string"),)) for n in range(100)]
    offered = with_fixes(faults, document, load(document))
    assert 0 < sum(fault.representative.fix is not None for fault in offered) < 100


# Whatever the value, the shape and the text around it: with the fix made, the metadata is the
# same but for the one value.

SOURCES = st.one_of(
    st.sampled_from(
        ["1.10", "007", "1e3", "True", "[a]", "{a: b}", '"true"', "'3'", "hgih", "yes"]
    ),
    st.text(st.sampled_from("a1 .,:#'\"\\[]{}()&*!-?%@`\t\u4e2d\u2028\U0001f600"), max_size=10),
)
SHAPES = [
    "k: {}",
    "k: {} # c",
    "k:\n  {}",
    "k:\n- {}\n- b",
    "{{a: 1, k: {}}}",
    "k: [b, {}]",
    "- {}",
]


@given(
    source=SOURCES,
    shape=st.sampled_from(SHAPES),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    bom=st.sampled_from([b"", b"\xef\xbb\xbf"]),
    finding=st.sampled_from(
        [about("type", subject=name) for name in ("string", "array", "boolean", "integer")]
        + [about("enum", allowed=("high", "a: b", 'it\'s "x"', "a\\b", "\u2028", "0", "a1"))]
    ),
    index=st.sampled_from(["", "/0", "/1"]),
)
def test_nothing_but_the_value_changes(
    *, source: str, shape: str, end: str, bom: bytes, finding: Finding, index: str
) -> None:
    block = "\n# a\u4e2d\n" + shape.format(source) + "\n"
    data = bom + f"---{block}---\nbody\xff".replace("\n", end).encode() + b"\xff\n\r"
    try:
        document = parse_document(data.removesuffix(b"\xff\n\r"))
        before = load(document)
    except DocumentFault:
        return
    finding = about(finding.keyword, f"/k{index}", subject=finding.subject, allowed=finding.allowed)
    (fault,) = with_fixes([Fault((finding,))], document, before)
    fix = fault.representative.fix
    if fix is None:
        return
    applied = apply(data, [fix]).data
    assert applied.endswith(b"\xff\n\r")
    after = load(parse_document(applied.removesuffix(b"\xff\n\r"))).value
    old, new = held(before.value, index), held(after, index)
    assert old != new
    assert without(before.value, index) == without(after, index)
    if finding.keyword == "enum":
        assert new in finding.allowed
    else:
        kinds = {"string": str, "array": list, "boolean": bool, "integer": int}
        assert type(new) is kinds[finding.subject or ""]


def held(value: Json, index: str) -> Json:
    assert isinstance(value, dict)
    inner = value["k"]
    return inner[int(index[1:])] if index and isinstance(inner, list) else inner


def without(value: Json, index: str) -> str:
    copy = json.loads(json.dumps(value))
    if index:
        copy["k"][int(index[1:])] = None
    else:
        copy["k"] = None
    return json.dumps(copy)
