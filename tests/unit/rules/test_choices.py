"""Which rules count, and how much."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manni.discovery.globs import Matcher
from manni.model.findings import PARSE_SCHEMA, TOOL_SCHEMA, Fault, Finding, Severity
from manni.rules.choices import Choices, matches

ENUM = Finding("a:b:1", "enum", "m")
TYPE = Finding("a:b:1", "type", "m")
FENCE = Finding(TOOL_SCHEMA, "malformed-fence", "m")
PARSE = Finding(PARSE_SCHEMA, "parse", "m")
EACH = [Fault((each,)) for each in (ENUM, TYPE, FENCE, PARSE)]


def kept(choices: Choices, key: str = "x.md") -> list[str]:
    faults, off = choices.apply(EACH, key)
    assert off == len(EACH) - len(faults)
    return [fault.representative.keyword for fault in faults]


@pytest.mark.parametrize(
    ("selector", "of"),
    [
        ("a:b:1/enum", [ENUM]),
        ("a:b:1", [ENUM, TYPE]),
        ("a:*", [ENUM, TYPE]),
        ("*/enum", [ENUM]),
        ("manni/*", [FENCE, PARSE]),
        ("manni/parse-error", [PARSE]),
        ("*", [ENUM, TYPE, FENCE, PARSE]),
        ("a:b:1/[et]*", [ENUM, TYPE]),
        ("A:B:1", []),
        ("a:b", []),
        ("[", []),
        ("", []),
    ],
)
def test_selectors(selector: str, of: list[Finding]) -> None:
    assert [each for each in (ENUM, TYPE, FENCE, PARSE) if matches(selector, each)] == of


def test_select_and_ignore() -> None:
    assert kept(Choices()) == ["enum", "type", "malformed-fence", "parse"]
    assert kept(Choices(select=("a:b:1",))) == ["enum", "type", "parse"]
    assert kept(Choices(select=("a:b:1",), ignore=("*/enum",))) == ["type", "parse"]
    assert kept(Choices(ignore=("manni/*",))) == ["enum", "type"]


def test_files_of_a_glob() -> None:
    choices = Choices(per_file=((Matcher(["vendor/**"]), ("a:b:1/*",)),))
    assert kept(choices, "vendor/x/y.md") == ["malformed-fence", "parse"]
    assert kept(choices, "mine.md") == ["enum", "type", "malformed-fence", "parse"]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([{"a:b:1/enum": Severity.NOTICE}], Severity.NOTICE),
        ([{"a:b:1/enum": Severity.NOTICE, "a:b:1": Severity.ERROR, "*": None}], Severity.NOTICE),
        ([{"a:b:1": Severity.WARNING, "*/enum": Severity.NOTICE}], Severity.WARNING),
        ([{"a:*": Severity.WARNING, "*/enum": Severity.NOTICE}], Severity.NOTICE),
        ([{"a:*": Severity.WARNING}, {"a:b:1/enum": None}], Severity.WARNING),
        ([{}, {"a:b:1/enum": None}], None),
        ([{"manni/*": None}], Severity.ERROR),
    ],
)
def test_severities(levels: list[dict[str, Severity | None]], expected: Severity | None) -> None:
    faults, off = Choices(severity=tuple(levels)).apply([Fault((ENUM,))], "x.md")
    assert [fault.representative.severity for fault in faults] == [expected] * (
        expected is not None
    )
    assert off == (expected is None)


def test_what_stands_for_a_mistake_takes_the_rest_along() -> None:
    fault = Fault((TYPE, ENUM), lead=1)
    assert Choices(ignore=("*/enum",)).apply([fault], "") == ((), 2)
    assert Choices(ignore=("*/type",)).apply([fault], "") == ((Fault((ENUM,)),), 1)
    assert Choices(select=("*/type",)).apply([fault], "") == ((Fault((TYPE,)),), 1)


@given(st.text(st.sampled_from("[]!-*?a/:\\ {},(|^$\n"), max_size=12))
def test_no_selector_is_too_odd(selector: str) -> None:
    assert matches(selector, ENUM) in (True, False)
