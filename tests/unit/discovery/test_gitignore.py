from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from manni.base.errors import TargetError
from manni.base.repository import common_directory, find_root
from manni.discovery.gitignore import MAX_IGNORE_FILE, Ignores, ignores_above, ignores_of
from manni.discovery.gitignore_patterns import IgnorePattern


def _kept(top: Path, directory: Path | None = None) -> set[str]:
    """The files below a directory that are not ignored."""
    start = directory or top
    ignores, ignored = ignores_above(str(top), str(start))
    return set() if ignored else set(_walk(top, start, ignores))


def _walk(top: Path, directory: Path, above: Ignores | None) -> Iterator[str]:
    ignores = ignores_of(str(directory), above)
    for path in sorted(directory.iterdir()):
        is_directory = path.is_dir()
        if path.name == ".git" or (
            ignores and ignores.is_ignored(str(path), directory=is_directory)
        ):
            continue
        if is_directory:
            yield from _walk(top, path, ignores)
        elif path.name != ".gitignore":
            yield str(path.relative_to(top))


def _tree(top: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="surrogateescape")


@pytest.mark.parametrize(
    ("patterns", "kept"),
    [
        ("", {"a.md", "b/a.md", "b/c/a.md", "d e/#.md"}),
        ("*.md", set()),
        ("/a.md", {"b/a.md", "b/c/a.md", "d e/#.md"}),
        ("b/", {"a.md", "d e/#.md"}),
        ("a.md/", {"a.md", "b/a.md", "b/c/a.md", "d e/#.md"}),
        ("*.md\n!a.md", {"a.md", "b/a.md", "b/c/a.md"}),
        ("b/*\n!b/c", {"a.md", "b/c/a.md", "d e/#.md"}),
        ("b\n!b/c/a.md", {"a.md", "d e/#.md"}),
        ("/*\n!/b", {"b/a.md", "b/c/a.md"}),
        ("b/**/a.md", {"a.md", "d e/#.md"}),
        ("**/c", {"a.md", "b/a.md", "d e/#.md"}),
        ("c/**", {"a.md", "b/a.md", "b/c/a.md", "d e/#.md"}),
        ("**/c/**", {"a.md", "b/a.md", "d e/#.md"}),
        ("\\#.md\r\n# a.md\n", {"a.md", "b/a.md", "b/c/a.md"}),
        ("d e", {"a.md", "b/a.md", "b/c/a.md"}),
        ("d*e  \n", {"a.md", "b/a.md", "b/c/a.md"}),
        ("\ufeff/a.md\n", {"b/a.md", "b/c/a.md", "d e/#.md"}),
        ("[[a--b]]&&[x\n[[:nope:]]\n/a.md", {"b/a.md", "b/c/a.md", "d e/#.md"}),
        ("[z-a]\n/a.md", {"b/a.md", "b/c/a.md", "d e/#.md"}),
    ],
)
def test_patterns(patterns: str, kept: set[str], tmp_path: Path) -> None:
    _tree(tmp_path, dict.fromkeys(["a.md", "b/a.md", "b/c/a.md", "d e/#.md"], ""))
    _tree(tmp_path, {".gitignore": patterns})
    assert _kept(tmp_path) == kept


def test_a_deeper_file_decides_first(tmp_path: Path) -> None:
    _tree(tmp_path, {".gitignore": "*.md\n!c.md", "a/.gitignore": "!a.md\nc.md"})
    _tree(tmp_path, dict.fromkeys(["a.md", "a/a.md", "a/b.md", "a/c.md", "c.md"], ""))
    assert _kept(tmp_path) == {"a/a.md", "c.md"}


def test_files_above_the_start_count(tmp_path: Path) -> None:
    _tree(tmp_path, {".gitignore": "/a/*/x.md", "a/.gitignore": "y.md"})
    _tree(tmp_path, dict.fromkeys(["a/b/x.md", "a/b/y.md", "a/b/z.md"], ""))
    assert _kept(tmp_path, tmp_path / "a" / "b") == {"a/b/z.md"}


def test_a_start_that_is_ignored_is_known(tmp_path: Path) -> None:
    _tree(tmp_path, {".gitignore": "a/", "a/b/c.md": ""})
    assert ignores_above(str(tmp_path), str(tmp_path / "a" / "b")) == (None, True)


def test_a_link_is_no_file_of_patterns(tmp_path: Path) -> None:
    _tree(tmp_path, {"patterns": "*", "a.md": ""})
    (tmp_path / ".gitignore").symlink_to("patterns")
    assert _kept(tmp_path) == {"a.md", "patterns"}


def test_the_exclude_file_decides_last(tmp_path: Path) -> None:
    _tree(tmp_path, {".git/info/exclude": "*.md", ".gitignore": "!a.md", "a.md": "", "b.md": ""})
    assert _kept(tmp_path) == {"a.md"}


def test_a_worktree_shares_the_exclude_file(tmp_path: Path) -> None:
    _tree(tmp_path, {"main/.git/info/exclude": "b.md", "tree/a.md": "", "tree/b.md": ""})
    _tree(tmp_path, {"main/.git/worktrees/tree/commondir": "../..\n"})
    _tree(tmp_path, {"tree/.git": f"gitdir: {tmp_path}/main/.git/worktrees/tree\n"})
    assert _kept(tmp_path / "tree") == {"a.md"}


@pytest.mark.parametrize(
    "text", ["", "nothing", "gitdir: \0", "gitdir: /nowhere/at/all", f"gitdir: {'x' * 5000}"]
)
def test_a_git_file_that_leads_nowhere(text: str, tmp_path: Path) -> None:
    _tree(tmp_path, {".git": text, "a.md": ""})
    assert find_root(tmp_path) == tmp_path
    assert _kept(tmp_path) == {"a.md"}


def test_without_a_repository_there_is_no_exclude_file(tmp_path: Path) -> None:
    assert common_directory(tmp_path) is None


def test_what_is_refused(tmp_path: Path) -> None:
    _tree(tmp_path, {".gitignore": "a/**/b/**/c/**/d/**/e"})
    with pytest.raises(TargetError, match=r"\.gitignore: the pattern .* holds too many"):
        ignores_of(str(tmp_path), None)
    _tree(tmp_path, {".gitignore": "a" * 5000})
    with pytest.raises(TargetError, match=r"too long"):
        ignores_of(str(tmp_path), None)
    _tree(tmp_path, {".gitignore": "a\n" * 20_000})
    with pytest.raises(TargetError, match=r"more than 10000 lines"):
        ignores_of(str(tmp_path), None)
    _tree(tmp_path, {".gitignore": "#" * (MAX_IGNORE_FILE + 1)})
    with pytest.raises(TargetError, match="larger than 1 MiB"):
        ignores_of(str(tmp_path), None)


def test_hostile_patterns_take_no_time(tmp_path: Path) -> None:
    _tree(tmp_path, {".gitignore": "*a" * 40 + "b\n" + "*[a]?" * 40 + "b\n", "a" * 250: ""})
    assert _kept(tmp_path) == {"a" * 250}


_LINE = st.lists(
    st.sampled_from(["*", "a", "b", ".", "[ab]", "[!a]", "?", "\\*", "\\a", "{", "(", "+", "|"]),
    min_size=1,
    max_size=7,
).map("".join)
_NAME = st.text(alphabet="ab*.{(+|", min_size=1, max_size=6).filter(lambda name: name.strip("."))


@settings(max_examples=100, deadline=None)
@given(line=_LINE, names=st.lists(_NAME, min_size=3, max_size=15))
def test_atomic_stars_match_the_same_names(line: str, names: list[str]) -> None:
    plain, bounded = GitIgnoreSpecPattern(line), IgnorePattern(line)
    assert plain.include == bounded.include
    for name in names:
        assert (plain.match_file(name) is None) == (bounded.match_file(name) is None), name
