"""Numbers, equality and order as ECMAScript has them."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manni.validation.values import (
    in_order,
    is_integer,
    is_number,
    key,
    repeated,
    spell,
    spell_number,
)


@pytest.mark.parametrize(
    ("number", "spelled"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-2.5, "-2.5"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e21, "1.5e+21"),
        (123456789012345680000, "123456789012345680000"),
        (12345678901234567890, "12345678901234567000"),
        (9007199254740993, "9007199254740992"),
        (0.1, "0.1"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.25e-7, "1.25e-7"),
        (5e-324, "5e-324"),
        (10**400, "Infinity"),
        (-(10**400), "-Infinity"),
        (math.nan, "NaN"),
    ],
)
def test_numbers_are_spelled_as_in_ecmascript(number: float, spelled: str) -> None:
    assert spell_number(number) == spelled


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(max_examples=100)
def test_spelled_numbers_read_back(number: float) -> None:
    assert float(spell_number(number)) == number


@pytest.mark.parametrize(
    ("first", "second", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (0.0, -0.0, True),
        ("1", 1, False),
        (None, False, False),
        ([1], [1.0], True),
        ([1], [True], False),
        ([1, 2], [2, 1], False),
        ([], {}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        (math.nan, math.nan, True),
        (2**53, 2**53 + 1, True),
    ],
)
def test_equality(first: Any, second: Any, equal: bool) -> None:
    assert (key(first) == key(second)) is equal


def test_integers_may_be_floats_and_booleans_are_no_numbers() -> None:
    assert is_integer(2.0)
    assert is_integer(10**400)
    assert is_integer(math.inf)
    assert not is_integer(2.5)
    assert not is_integer(math.nan)
    assert not is_integer(True)
    assert not is_number(False)
    assert is_number(math.nan)


def test_names_that_are_indices_come_first() -> None:
    names = ["b", "10", "2", "01", "a", "4294967295", "4294967294", "²"]
    assert in_order(names) == ["2", "10", "4294967294", "b", "01", "a", "4294967295", "²"]


def test_repeated_items_are_found_from_the_end() -> None:
    assert repeated([[1], [2], [1], [2]], ()) == (1, 3)
    assert repeated(["a", "b", "a", "a"], ("string",)) == (3, 2)
    assert repeated([1, "a", 1], ("string",)) is None
    assert repeated([1, 2], ()) is None


@given(st.lists(st.integers(0, 5), max_size=8))
@settings(max_examples=100)
def test_the_repeated_pair_is_the_first_from_the_end(items: list[int]) -> None:
    pairs = [
        (low, high)
        for high in range(len(items) - 1, -1, -1)
        for low in range(high - 1, -1, -1)
        if items[low] == items[high]
    ]
    assert repeated(items, ()) == (pairs[0] if pairs else None)


def test_values_are_spelled_for_people() -> None:
    assert spell("plain") == "plain"
    assert spell("x" * 1000).endswith("\u2026")
    assert spell(2.0) == "2"
    assert spell(None) == "null"
    assert spell([1, "a"]) == json.dumps([1, "a"])
    assert spell([[1]]) == "\u2026"
    assert spell([10**5000]) == "\u2026"
    assert spell({"a": True}) == '{"a": true}'
