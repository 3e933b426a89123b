"""Fingerprints: stable where they must be, different where they must be."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from manni.model.findings import Finding, Place, Severity, Span
from manni.reports.fingerprints import baseline_fingerprint, fingerprint, line_hashes

FINDING = Finding(
    "vendor:name:1.0",
    "required",
    "must have required property 'id'",
    pointer="/metadata/evals/1",
    subject="id",
    identity="/metadata/evals/used-read",
)


def test_fingerprint_is_the_head_of_a_sha256_over_four_fields() -> None:
    joined = b"vendor:name:1.0\x00/metadata/evals/used-read\x00required\x00id"
    assert fingerprint(FINDING) == hashlib.sha256(joined).hexdigest()[:16]


def test_baseline_fingerprint_uses_the_plain_pointer() -> None:
    joined = b"vendor:name:1.0\x00/metadata/evals/1\x00required\x00id"
    assert baseline_fingerprint(FINDING) == hashlib.sha256(joined).hexdigest()[:16]


def test_without_identity_both_agree() -> None:
    finding = replace(FINDING, identity=None)
    assert fingerprint(finding) == baseline_fingerprint(finding)


def test_an_empty_identity_is_the_root_and_not_a_missing_one() -> None:
    finding = replace(FINDING, identity="")
    assert fingerprint(finding) == fingerprint(replace(FINDING, identity=None, pointer=""))


def test_no_subject_is_an_empty_one() -> None:
    assert fingerprint(replace(FINDING, subject=None)) == fingerprint(replace(FINDING, subject=""))


def test_what_does_not_identify_a_finding() -> None:
    moved = replace(
        FINDING,
        message="reworded",
        severity=Severity.WARNING,
        place=Place(Span(9, 1, 9, 5)),
        pointer="/metadata/evals/7",
        actual="x",
        allowed=("y",),
    )
    assert fingerprint(moved) == fingerprint(FINDING)
    assert baseline_fingerprint(moved) != baseline_fingerprint(FINDING)


def test_what_identifies_a_finding() -> None:
    others = [
        replace(FINDING, schema="vendor:name:1.1"),
        replace(FINDING, keyword="type"),
        replace(FINDING, subject="name"),
        replace(FINDING, identity="/metadata/evals/honored-tdd"),
    ]
    assert len({fingerprint(finding) for finding in [FINDING, *others]}) == 5


def test_lone_surrogates_count_as_the_replacement_character() -> None:
    lone = fingerprint(replace(FINDING, subject="\ud800"))
    assert lone == fingerprint(replace(FINDING, subject="\ufffd"))


@given(st.text(st.characters(), max_size=20), st.text(st.characters(), max_size=20))
@settings(max_examples=50)
def test_any_text_has_a_fingerprint(pointer: str, subject: str) -> None:
    finding = replace(FINDING, pointer=pointer, identity=None, subject=subject)
    assert len(fingerprint(finding)) == 16
    assert int(fingerprint(finding), 16) >= 0


def reference_hashes(text: str) -> dict[int, str]:
    """The line hashes of a whole text, unit by unit through a ring as the definition has it."""
    encoded = text.encode("utf-16-be", "surrogatepass")
    units = [encoded[i] << 8 | encoded[i + 1] for i in range(0, len(encoded), 2)]
    ring = [0] * 100
    ring_lines = [0] * 100
    found: dict[int, str] = {}
    counts: dict[str, int] = {}
    state = {"hash": 0, "index": 0, "line": 0, "start": True, "cr": False}

    def flush() -> None:
        line = ring_lines[state["index"]]
        if line:
            name = format(state["hash"], "x")
            counts[name] = counts.get(name, 0) + 1
            found[line] = f"{name}:{counts[name]}"
            ring_lines[state["index"]] = 0

    def push(unit: int) -> None:
        index = state["index"]
        state["hash"] = (37 * state["hash"] + unit - 37**100 * ring[index]) % 2**64
        ring[index] = unit
        state["index"] = (index + 1) % 100

    def take(unit: int) -> None:
        if unit in {32, 9} or (state["cr"] and unit == 10):
            state["cr"] = False
            return
        state["cr"] = unit == 13
        unit = 10 if unit == 13 else unit
        flush()
        if state["start"]:
            state["line"] += 1
            ring_lines[state["index"]] = state["line"]
        state["start"] = unit == 10
        push(unit)

    for unit in [*units, 0xFFFF]:
        take(unit)
    for _ in range(100):
        flush()
        push(0)
    return found


def test_the_empty_file_has_its_known_hash() -> None:
    assert line_hashes("", [1]) == {1: "c129715d7a2bc9a3:1"}
    assert reference_hashes("") == {1: "c129715d7a2bc9a3:1"}


def test_no_line_has_no_hash() -> None:
    assert line_hashes("abc", []) == {}
    assert line_hashes("abc\n", [0, -1, 3, 4]) == {}


def test_equal_windows_are_counted_in_file_order() -> None:
    text = ("x" * 120 + "\n") * 3
    hashes = line_hashes(text, [1, 2, 3])
    assert [value.split(":")[1] for value in hashes.values()] == ["1", "2", "3"]
    assert len({value.split(":")[0] for value in hashes.values()}) == 1
    assert line_hashes(text, [3]) == {3: hashes[3]}


def test_line_ends_and_blanks_do_not_matter() -> None:
    text = "---\nname: a b\nx:\ty\n---\n"
    lines = range(1, 6)
    assert line_hashes(text, lines) == line_hashes(text.replace("\n", "\r\n"), lines)
    assert line_hashes(text, lines) == line_hashes(text.replace(" ", "\t  "), lines)


def test_a_byte_order_mark_counts() -> None:
    assert line_hashes("\ufeffname: x", [1]) == reference_hashes("\ufeffname: x")
    assert line_hashes("\ufeffname: x", [1]) != line_hashes("name: x", [1])


def test_a_text_much_longer_than_what_the_hash_covers() -> None:
    text = "---\nname: fix\n" + " \t" * 6000 + "d: 😀\r\n---\n" + "body\n" * 3000
    expected = reference_hashes(text)
    for line in (1, 2, 3, 4, 1000, 3004):
        assert line_hashes(text, [line]) == {line: expected[line]}


@given(st.text(st.sampled_from("\n\r \tab\ufeff😀\ufffd\ud800"), max_size=60), st.integers(0, 150))
@settings(max_examples=100)
def test_hashes_equal_the_definition(head: str, padding: int) -> None:
    text = head + "z" * padding + head[::-1] + "\n" + head
    expected = reference_hashes(text)
    assert line_hashes(text, range(1, len(expected) + 2)) == expected
    for line in list(expected)[:3]:
        assert line_hashes(text, [line]) == {line: expected[line]}


@given(st.integers(4000, 4200), st.sampled_from(["\r\n", "\r", "\n", "\r \n", "😀\r\n"]))
@settings(max_examples=50)
def test_a_line_end_at_the_edge_of_the_prefix(size: int, end: str) -> None:
    text = "a" * size + end + "b" * 30 + end + "c" * 300
    expected = reference_hashes(text)
    for line in (1, 2, 3):
        assert line_hashes(text, [line]) == {line: expected[line]}
