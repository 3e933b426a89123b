"""Metadata of every format: values, positions and identities."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from manni.base.json_types import escape_token
from manni.documents.front_matter import DocumentFault, Format, parse_document
from manni.documents.load import Json, Metadata, load
from manni.model.findings import Finding, Place, Span

CASES = json.loads((Path(__file__).parents[2] / "data" / "yaml.json").read_text())["cases"]
FENCES = {Format.YAML: "---", Format.TOML: "+++", Format.JSON: ";;;"}


def loaded(text: str) -> Metadata:
    return load(parse_document(text.encode()))


def fault_of(text: str) -> Finding:
    with pytest.raises(DocumentFault) as raised:
        load(parse_document(text.encode()))
    return raised.value.finding


def place(text: str, pointer: str) -> tuple[int, int, int, int]:
    span = loaded(text).place(pointer).span
    return (span.line, span.column, span.end_line, span.end_column)


def test_values_are_had_without_positions() -> None:
    document = parse_document(b"---\na: [1]\n---\n")
    assert load(document).value == {"a": [1]}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_front_matter_is_read_as_the_cases_say(case: dict[str, Json], ends: str) -> None:
    text = str(case["text"]).replace("\n", ends)
    if case.get("parse_error"):
        finding = fault_of(text)
        assert finding.rule_id == "manni/parse-error"
        assert finding.pointer == ""
        assert finding.span is not None
    else:
        assert loaded(text).value == case["data"]


def test_no_front_matter_is_the_empty_mapping_placed_on_line_1() -> None:
    metadata = loaded("# Title\n")
    assert metadata.value == {}
    assert metadata.place("/name") == Place(Span(1, 1, 1, 1))


@pytest.mark.parametrize(
    "text", ["---\n---\n", "---\nnull\n---\n", "+++\n+++\n", ";;;\n;;;\n", ";;;\n \n;;;\n"]
)
def test_an_empty_block_is_the_empty_mapping_placed_at_its_fence(text: str) -> None:
    metadata = loaded(text)
    assert metadata.value == {}
    assert metadata.place("") == metadata.place("/name") == Place(Span(1, 1, 1, 4))


EXAMPLE = """---
name: tidy  # a comment
"quoted key": [a, {b: c}]
metadata:
  evals:
  - id: one
    assertion: |
      Two
      lines.
  -
    - deep
  - {id: 2, x: y}
empty:
last: end
---
"""


@pytest.mark.parametrize(
    ("pointer", "span"),
    [
        ("", (1, 1, 1, 4)),
        ("/name", (2, 1, 2, 11)),
        ("/quoted key", (3, 1, 3, 26)),
        ("/quoted key/0", (3, 16, 3, 17)),
        ("/quoted key/1", (3, 19, 3, 25)),
        ("/quoted key/1/b", (3, 20, 3, 24)),
        ("/metadata", (4, 1, 4, 10)),
        ("/metadata/evals", (5, 3, 5, 9)),
        ("/metadata/evals/0", (6, 5, 6, 12)),
        ("/metadata/evals/0/id", (6, 5, 6, 12)),
        ("/metadata/evals/0/assertion", (7, 5, 7, 17)),
        ("/metadata/evals/1", (11, 5, 11, 11)),
        ("/metadata/evals/1/0", (11, 7, 11, 11)),
        ("/metadata/evals/2/x", (12, 13, 12, 17)),
        ("/empty", (13, 1, 13, 7)),
        ("/last", (14, 1, 14, 10)),
        ("/metadata/evals/0/missing/deeper", (6, 5, 6, 12)),
        ("/metadata/evals/9", (5, 3, 5, 9)),
        ("/name/0", (2, 1, 2, 11)),
        ("/missing", (1, 1, 1, 4)),
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_every_yaml_pointer_has_a_span(
    pointer: str, span: tuple[int, int, int, int], ends: str
) -> None:
    assert place(EXAMPLE.replace("\n", ends), pointer) == span


def test_columns_count_code_points_and_no_byte_order_mark() -> None:
    text = "\ufeff---\n😀é: [日本, \U0001f468\u200d\U0001f469]\n---\n"
    assert place(text, "") == (1, 1, 1, 4)
    assert place(text, "/😀é") == (2, 1, 2, 14)
    assert place(text, "/😀é/1") == (2, 10, 2, 13)


def test_a_value_behind_an_alias_is_placed_where_it_is_written() -> None:
    text = "---\nbase: &b\n  x: 1\nother: *b\n---\n"
    assert loaded(text).value == {"base": {"x": 1}, "other": {"x": 1}}
    assert place(text, "/other") == (4, 1, 4, 10)
    assert place(text, "/other/x") == (3, 3, 3, 7)


def test_escaped_reference_tokens_find_their_keys() -> None:
    text = "---\na/b: {c~d: 1}\n---\n"
    assert place(text, "/a~1b/c~0d") == (2, 7, 2, 13)


TOML = """+++
title = "x" # c
when = 2024-01-01T10:00:00Z
a.b = [1, 2]
inline = {c = {d = 1}, "e f" = 'g'}
many = [
  "one]",
  {x = 1},
]

[table]
key = '''
long'''

[[list]]
id = "first"
[[list]]
id = "second"
[list.sub.'dotted.key']
z = 1
+++
"""


@pytest.mark.parametrize(
    ("pointer", "span"),
    [
        ("", (1, 1, 1, 4)),
        ("/title", (2, 1, 2, 12)),
        ("/when", (3, 1, 3, 28)),
        ("/a/b/1", (4, 11, 4, 12)),
        ("/a", (4, 1, 4, 13)),
        ("/inline/c/d", (5, 16, 5, 21)),
        ("/inline/e f", (5, 24, 5, 35)),
        ("/many", (6, 1, 6, 9)),
        ("/many/0", (7, 3, 7, 9)),
        ("/many/1/x", (8, 4, 8, 9)),
        ("/table", (11, 1, 11, 8)),
        ("/table/key", (12, 1, 12, 10)),
        ("/list", (15, 1, 15, 9)),
        ("/list/0/id", (16, 1, 16, 13)),
        ("/list/1", (17, 1, 17, 9)),
        ("/list/1/id", (18, 1, 18, 14)),
        ("/list/1/sub/dotted.key/z", (20, 1, 20, 6)),
    ],
)
def test_toml_keys_have_spans(pointer: str, span: tuple[int, int, int, int]) -> None:
    assert place(TOML, pointer) == span
    assert place(TOML.replace("\n", "\r\n"), pointer) == span


JSON = ';;;\n{"a": 1,\n "b": [true, {"c\\u00e9": null}],\n "d": {\n  "e": "f"}}\n;;;\n'


@pytest.mark.parametrize(
    ("pointer", "span"),
    [
        ("", (1, 1, 1, 4)),
        ("/a", (2, 2, 2, 8)),
        ("/b", (3, 2, 3, 32)),
        ("/b/0", (3, 8, 3, 12)),
        ("/b/1/cé", (3, 15, 3, 30)),
        ("/d", (4, 2, 4, 8)),
        ("/d/e", (5, 3, 5, 11)),
    ],
)
def test_every_json_pointer_has_a_span(pointer: str, span: tuple[int, int, int, int]) -> None:
    assert place(JSON, pointer) == span


def test_a_text_without_fences_is_placed_on_its_first_line() -> None:
    document = parse_document(b"---\nab: 1\n---\n")
    manifest = type(document)(Format.YAML, document.block, 1, document.block)
    assert load(manifest).place("") == Place(Span(1, 1, 1, 6))


@pytest.mark.parametrize(
    ("pointer", "identity"),
    [
        ("", ""),
        ("/list/0", "/list/a~1b~0c"),
        ("/list/0/x/1", "/list/a~1b~0c/x/1"),
        ("/list/1/id", "/list/7/id"),
        ("/list/2", "/list/2"),
        ("/list/3", "/list/3"),
        ("/list/4", "/list/4"),
        ("/list/5/0", "/list/5/inner"),
        ("/list/99/x", "/list/99/x"),
        (f"/list/{'9' * 5000}", f"/list/{'9' * 5000}"),
        ("/list/-/x", "/list/-/x"),
        ("/missing/0", "/missing/0"),
        ("/map~1/0", "/map~1/0"),
    ],
)
def test_list_indices_become_ids(pointer: str, identity: str) -> None:
    value: dict[str, Json] = {
        "list": [
            {"id": "a/b~c", "x": [1, 2]},
            {"id": 7},
            {"id": None},
            {"id": ["a"]},
            {"id": True},
            [{"id": "inner"}],
        ],
        "map/": {"0": {"id": "a"}},
    }
    assert Metadata(value, root=Span(1, 1, 1, 4)).identity(pointer) == identity


# Any value, written in any of the formats, comes back with a span for every pointer.

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | TEXT
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
)
MAPPINGS = st.dictionaries(TEXT, VALUES, max_size=4)


def pointers(value: Json, pointer: str = "") -> Iterator[tuple[str, str | None, Json]]:
    """Each pointer below a value, with its key in a mapping, and what it names."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield f"{pointer}/{escape_token(name)}", name, item
            yield from pointers(item, f"{pointer}/{escape_token(name)}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield f"{pointer}/{index}", None, item
            yield from pointers(item, f"{pointer}/{index}")


def sliced(text: str, span: Span) -> str:
    lines = text.split("\n")
    assert span.line == span.end_line
    assert 1 <= span.column <= span.end_column <= len(lines[span.line - 1]) + 1
    return lines[span.line - 1][span.column - 1 : span.end_column - 1]


@settings(max_examples=100, deadline=None)
@given(MAPPINGS)
def test_spans_of_json_slice_back_to_their_source(value: dict[str, Json]) -> None:
    text = f";;;\n{json.dumps(value, ensure_ascii=False)}\n;;;\n"
    metadata = loaded(text)
    assert metadata.value == value
    for pointer, name, item in pointers(value):
        source = sliced(text, metadata.place(pointer).span)
        member = {name: item} if name is not None else [item]
        assert source == json.dumps(member, ensure_ascii=False)[1:-1]


@settings(max_examples=100, deadline=None)
@given(MAPPINGS, st.sampled_from([None, '"']), st.booleans())
def test_spans_of_yaml_slice_back_to_their_source(
    value: dict[str, Json], style: str | None, flow: bool
) -> None:
    text = yaml.dump(
        value,
        default_style=style,
        default_flow_style=flow,
        allow_unicode=True,
        width=10**6,
        sort_keys=False,
        Dumper=NoAliases,
    )
    metadata = loaded(f"---\n{text}---\n")
    assert metadata.value == value
    for pointer, name, item in pointers(value):
        source = sliced(f"---\n{text}", metadata.place(pointer).span)
        spread = isinstance(item, (dict, list)) and item and not flow
        if spread or name == "":
            continue  # such a member has its value, or its key, on a line of its own
        if name is not None:
            assert loaded(f"---\n{{ {source} }}\n---\n").value == {name: item}
        else:
            assert loaded(f"---\nitem: {source}\n---\n").value == {"item": item}


class NoAliases(yaml.SafeDumper):
    """Dumps equal values one by one, and quotes what YAML 1.2 alone takes for a number."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = None if text.isidentifier() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


NoAliases.add_representer(str, represent_text)


# Whatever stands between the fences, it has a place for every pointer, or one finding says why not.

PIECES = (
    st.sampled_from("ab:-?{}[],\"'\\#@%`|>=.1~&*!\n\r\té😀\x00\x07\x85\u2028\ufeff ")
    | st.sampled_from(
        [": ", "- ", "? ", " #", "&a ", "*a", "!x ", "!!int ", "!!str ", "...", "--- "]
    )
    | st.sampled_from(
        ["\n", "\n  ", "\n    ", "\r\n", "key: value", '"a": 1', "a = 1", "[t]", "[[t]]"]
    )
    | st.sampled_from(["0x1F", "1e999", ".inf", "null", "<<", "\\ud83d\\ude00", "\\ud83d", "\\x41"])
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(list(FENCES)), st.lists(PIECES, max_size=25))
def test_any_block_is_metadata_or_a_finding(format_: Format, pieces: list[str]) -> None:
    text = f"{FENCES[format_]}\n{''.join(pieces)}\n{FENCES[format_]}\n"
    document = parse_document(text.encode())
    try:
        metadata = load(document)
    except DocumentFault as fault:
        finding = fault.finding
        assert finding.rule_id == "manni/parse-error"
        assert finding.span is not None
        assert finding.message.isprintable()
        return
    lines = re.split(r"\r\n?|\n", document.head)
    for pointer, _, _ in [("", None, None), *pointers(metadata.value)]:
        span = metadata.place(pointer).span
        assert span.line == span.end_line
        assert 1 <= span.column <= span.end_column <= len(lines[span.line - 1]) + 1
