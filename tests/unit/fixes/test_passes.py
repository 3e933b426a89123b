"""Fixes are made until nothing changes, and none that does harm is kept."""

from __future__ import annotations

import re

import pytest

from manni.fixes import passes
from manni.fixes.passes import Mended, mend
from manni.model.findings import PARSE_SCHEMA, Edit, Finding, Fix, Place, Severity, Span


def finding(
    row: int, line: str, new: str, *, schema: str = "s", safe: bool = True, **about: str
) -> Finding:
    span = Span(row, 1, row, len(line) + 1)
    fix = Fix(f"{line} to {new}", (Edit(span, new),), safe)
    severity = Severity(about.get("severity", "error"))
    keyword = about.get("keyword", "k")
    return Finding(
        schema, keyword, line, severity=severity, place=Place(span, about.get("manifest")), fix=fix
    )


def rewriting(**rules: str) -> passes.Check:
    """A check by which each line that is a name is an error, mended by what the rule gives."""

    def check(data: bytes) -> list[Finding]:
        lines = data.decode().split("\n")
        return [
            finding(row, line, rules[line]) for row, line in enumerate(lines, 1) if line in rules
        ]

    return check


def again(mended: Mended, check: passes.Check, *, unsafe: bool = False) -> Mended:
    """Mending the result changes nothing."""
    second = mend(mended.data, check, unsafe=unsafe)
    assert (second.data, second.fixed) == (mended.data, ())
    assert second.findings == mended.findings
    assert second.refused == mended.refused
    return mended


def test_what_a_fix_uncovers_is_mended_by_the_next_pass() -> None:
    check = rewriting(a="b", b="c")
    mended = again(mend(b"a\nx\nb", check), check)
    assert mended.data == b"c\nx\nc"
    assert [each.message for each in mended.fixed] == ["a", "b", "b"]
    assert mended.done
    assert not mended.findings


def test_an_untouched_file_is_checked_once() -> None:
    checked: list[bytes] = []

    def check(data: bytes) -> list[Finding]:
        checked.append(data)
        return []

    assert mend(b"x", check) == Mended(b"x", (), ())
    assert checked == [b"x"]


@pytest.mark.parametrize(("unsafe", "data"), [(False, b"guess\n2"), (True, b"3\n2")])
def test_guesses_are_made_on_demand(unsafe: bool, data: bytes) -> None:
    def check(data: bytes) -> list[Finding]:
        lines = data.decode().split("\n")
        found = [finding(1, "guess", "3", safe=False)] if lines[0] == "guess" else []
        return found + ([finding(2, "1", "2")] if lines[1] == "1" else [])

    again(mend(b"guess\n1", check, unsafe=unsafe), check, unsafe=unsafe)
    assert mend(b"guess\n1", check, unsafe=unsafe).data == data


def test_a_fix_of_another_file_is_not_made() -> None:
    mended = mend(b"a", lambda _: [finding(1, "a", "b", manifest="m.yaml")])
    assert (mended.data, mended.refused) == (b"a", ())


def test_what_makes_more_errors_is_taken_back_and_told() -> None:
    def check(data: bytes) -> list[Finding]:
        lines = data.decode().split("\n")
        rules = {"a": "A", "bad": "worse", "c": "C"}
        found = [finding(i, x, rules[x]) for i, x in enumerate(lines, 1) if x in rules]
        return found + [Finding("s", "k", "new")] * (2 * lines.count("worse"))

    mended = again(mend(b"a\nbad\nc\nbad", check), check)
    assert mended.data == b"A\nbad\nC\nbad"
    assert [each.message for each in mended.fixed] == ["a", "c"]
    assert [each.message for each in mended.refused] == ["bad", "bad"]
    assert mended.findings == mended.refused


def test_harm_is_not_hidden_by_what_other_fixes_mend() -> None:
    def check(data: bytes) -> list[Finding]:
        lines = data.decode().split("\n")
        rules = {"a": "A", "bad": "worse"}
        found = [finding(i, x, rules[x]) for i, x in enumerate(lines, 1) if x in rules]
        return found + [Finding("s", "k", "new")] * (2 * lines.count("worse"))

    assert mend(b"a\na\nbad", check).data == b"A\nA\nbad"


def test_fixes_that_undo_each_other_change_nothing() -> None:
    check = rewriting(a="b", b="a", c="d")
    mended = again(mend(b"a\nc", check), check)
    assert mended.data.endswith(b"d")
    assert len(again(mend(b"b", check), check).findings) == 1


def test_equal_fixes_are_made_once() -> None:
    mended = mend(b"a", lambda data: [finding(1, "a", "b")] * 3 if data == b"a" else [])
    assert (mended.data, len(mended.fixed)) == (b"b", 1)


def test_fixes_without_end_end() -> None:
    def check(data: bytes) -> list[Finding]:
        line = data.decode()
        return [finding(1, line, f"{line}x")]

    mended = mend(b"x", check)
    assert mended.data == b"x" * (passes.MAX_PASSES + 1)
    assert not mended.done


def test_many_that_do_harm_are_told_apart_within_bounds() -> None:
    checks = 0

    def check(data: bytes) -> list[Finding]:
        nonlocal checks
        checks += 1
        lines = data.decode().split("\n")
        found = [finding(i, x, "worse") for i, x in enumerate(lines, 1) if x == "bad"]
        return found + [Finding("s", "k", "new")] * (2 * lines.count("worse"))

    mended = mend(b"\n".join([b"bad"] * 1000), check)
    assert b"worse" not in mended.data
    assert checks <= passes.MAX_CHECKS + 1
    assert not mended.done


# Faults that hide what stands behind them: here the first line with a `!` is one, mended by its
# removal unless it has two; lines that are `?` are errors.


def hiding(data: bytes) -> list[Finding]:
    lines = data.decode().split("\n")
    for row, line in enumerate(lines, 1):
        if "!" in line:
            found = finding(
                row, line, line.replace("!", "", 1), schema=PARSE_SCHEMA, keyword="parse"
            )
            return [found if "!!" not in line else Finding(PARSE_SCHEMA, "parse", line)]
    return [Finding("s", "k", line) for line in lines if line == "?"]


def test_errors_that_a_fault_hid_do_not_speak_against_its_fix() -> None:
    mended = again(mend(b"a!\n?\n?", hiding), hiding)
    assert (mended.data, len(mended.findings)) == (b"a\n?\n?", 2)


def test_faults_one_behind_the_other_are_all_mended() -> None:
    data = b"\n".join([b"a!"] * 40)
    mended = again(mend(data, hiding), hiding)
    assert (mended.data, mended.done) == (data.replace(b"!", b""), True)


def test_a_file_that_stays_unreadable_stays_as_it_is() -> None:
    mended = again(mend(b"a!\nb!\nc!!", hiding), hiding)
    assert (mended.data, mended.fixed) == (b"a!\nb!\nc!!", ())
    assert [each.message for each in mended.refused] == ["a!"]


def test_a_fence_is_mended_though_what_it_opens_is_not() -> None:
    def check(data: bytes) -> list[Finding]:
        first, _, rest = data.partition(b"\n")
        if first == b"--- ":
            return [finding(1, "--- ", "---", schema="manni", keyword="malformed-fence")]
        return hiding(rest)

    mended = again(mend(b"--- \nc!!", check), check)
    assert (mended.data, mended.refused) == (b"---\nc!!", ())


def test_no_fix_makes_a_file_unreadable() -> None:
    def check(data: bytes) -> list[Finding]:
        if re.search(rb"x\nx", data):
            return [Finding(PARSE_SCHEMA, "parse", "a key is set twice")]
        lines = data.decode().split("\n")
        return [finding(row, line, "x") for row, line in enumerate(lines, 1) if line == "y"]

    mended = again(mend(b"y\ny\nz", check), check)
    assert mended.data == b"x\ny\nz"
