from __future__ import annotations

import os
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from manni.base.boundary import confined
from manni.base.errors import TargetError
from manni.base.repository import find_root
from manni.discovery.globs import Matcher
from manni.discovery.targets import Targets, resolve_targets
from manni.discovery.tracked import Tracked
from manni.engine.settings import Settings

GIT = ("git", "-c", "protocol.file.allow=always", "-c", "user.name=t", "-c", "user.email=t@t")


def _git(top: Path, *arguments: str) -> str:
    return subprocess.run(
        [*GIT, "-C", str(top), *arguments], check=True, capture_output=True, text=True
    ).stdout


def _write(top: Path, *names: str, **texts: str) -> None:
    for name in names:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(texts.get("text", ""), encoding="utf-8")


def _find(top: Path, *paths: str) -> Targets:
    settings = Settings(cwd=top, paths=paths or ("**/*.md",), allow_empty=True)
    return resolve_targets(settings, None, find_root(top))


def _labels(top: Path, *paths: str) -> list[str]:
    return [target.label for target in _find(top, *paths).items]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    top = tmp_path / "repo"
    top.mkdir()
    _git(top, "init", "-q")
    return top


@pytest.fixture(params=[2, 3, 4])
def hidden(request: pytest.FixtureRequest, repo: Path) -> Path:
    """Tracked files that ignore files name, in an index of each version."""
    _write(repo, "a/SKILL.md", "a/other.md", "out/b/SKILL.md", "out/b/other.md", "out/c/c.md")
    _write(repo, "node_modules/SKILL.md", "node_modules/p/SKILL.md", "x/node_modules/q/SKILL.md")
    for link, goal in (("linked.md", "a/SKILL.md"), ("folder", "out/b"), ("out/l.md", "../c.md")):
        (repo / link).symlink_to(goal)
    _write(repo, "c.md")
    _git(repo, "add", "-f", "a/SKILL.md", "out/b/SKILL.md", "node_modules/SKILL.md")
    _git(repo, "add", "-f", "linked.md", "folder", "out/l.md", "c.md")
    if request.param == 3:
        _git(repo, "add", "-N", "-f", "out/c/c.md")
    _git(repo, "update-index", "--index-version", str(request.param))
    assert (repo / ".git/index").read_bytes()[7] == request.param
    _write(repo, ".gitignore", text="out/\nlinked.md\n/folder\n")
    _write(repo, "a/.gitignore", text="*")
    return repo


def test_an_ignore_file_hides_nothing_that_is_tracked(hidden: Path) -> None:
    found = _find(hidden, "**/SKILL.md")
    assert [target.label for target in found.items] == [
        "a/SKILL.md",
        "node_modules/SKILL.md",
        "out/b/SKILL.md",
    ]
    assert found.ignored == 0


def test_links_are_tracked_as_well(hidden: Path) -> None:
    assert _labels(hidden, "*.md") == ["c.md", "linked.md"]
    assert _labels(hidden, "folder/*") == ["folder/SKILL.md"]
    assert _labels(hidden, "out/*.md") == ["out/l.md"]


def test_only_what_is_not_tracked_is_counted(hidden: Path) -> None:
    is_third = (hidden / ".git/index").read_bytes()[7] == 3
    assert _find(hidden, "{a,out}/**/*.md").ignored == (2 if is_third else 3)


def test_a_run_without_ignore_files_sees_the_same_packages(hidden: Path) -> None:
    settings = Settings(cwd=hidden, paths=("**/node_modules/**",), respect_gitignore=False)
    labels = [target.label for target in resolve_targets(settings, None, hidden).items]
    assert labels == ["node_modules/SKILL.md"]


def test_in_a_worktree_and_in_a_submodule(hidden: Path, tmp_path: Path) -> None:
    _git(hidden, "commit", "-qm", "all")
    _git(hidden, "worktree", "add", "-q", str(tmp_path / "tree"), "HEAD")
    _write(tmp_path / "tree", ".gitignore", text="*\n")
    assert _labels(tmp_path / "tree", "out/**") == ["out/b/SKILL.md", "out/l.md"]
    parent = tmp_path / "parent"
    parent.mkdir()
    _git(parent, "init", "-q")
    _git(parent, "submodule", "--quiet", "add", str(hidden), "sub")
    _write(parent, ".gitignore", text="*.md\n")
    _write(parent, "sub/new.md", "new.md")
    assert _labels(parent, "**/SKILL.md") == [
        *("sub/a/SKILL.md", "sub/node_modules/SKILL.md", "sub/out/b/SKILL.md")
    ]
    assert _labels(parent / "sub", "out/**") == ["out/b/SKILL.md", "out/l.md"]


def test_an_index_of_long_object_names(tmp_path: Path) -> None:
    subprocess.run(
        ["git", "init", "-q", "--object-format=sha256", tmp_path], check=True, capture_output=True
    )
    _write(tmp_path, "a.md", "b.md", "c.md")
    _git(tmp_path, "add", "a.md", "b.md")
    _write(tmp_path, ".gitignore", text="*")
    assert _labels(tmp_path) == ["a.md", "b.md"]


def test_without_a_repository_nothing_is_tracked(tmp_path: Path) -> None:
    _write(tmp_path, "a.md", "node_modules/a.md")
    _write(tmp_path, ".gitignore", text="*")
    assert _find(tmp_path).ignored == 1


def test_an_index_outside_of_the_boundary_is_not_read(hidden: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other/.git").write_text(f"gitdir: {hidden}/.git\n", encoding="utf-8")
    name = str(tmp_path / "other" / "c.md")
    assert Tracked(str(tmp_path / "other")).holds(name)
    with confined(tmp_path / "other"):
        assert not Tracked(str(tmp_path / "other")).holds(name)


def test_a_broken_index_ends_the_run(hidden: Path) -> None:
    index = hidden / ".git/index"
    whole = index.read_bytes()
    for broken in (
        *(b"", b"DIRC", b"nothing of git's", whole[:100], whole[:-60], whole[:8] + b"\xff" * 300),
        *(b"DIRC\0\0\0\x09" + whole[8:], b"DIRC\0\0\0\4\xff\xff\xff\xff" + whole[12:]),
    ):
        index.write_bytes(broken)
        if broken:
            with pytest.raises(TargetError, match=r"^.*/\.git/index: git's index cannot be read"):
                _find(hidden, "a/*.md")
        else:
            assert _find(hidden, "a/*.md").ignored == 2


def test_a_split_index_says_how_to_mend_it(hidden: Path) -> None:
    _git(hidden, "update-index", "--split-index")
    with pytest.raises(TargetError, match="--no-split-index"):
        _find(hidden, "a/*.md")


def test_any_index_is_read_or_refused(hidden: Path) -> None:
    index = hidden / ".git/index"
    whole = index.read_bytes()
    chance = random.Random(1)
    refused = []
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 20)):
            data[chance.randrange(len(data))] = chance.choice((0, 255, chance.randrange(256)))
        index.write_bytes(data)
        with suppress(TargetError):
            Tracked(str(hidden)).holds(f"{hidden}/a/SKILL.md")
            continue
        refused.append(data)
    assert 0 < len(refused) < 300


def test_what_takes_time_is_only_imported_when_needed(hidden: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from manni.discovery.targets import resolve_targets;"
        "from manni.engine.settings import Settings;"
        "resolve_targets(Settings(cwd=Path.cwd(), paths=(sys.argv[1],), allow_empty=True));"
        "print('dulwich' in sys.modules)"
    )

    def imports(pattern: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", code, pattern],
            cwd=hidden,
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        ).stdout.strip()

    assert (imports("c.md"), imports("{c,d}.md"), imports("a/*.md")) == ("False", "False", "True")


_LINES = (
    *("*.md", "!a.md", "/a", "b/", "!b/", "a/*", "!a/b", "**/c", "c/**", "a/**/b", "*", "!*/"),
    *("!*.md", "/*", "!/a", "\\#x", "a b", "[ab]", "[!a].md", "?.md", "*/", "a*", "!c", "/b/*.md"),
    *("**/a/**", "a.md", "/c/", "!/c/b/", "*b*", "!d", "**/", "/**/a", "node_modules"),
)
_NAMES = ("a", "b", "c", "d", "a.md", "b.md", "#x", "a b", "node_modules")


@pytest.mark.parametrize("seed", range(30))
def test_git_agrees(seed: int, repo: Path) -> None:
    chance = random.Random(seed)
    directories, files = [repo], []
    for _ in range(25):
        path = chance.choice(directories) / chance.choice(_NAMES)
        if path.exists():
            continue
        if chance.random() < 0.5 or path.name == "node_modules":
            path.mkdir()
            directories.append(path)
        else:
            path.touch()
            files.append(path)
    for directory in directories:
        if directory == repo or chance.random() < 0.5:
            lines = chance.sample(_LINES, chance.randint(1, 5))
            (directory / ".gitignore").write_text("\n".join(lines), encoding="utf-8")
    _git(repo, "add", "-f", *map(str, chance.sample(files, min(len(files), seed % 6))))
    tracked = set(_git(repo, "ls-files", "-z").split("\0"))
    others = set(_git(repo, "ls-files", "-z", "--others", "--exclude-standard").split("\0"))
    names = {str(path.relative_to(repo)) for path in files}
    seen = {name for name in names if "node_modules" not in name.split("/")}
    matcher = Matcher(["**/*"])
    expected = {name for name in names & tracked | seen & others if matcher.match(name)}
    found = _find(repo, "**/[!.]*")
    assert {target.label for target in found.items} == expected
    assert found.ignored == len(seen - expected)
