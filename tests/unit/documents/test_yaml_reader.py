"""YAML 1.2: the core schema, what libyaml reads otherwise, and the limits."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manni.base.json_types import Json, spell
from manni.documents.faults import DuplicateKey
from manni.documents.source_map import of_node
from manni.documents.yaml.reader import MAX_ALIASES, YamlFault, parse, read
from manni.documents.yaml.text import hide


def value_of(text: str) -> Json:
    return parse(text)[0]


def item(scalar: str) -> Json:
    value = value_of(f"a: {scalar}\n")
    assert isinstance(value, dict)
    return value["a"]


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("0o17", 15),
        ("0o8", "0o8"),
        ("017", 17),
        ("-017", -17),
        ("0x1f", 31),
        ("-0x1f", "-0x1f"),
        ("0b1", "0b1"),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("1e3", 1000),
        ("-1.5E-2", -0.015),
        ("+.5", 0.5),
        ("5.", 5),
        (".", "."),
        ("+", "+"),
        ("-", None),
        ("1e", "1e"),
        ("٣", "٣"),
        ("true", True),
        ("TRUE", True),
        ("tRUE", "tRUE"),
        ("y", "y"),
        ("off", "off"),
        ("NULL", None),
        ("~", None),
        ("nULL", "nULL"),
        ("2024-01-01", "2024-01-01"),
        ("<<", "<<"),
        ("=", "="),
        ("'1'", "1"),
        ('"null"', "null"),
        ("12345678901234567890", 12345678901234567890),
    ],
)
def test_scalars_of_the_core_schema(scalar: str, value: Json) -> None:
    if scalar == "-":
        assert value_of("a:\n-\n") == {"a": [None]}
        return
    found = item(scalar)
    assert found == value
    assert isinstance(found, bool) == isinstance(value, bool)
    assert read(f"a: {scalar}\n") == {"a": value}


@pytest.mark.parametrize(
    "scalar",
    [".inf", "-.INF", ".nan", "1e999", "-1e999", "9" * 400, "9" * 5000, "0x" + "f" * 400],
)
def test_a_number_that_json_cannot_hold_stays_text(scalar: str) -> None:
    assert item(scalar) == scalar


def test_leading_zeros_make_no_number_large() -> None:
    assert item("-" + "0" * 5000 + "7") == -7


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("!!str 5", "5"),
        ("!!str", ""),
        ("! 5", "5"),
        ('!!int "5"', 5),
        ("!!int x", "x"),
        ("!!float 5", 5.0),
        ("!!float 0x10", 16.0),
        ("!!bool yes", "yes"),
        ('!!bool "true"', True),
        ('!!null ""', None),
        ("!!null x", "x"),
        ("!custom 5", "5"),
        ("!<tag:yaml.org,2002:int> 5", 5),
        ("!!binary aGk=", "aGk="),
        ("!!timestamp 2001-01-01", "2001-01-01"),
        ("!!python/object/apply:os.system [x]", ["x"]),
        ("!custom {a: 1}", {"a": 1}),
        ("!!set {a}", {"a": None}),
        ("!!map [a]", ["a"]),
    ],
)
def test_tags_convert_scalars_of_the_core_schema_and_nothing_else(scalar: str, value: Json) -> None:
    assert item(scalar) == value


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("1", "1"),
        ("0x10", "16"),
        ("1.0", "1"),
        ("1e3", "1000"),
        ("1e21", "1e+21"),
        ("1.5e-9", "1.5e-9"),
        ("0.00001", "0.00001"),
        ("1e16", "10000000000000000"),
        ("true", "true"),
        ("~", ""),
        ("''", ""),
        ("!!str 1", "1"),
        ("[a, 1]", '["a",1]'),
        ("{a: é}", '{"a":"é"}'),
        ("<<", "<<"),
        (".inf", ".inf"),
    ],
)
def test_keys_become_their_json_spelling(key: str, name: str) -> None:
    assert value_of(f"? {key}\n: x\n") == {name: "x"}


def test_negative_zero_and_tiny_numbers_are_spelled_like_ecmascript_does() -> None:
    assert [spell(number) for number in (-0.0, 0.0, 1e-7, 123e-20)] == [
        "0",
        "0",
        "1e-7",
        "1.23e-18",
    ]


# What YAML 1.2 allows and libyaml does not, or reads as YAML 1.1.


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: x\x85y\u2028z\u2029\nb: 1\n", {"a": "x\x85y\u2028z\u2029", "b": 1}),
        ("a\u2028b: 1\n", {"a\u2028b": 1}),
        ("# c\u2028 d\na: 1\n", {"a": 1}),
        ("a: |\n  x\u2028y\n", {"a": "x\u2028y\n"}),
        ("a: 'x\x7f\ufeff\uffff'\n", {"a": "x\x7f\ufeff\uffff"}),
        ("a: [?x, :y,?z, ? k]\n", {"a": ["?x", ":y", "?z", {"k": None}]}),
        ("a: {?x: 1}\n", {"a": {"?x": 1}}),
        ("a: b\n\t\nc: d\n", {"a": "b", "c": "d"}),
        ("\t\na: b\n", {"a": "b"}),
        ("a: b\n\t# c\nd: e\n", {"a": "b", "d": "e"}),
        ("a:\n-\tb\n- \tc\n", {"a": ["b", "c"]}),
        ("?\ta\n:\tb\n", {"a": "b"}),
        ("a:\tb\t# c\n", {"a": "b"}),
        ('a: "\\ud83d\\ude00 \\\\ud83d\\\\ude00"\n', {"a": "😀 \\ud83d\\ude00"}),
        ("a: '\\ud83d\\ude00'\n", {"a": "\\ud83d\\ude00"}),
        ('a: "\U000f0000 \\ud83d\\ude00 \u2028"\n', {"a": "\U000f0000 😀 \u2028"}),
        ('a: "\\U000f0000 \u2028"\n', {"a": "\U000f0000 \u2028"}),
        ("a: &x 1\nb: &x 2\nc: *x\n", {"a": 1, "b": 2, "c": 2}),
        ("--- # c\na: 1\n", {"a": 1}),
        ("a: 1\n... \n", {"a": 1}),
    ],
)
def test_yaml_1_2_where_libyaml_differs(text: str, value: Json) -> None:
    assert value_of(text) == value


def test_hidden_characters_keep_their_offsets() -> None:
    text = 'a: "\\ud83d\\ude00\u2028"\nb: c\n'
    extent = of_node(*parse(text)).extent(["b"])
    assert extent is not None
    assert text[slice(*extent)] == "b: c"


@given(st.text("[{,]} \t\n?:ab", max_size=20))
def test_a_plain_scalar_in_flow_may_start_with_an_indicator(text: str) -> None:
    shown = re.compile(r"(?<=[\[{,])([ \t]*)([?:])(?=[^\s,\[\]{}])")
    text += "[]"  # without a bracket there is no flow
    readable, hidden = hide(text)
    starts = {match.start(2) for match in shown.finditer(text)}
    assert {at for at, char in enumerate(readable) if char != text[at]} == starts
    assert readable.translate(hidden) == text


def test_many_pairs_in_a_small_text_are_all_joined() -> None:
    text = "".join(f'k{index}: "\\ud83d\\ude00"\n' for index in range(200))
    assert value_of(text) == {f"k{index}": "😀" for index in range(200)}


# Aliases and limits.


def test_aliases_stand_for_their_value() -> None:
    text = "a: &x {k: [1]}\nb: *x\nc: [*x, &y z, *y]\n? *y\n: 1\n"
    one = {"k": [1]}
    assert read(text) == {"a": one, "b": one, "c": [one, "z", "z"], "z": 1}


def test_an_alias_names_the_latest_anchor() -> None:
    assert value_of("a: &x [&x b, *x]\n") == {"a": ["b", "b"]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: *x\n", "names no anchor"),
        ("a: &x [*x]\n", "stands inside"),
        ("a: &x {b: {c: *x}}\n", "stands inside"),
        ("a: &x 1\nb: [" + "*x," * (MAX_ALIASES + 1) + "]\n", "100 aliases"),
        (
            "a: &a [x]\nb: &b [" + "*a," * 10 + "]\nc: &c [" + "*b," * 10 + "]\n",
            "100 aliases",
        ),
        ("a: &a [" + "x," * 60_000 + "]\nb: [*a, *a]\n", "too many values"),
        ("[" * 101 + "]" * 101, "100 levels"),
        ("- " * 500 + "x", "100 levels"),
        ("a: &a " + "[" * 60 + "]" * 60 + "\nb: " + "[" * 60 + "*a" + "]" * 60, "100 levels"),
        ("a: 1\n--- \nb: 1\n", "second document"),
        ("a: 1\n'a': 2\n", "set twice"),
        ("1: a\n'1': b\n", "set twice"),
        ("~: a\n'': b\n", "set twice"),
        ("a: {<<: 1, <<: 2}\n", "set twice"),
        ("{" * 50 + "a" + "}" * 50 + ": x\n", "cannot be a key"),
    ],
)
def test_what_yaml_allows_and_metadata_does_not(text: str, words: str) -> None:
    with pytest.raises(YamlFault, match=words):
        read(text)


def test_the_limits_themselves_are_within() -> None:
    aliases = "a: &x 1\nb: [" + "*x," * MAX_ALIASES + "]\n"
    assert value_of(aliases) == {"a": 1, "b": [1] * MAX_ALIASES}
    assert value_of("a: " + "[" * 99 + "]" * 99)


def test_a_duplicate_key_tells_both_places() -> None:
    text = "x: 1\nname: a\nb: 2\nname : c\n"
    with pytest.raises(DuplicateKey) as raised:
        parse(text)
    fault = raised.value
    assert (fault.name, fault.first, fault.start, fault.end) == ("name", 5, 18, 22)
