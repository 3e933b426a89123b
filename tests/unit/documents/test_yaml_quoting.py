"""Texts as YAML scalars that read as these texts."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from manni.documents.yaml.quoting import quote, spell
from manni.documents.yaml.reader import read

TEXTS = st.text(
    st.one_of(
        st.characters(), st.sampled_from("ab1 .,:#'\"\\[]{}&*!|>-?%@`~\t\r\n\x85\u2028\ufeff")
    ),
    max_size=12,
)


@pytest.mark.parametrize(
    ("source", "quoted"),
    [
        ("1.10", '"1.10"'),
        ("it's", '"it\'s"'),
        ('say "x"', "'say \"x\"'"),
        ("a\\b", "'a\\b'"),
        ('it\'s "x"', "'it''s \"x\"'"),
        ("a: b\n  c\n\n  d", '"a: b\n  c\n\n  d"'),
        ('a "b"\n  c', "'a \"b\"\n  c'"),
    ],
)
def test_quotes_that_need_no_escape(source: str, quoted: str) -> None:
    assert quote(source) == quoted


@given(st.lists(st.text(st.sampled_from("ab1'\"\\#,:\u4e2d"), min_size=1), min_size=1, max_size=4))
def test_lines_in_quotes_fold_like_plain_ones(words: list[str]) -> None:
    source = "\n\n ".join(f"a{word}" for word in words)
    if ":\n" in source or source.endswith(":"):
        return
    plain = read(f"k: {source}\n")
    assert read(f"k: {quote(source)}\n") == plain
    assert yaml.safe_load(f"k: {quote(source)}\n") == plain


@given(TEXTS, st.sampled_from(["", "x", '"x"', "'x'"]))
def test_a_text_reads_as_itself_everywhere(text: str, like: str) -> None:
    spelled = spell(text, like=like)
    assert not {"\n", "\r"} & set(spelled)
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    assert read(f"k: {spelled}\n") == {"k": text}
    assert read(f"k: [{spelled}, b]\n") == {"k": [text, "b"]}
    assert read(f"{spelled}: [{{{spelled}: 1}}] # c\n") == {text: [{text: 1}]}
    assert yaml.safe_load(f"- {spelled}\n") == [text]


@pytest.mark.parametrize(
    ("text", "like", "spelled"),
    [
        ("high", "", "high"),
        ("high", '"x"', '"high"'),
        ("high", "'x'", "'high'"),
        ("yes", "", '"yes"'),
        ("true", "", '"true"'),
        ("null", "", '"null"'),
        ("", "", '""'),
        ("1", "", '"1"'),
        ("a, b", "", '"a, b"'),
        ('a "b"', '"x"', "'a \"b\"'"),
        ("a\nb", "", '"a\\nb"'),
        ("a\x00\u2028", "'x'", '"a\\u0000\\u2028"'),
    ],
)
def test_what_is_plain_stays_plain(text: str, like: str, spelled: str) -> None:
    assert spell(text, like=like) == spelled
