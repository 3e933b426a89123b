"""A diff that `git apply` takes gives what writing the file gives."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from manni.fixes.diff import diff, shown

NAMES = [
    "SKILL.md",
    "a b/c d.md",
    'say "x".md',
    "b\\c.md",
    "na\u00efve/\u4e2d.md",
    "tab\there.md",
    "line\nend.md",
    "b\udcff.md",
    " x ",
    "-x",
    "a b\u00e9.md",
]


def applied(directory: Path, files: dict[str, tuple[bytes, bytes]]) -> dict[str, bytes]:
    for name, (before, _) in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(before)
    text = b"".join(diff(name, before, after) for name, (before, after) in files.items())
    subprocess.run(
        ["git", "-c", "core.autocrlf=false", "apply", "--allow-empty", "--whitespace=nowarn"],
        input=text,
        cwd=directory,
        check=True,
    )
    return {name: (directory / name).read_bytes() for name in files}


def test_any_name_can_be_applied(tmp_path: Path) -> None:
    files = {name: (b"a\nb\nc\n", f"a\nB{at}\nc\n".encode()) for at, name in enumerate(NAMES)}
    assert applied(tmp_path, files) == {name: after for name, (_, after) in files.items()}


@pytest.mark.parametrize("name", NAMES)
def test_names_are_spelled_as_git_spells_them(tmp_path: Path, name: str) -> None:
    def git(*arguments: str) -> bytes:
        run = subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)
        return run.stdout

    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"a\n")
    git("init", "-q")
    git("add", "-A")
    path.write_bytes(b"b\n")
    theirs = git("-c", "core.quotePath=true", "diff", "-U3", "--no-ext-diff").splitlines()
    ours = diff(name, b"a\n", b"b\n").splitlines()
    assert ours[:3] == [line for line in theirs if not line.startswith(b"index ")][:3]


LINES = st.lists(
    st.tuples(
        st.sampled_from([b"", b"a", b"b", b"\tc ", b"\xff\x80", b"--- x", b"+++", b"@@ -1 +1 @@"]),
        st.sampled_from([b"\n", b"\r\n", b"\r", b"\n"]),
    ),
    max_size=30,
).map(lambda pairs: b"".join(part for pair in pairs for part in pair))


@given(before=LINES, after=LINES, cut=st.booleans())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_applying_gives_the_bytes(tmp_path: Path, before: bytes, after: bytes, cut: bool) -> None:
    before, after = b"x" + before + b"\ny", b"x" + after + (b"\ny" if cut else b"\n")
    assert applied(tmp_path, {"f.md": (before, after)}) == {"f.md": after}


def test_a_long_body_is_not_in_the_diff() -> None:
    body = b"".join(b"%d\n" % number for number in range(10_000))
    text = diff("f", b"a\n" + body, b"b\n" + body)
    assert text.endswith(b"@@ -1,4 +1,4 @@\n-a\n+b\n 0\n 1\n 2\n")


def test_edits_far_apart_are_hunks_of_their_own() -> None:
    lines = [b"%d\n" % number for number in range(60)]
    new = [b"x\n", *lines[1:50], b"y\n", *lines[51:]]
    heads = [
        line for line in diff("f", b"".join(lines), b"".join(new)).split(b"\n") if line[:2] == b"@@"
    ]
    assert heads == [b"@@ -1,4 +1,4 @@", b"@@ -48,7 +48,7 @@"]


def test_very_many_lines_are_one_hunk(tmp_path: Path) -> None:
    before = b"a\n" + b"- 1\n" * 20_000 + b"a\n"
    after = b"b\n" + b"- 1\n" * 20_000 + b"b\n"
    assert applied(tmp_path, {"f": (before, after)}) == {"f": after}


def test_nothing_changed_is_nothing() -> None:
    assert diff("f", b"a", b"a") == b""


def test_what_is_shown_cannot_act() -> None:
    text = shown(diff("f", b"a\n\x1b[31m\r\n\xff", b"b\n\x1b[31m\r\n\xff"))
    assert " \\x1b[31m\\r" in text
    assert all(line.isprintable() for line in text.split("\n"))
