"""The formats that `format` asserts, with the verdicts of JavaScript validators."""

from __future__ import annotations

import pytest

from manni.validation.formats import FORMATS
from manni.validation.patterns import MAX_LENGTH, PatternError, compile_pattern

RIGHT = {
    "date": ["2024-02-29", "2000-02-29", "0000-01-01"],
    "time": ["10:00:00Z", "10:00:00.5+01:00", "10:00:00+0100", "10:00:00-01", "23:59:60z"],
    "date-time": ["2024-02-29T10:00:00Z", "2024-02-29 10:00:00z", "2024-02-29\u00a010:00:00Z"],
    "email": ["a@b.co", "a.b+c@d-e.f", "O'Neil@example.org"],
    "hostname": ["localhost", "a.example.", "1.2", "a" * 63],
    "ipv4": ["1.2.3.4", "255.255.255.255"],
    "ipv6": ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "::1.2.3.4", "1:2:3:4:5:6:1.2.3.4"],
    "uri": ["https://example.com/a?b#c", "urn:a", "foo:/", "http://[::1]:80/", "x://[v1.a]"],
    "uri-reference": ["", "#a", "a/b", "//host", "?q", 'a"b'],
    "uuid": [
        "01234567-89ab-cdef-0123-456789ABCDEF",
        "urn:uuid:" + "0" * 8 + "-0000" * 3 + "-" + "0" * 12,
    ],
    "json-pointer": ["", "/", "/a~0b/~1", "/a\n"],
    "regex": ["a", r"\p{L}", r"\Z", r"a\\Z", "(?<n>a)"],
}
WRONG = {
    "date": [
        "2023-02-29",
        "1900-02-29",
        "2024-13-01",
        "2024-04-31",
        "2024-1-1",
        "2024-01-01\n",
        "٢٠٢٤-01-01",
    ],
    "time": ["10:00:00", "24:00:00Z", "10:00:60Z", "10:00:00+24:00", "10:60:00Z"],
    "date-time": ["2024-02-29", "2024-02-29TT10:00:00Z", "2024-02-30T10:00:00Z", "yesterday"],
    "email": ["a@b", "a..b@c.d", "@b.c", "a@-b.c", "a@b.c\n"],
    "hostname": ["", "-a", "a-", "a..b", "a" * 64, "a_b", "a." * 128],
    "ipv4": ["01.2.3.4", "256.1.1.1", "1.2.3", "1.2.3.4\n"],
    "ipv6": ["1::2::3", ":1", "12345::", "::01.2.3.4", "1:2:3:4:5:6:7:8:9", "fe80::1%eth0"],
    "uri": ["a/b", "foo:", "http://a b", "http://a/%4", 'x:a"b', "//a/b", "not a uri"],
    "uri-reference": ["a b", "%zz", "a\\b"],
    "uuid": ["0" * 32, "01234567-89ab-cdef-0123-456789abcdeg"],
    "json-pointer": ["a", "/~2", "/~"],
    "regex": ["[", "(", "*", r"a\Z", "[b-a]"],
}


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in RIGHT.items() for t in texts])
def test_right(name: str, text: str) -> None:
    assert FORMATS[name](text)


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in WRONG.items() for t in texts])
def test_wrong(name: str, text: str) -> None:
    assert not FORMATS[name](text)


def test_long_text_takes_no_time() -> None:
    long = "a" * 200_000
    for name, check in FORMATS.items():
        if name != "regex":
            check(long + "!")
            check("http://" + long + "@")
            check("a@" + long)


def test_patterns_are_those_of_ecmascript() -> None:
    assert not compile_pattern("^a$").matches("a\n")
    assert not compile_pattern(r"^\d$").matches("٣")
    assert compile_pattern(r"^\p{L}$").matches("é")
    assert compile_pattern("^.$").matches("😀")
    assert compile_pattern("^a").matches("a\ud800")
    assert compile_pattern("a") is compile_pattern("a")


@pytest.mark.parametrize(
    "source", ["[", r"\-", "(" * 5000 + ")" * 5000, "a|" * MAX_LENGTH, "\ud800", "(?<=", "a{2,1}"]
)
def test_what_is_no_pattern_is_refused(source: str) -> None:
    with pytest.raises(PatternError):
        compile_pattern(source)
