"""What a run finds, as whoever opens a pull request may try to bend it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from support import Manni

BROKEN = "---\nname: 1\n---\n"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository in which a broken skill is tracked, and a file beside the repository."""
    top = tmp_path / "repo"
    for name in ("repo/skills/a/SKILL.md", "outside/SKILL.md"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(BROKEN, encoding="utf-8")
    subprocess.run(["git", "init", "-q", top], check=True)
    subprocess.run(["git", "-C", top, "add", "."], check=True)
    return top


@pytest.mark.parametrize(
    "pattern",
    ["{..,x}/outside/**", "{.,}./outside/*.md", "skills/{../..,b}/outside/**", "@(..|x)/**"],
)
def test_no_glob_leads_upwards(pattern: str, top: Path, manni: Manni) -> None:
    reason = "leads out of the directory that it is relative to with `..`"
    done = manni("meta", "validate", pattern, cwd=top)
    assert (done.code, done.out) == (2, "")
    assert reason in done.err
    config = {"collections": [{"name": "all", "paths": [pattern]}]}
    (top / "manni.config.yaml").write_text(json.dumps(config), encoding="utf-8")
    done = manni("meta", "validate", cwd=top)
    assert (done.code, "SKILL.md" in done.out) == (2, False)
    assert pattern in done.err


@pytest.mark.parametrize("pattern", ["*(*(a))b", "+(a*)b", "*(a|aa)*b", "@(*|*)@(*|*)@(*|*)b"])
def test_a_glob_that_could_take_forever_is_refused(pattern: str, top: Path, manni: Manni) -> None:
    done = manni("meta", "validate", pattern, cwd=top)
    assert done.code == 2
    assert pattern in done.err


@pytest.mark.parametrize(
    "ignore", [("skills/a/.gitignore", "*"), (".gitignore", "skills/"), (".gitignore", "SKILL.md")]
)
def test_an_ignore_file_hides_no_tracked_skill(
    ignore: tuple[str, str], top: Path, manni: Manni
) -> None:
    (top / ignore[0]).write_text(f"{ignore[1]}\n", encoding="utf-8")
    done = manni("meta", "validate", cwd=top)
    assert done.code == 1
    assert "skills/a/SKILL.md" in done.out
    assert "gitignore" not in done.out + done.err


def test_what_is_left_out_is_counted(top: Path, manni: Manni) -> None:
    (top / "new").mkdir()
    (top / "new/SKILL.md").write_text(BROKEN, encoding="utf-8")
    (top / ".gitignore").write_text("new\n", encoding="utf-8")
    assert "1 skipped by .gitignore" in manni("meta", "validate", cwd=top).out
    assert "(left out: 1 file by .gitignore)" in manni("meta", "validate", "new/*", cwd=top).err


def test_a_damaged_index_is_one_sentence(top: Path, manni: Manni) -> None:
    (top / ".gitignore").write_text("skills\n", encoding="utf-8")
    (top / ".git/index").write_bytes(b"DIRC\0\0\0\2\0\0\0\1")
    done = manni("meta", "validate", cwd=top)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"manni: {top}/.git/index: git's index cannot be read, so it cannot bring back ignored "
        "files: it is damaged, split, or of an unknown version (`git update-index "
        "--no-split-index` joins a split one)\n"
    )
