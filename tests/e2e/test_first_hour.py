"""What somebody who has just met the tool does, and what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import Manni

TIDY = "---\nname: tidy\ndescription: Tidies up.\n---\n"
UNTIDY = "---\nname: 7\ndescription: Tidies up.\n---\n"


def add(repo: Path, name: str, text: str = TIDY) -> Path:
    path = repo / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("config", ["", "collections: [{name: all, paths: ['**/SKILL.md']}]\n"])
def test_a_baseline_that_was_written_counts(config: str, repo: Path, manni: Manni) -> None:
    if config:
        add(repo, "manni.config.yaml", f"{config}meta: {{schemas: ['anthropic:claude-skill:2.1']}}")
    add(repo, "a/SKILL.md", UNTIDY)
    written = manni("meta", "validate", "--write-baseline", cwd=repo)
    assert (written.code, "1 finding recorded in .manni-baseline.json" in written.err) == (0, True)
    plain = manni("meta", "validate", cwd=repo)
    assert plain.code == 0
    assert ", 1 in the baseline" in plain.out
    notice = "notice: what .manni-baseline.json records does not count; --no-baseline ignores"
    assert notice in plain.err
    add(repo, "b/SKILL.md", UNTIDY)
    assert manni("meta", "validate", cwd=repo).code == 1
    ignored = manni("meta", "validate", "a", "--no-baseline", cwd=repo)
    assert (ignored.code, "records" in ignored.err) == (1, False)
    machine = manni("meta", "validate", "a", "-f", "json", cwd=repo)
    assert machine.report["summary"]["errors"] == 0


def test_a_baseline_that_nobody_named_is_no_config(repo: Path, manni: Manni) -> None:
    add(repo, "a/SKILL.md", UNTIDY)
    manni("meta", "validate", "--write-baseline", cwd=repo)
    assert manni("meta", "validate", "--no-config", cwd=repo).code == 1


FORCED = """
collections:
  - {name: skills, paths: [skills], exclude: ['skills/drafts/**']}
meta: {schemas: ['anthropic:claude-skill:2.1']}
"""


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("skills/a/SKILL.md", True),
        ("skills/drafts/SKILL.md", False),
        ("built/SKILL.md", False),
        ("src/notes.txt", False),
        ("other/SKILL.md", True),
    ],
)
def test_what_is_excluded_may_hold_for_named_files(
    path: str, found: bool, repo: Path, manni: Manni
) -> None:
    add(repo, "manni.config.yaml", FORCED)
    add(repo, ".gitignore", "built/\n")
    add(repo, path, UNTIDY)
    assert manni("meta", "validate", path, cwd=repo).code == 1
    forced = manni("meta", "validate", "--force-exclude", path, cwd=repo)
    assert forced.code == int(found), forced
    assert f"{int(found)} file" in forced.out
    below = manni("meta", "validate", "--force-exclude", Path(path).name, cwd=(repo / path).parent)
    assert below.code == int(found)
    asked = ("meta", "validate", "--force-exclude", "--exclude", f"{Path(path).parts[0]}/**", path)
    assert manni(*asked, cwd=repo).code == 0


def test_a_tracked_file_is_left_out_by_no_ignore_file(repo: Path, manni: Manni) -> None:
    import subprocess

    (repo / ".git").rmdir()
    subprocess.run(["git", "init", "-q", str(repo)], check=True)
    add(repo, ".gitignore", "*\n")
    add(repo, "a/SKILL.md", UNTIDY)
    assert manni("meta", "validate", "--force-exclude", "a/SKILL.md", cwd=repo).code == 0
    subprocess.run(["git", "-C", str(repo), "add", "-f", "a/SKILL.md"], check=True)
    assert manni("meta", "validate", "--force-exclude", "a/SKILL.md", cwd=repo).code == 1


def test_without_a_config_named_pages_are_no_artifacts(repo: Path, manni: Manni) -> None:
    add(repo, "README.md", "# About\n")
    add(repo, "a/SKILL.md")
    done = manni("meta", "validate", "--force-exclude", "README.md", "a/SKILL.md", cwd=repo)
    assert done.code == 0
    assert "1 file checked" in done.out
    assert manni("meta", "validate", "--force-exclude", "README.md", cwd=repo).code == 0


@pytest.mark.parametrize(
    ("config", "asked", "code"),
    [
        ("", (), 1),
        ("action: {fail-on: never}\n", (), 0),
        ("action: {fail-on: never}\n", ("--fail-on", "error"), 1),
        ("action: {fail-on: warning}\n", ("--fail-on", "never"), 0),
    ],
)
def test_what_fails_a_run(
    config: str, asked: tuple[str, ...], code: int, repo: Path, manni: Manni
) -> None:
    add(repo, "manni.config.yaml", f"{config}meta: {{schemas: ['anthropic:claude-skill:2.1']}}\n")
    add(repo, "a/SKILL.md", UNTIDY)
    assert manni("meta", "validate", "a", *asked, cwd=repo).code == code
