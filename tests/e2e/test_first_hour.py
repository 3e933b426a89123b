"""What somebody who has just met the tool does, and what it says."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from support import Manni

ROOT = Path(__file__).parents[2]
TIDY = "---\nname: tidy\ndescription: Tidies up.\n---\n"
SKILLS = "collections: [{name: skills, paths: ['**/SKILL.md'], exclude: ['drafts/**']}]\n"
OPEN = "agentskills:skill:1.0"
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


def annotated(manni: Manni, repo: Path, text: str, *schemas: str) -> str:
    add(repo, "a/SKILL.md", text)
    asked = [part for schema in schemas for part in ("-s", schema)]
    return manni("meta", "validate", "a/SKILL.md", *asked, "-f", "github", cwd=repo).out


def test_a_misspelled_name_is_one_annotation(repo: Path, manni: Manni) -> None:
    text = "---\nmetadata:\n  evals:\n  - id: b\n    asertion: x\n    grader: ai\n---\n"
    lines = annotated(manni, repo, text, "manni:artifact-evals:1.0.0").splitlines()
    [line] = [line for line in lines if line.startswith("::error")]
    assert "additional property 'asertion'; rename it to 'assertion'" in line
    done = manni(
        "meta", "validate", "a", "-s", "manni:artifact-evals:1.0.0", "-f", "json", cwd=repo
    )
    keywords = [each["keyword"] for each in done.report["results"][0]["errors"]]
    assert {"required", "additionalProperties"} <= set(keywords)
    assert any("prefers external metadata. It may stay" in line for line in lines)


def test_a_near_miss_beneath_alternatives(repo: Path, manni: Manni) -> None:
    evals = "  evals:\n  - id: b\n    assertion: x\n    grader: tool-useage\n"
    overlay = "manni:artifact-evals-strict:1.0.0"
    said = annotated(manni, repo, f"---\nmetadata:\n{evals}---\n", overlay)
    assert "did you mean 'tool-usage'?" in said


@pytest.mark.parametrize("value", ["", "~", "null"])
def test_an_empty_value_needs_one(value: str, repo: Path, manni: Manni) -> None:
    text = f"---\nname: {value}\n---\n"
    said = annotated(manni, repo, text, "anthropic:claude-skill:2.1")
    assert "must be string; use a string; it needs a value" in said


def test_what_has_no_front_matter_is_told_first(repo: Path, manni: Manni) -> None:
    said = annotated(manni, repo, "# Tidy\n", "agentskills:skill:1.0")
    assert "'name'; there is no front matter; start the file with a block between two lines" in said


def test_a_key_that_the_standard_does_not_know(repo: Path, manni: Manni) -> None:
    text = TIDY.replace("name: tidy\n", "name: tidy\nversion: 1\n")
    said = annotated(manni, repo, text, "agentskills:skill:1.0")
    assert "remove 'version', or put it under metadata" in said


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("name a\ndescription: x\n", 2),
        ("name: a\ndescription x\n", 3),
        ("name: a\ndescription x\neffort: low\n", 3),
        ("name: a\nmetadata:\n  a: 1\ndescription x\neffort: low\n", 5),
    ],
)
def test_a_key_without_its_colon(text: str, line: int, repo: Path, manni: Manni) -> None:
    said = annotated(manni, repo, f"---\n{text}---\n", "anthropic:claude-skill:2.1")
    assert f"file=a/SKILL.md,line={line}," in said, said


def hook(name: str) -> tuple[list[str], str]:
    """The command of a hook of `.pre-commit-hooks.yaml`, and the pattern of its files."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    [found] = [each for each in hooks if each["id"] == name]
    program, *command = found["entry"].split()
    assert program == "manni"
    return command, found.get("files", "$.")


@pytest.mark.parametrize(
    "config",
    [
        "",
        f"{SKILLS}meta: {{overrides: [{{collection: skills, schemas: [{OPEN}]}}]}}\n",
    ],
)
def test_the_hook_passes_over_what_is_no_artifact(config: str, repo: Path, manni: Manni) -> None:
    command, pattern = hook("manni")
    names = ["README.md", "docs/a.mdx", "src/main.py", "a/SKILL.md", ".claude/agents/README.md"]
    for name in names:
        add(repo, name, "# Text\n" if "SKILL" not in name else TIDY)
    if config:
        add(repo, "manni.config.yaml", config)
        names.append("drafts/b/SKILL.md")
        add(repo, names[-1], UNTIDY)
    chosen = [name for name in names if re.search(pattern, name)]
    assert "src/main.py" not in chosen
    done = manni(*command, *chosen, cwd=repo)
    assert (done.code, "1 file checked, 1 passed" in done.out) == (0, True), done
    add(repo, "a/SKILL.md", UNTIDY)
    assert manni(*command, *chosen, cwd=repo).code == 1
    assert manni(*command, "README.md", cwd=repo).code == 0


def test_without_a_config_documents_may_name_their_own_schemas(repo: Path, manni: Manni) -> None:
    own = '---\n"$schema": agentskills:skill:1.0\nname: own\n---\n'
    for name, text in {
        "a.md": own,
        "b.md": "# B\n",
        "docs/c.mdx": TIDY,
        "s/SKILL.md": TIDY,
    }.items():
        add(repo, name, text)
    done = manni("meta", "validate", ".", "--no-config", cwd=repo)
    assert done.code == 1
    assert "2 files checked" in done.out
    assert "a.md\n    (root)  must have required property 'description'" in done.out
    assert "notice: 2 documents without $schema left out (b.md, docs/c.mdx); -s" in done.err
    empty = manni("meta", "validate", "docs", "--no-config", cwd=repo)
    assert (empty.code, empty.out) == (2, "")
    assert "there is nothing to check: 1 document without $schema left out" in empty.err
    assert manni("meta", "validate", "docs", "--no-config", "--allow-empty", cwd=repo).code == 0
    named = manni("meta", "validate", "b.md", "--no-config", cwd=repo)
    assert (named.code, "schema" in named.out) == (1, True)


@pytest.mark.parametrize("value", ["1.10", "007", "1e3", "0o17", "True", "[topic]"])
def test_quoting_keeps_the_spelling(value: str, repo: Path, manni: Manni) -> None:
    text = TIDY.replace("Tidies up.", value)
    said = annotated(manni, repo, text, "agentskills:skill:1.0")
    assert f'"{value}"' in said
