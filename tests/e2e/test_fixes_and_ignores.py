"""What `--fix`, `--diff`, comments and choices of rules do to a whole run."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from support import Manni

ROOT = Path(__file__).parents[2]
SKILL = "anthropic:claude-skill:2.1"
QUOTED = f"effort: extreme # manni: ignore[{SKILL}/enum] until the next release\n"


def skill(root: Path, name: str, block: str) -> Path:
    path = root / ".claude" / "skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = f"---\nname: {name}\ndescription: Does it. Use it now.\n{block}---\nbody\n"
    path.write_bytes(text.encode())
    return path


@pytest.fixture
def faulty(repo: Path) -> Path:
    """A repository with faults that have safe fixes, guesses, and none."""
    skill(repo, "parse", "license: MIT: or so\n")
    skill(repo, "safe", "license: 1.10 # mine\r\n")
    skill(repo, "guess", "effort: hihg\n")
    skill(repo, "none", "effort: extreme\n")
    skill(repo, "good", "")
    return repo


def contents(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*.md"))
        if path.is_file()
    }


def test_safe_fixes_then_all_and_never_twice(manni: Manni, faulty: Path) -> None:
    before = contents(faulty)
    first = manni("meta", "validate", "--fix", "-q", cwd=faulty)
    assert first.code == 1
    assert first.out.endswith(
        "5 files checked, 3 passed, 2 failed, 2 errors, 2 fixed, 2 remaining\n"
    )
    after = contents(faulty)
    changed = [name for name in before if before[name] != after[name]]
    assert [Path(name).parent.name for name in changed] == ["parse", "safe"]
    assert b'license: "1.10" # mine\r\n' in after[changed[1]]
    again = manni("meta", "validate", "--fix", "-q", cwd=faulty)
    assert "0 fixed, 2 remaining" in again.out
    assert contents(faulty) == after
    rest = manni("meta", "validate", "--unsafe-fixes", "-f", "json", cwd=faulty)
    assert rest.report["summary"]["fixed"] == 1
    assert rest.report["summary"]["errors"] == 1
    assert b"effort: high\n" in (faulty / ".claude/skills/guess/SKILL.md").read_bytes()


@pytest.mark.parametrize("option", ["--fix", "--unsafe-fixes"])
@pytest.mark.parametrize("directory", [".", ".claude"])
def test_the_diff_is_what_the_fixes_do(
    manni: Manni, faulty: Path, option: str, directory: str
) -> None:
    subprocess.run(["git", "init", "-q", "."], cwd=faulty, check=True)
    cwd, before = faulty / directory, contents(faulty)
    arguments = ("meta", "validate", *(() if directory == "." else ("skills",)))
    shown = manni(*arguments, option, "--diff", cwd=cwd)
    assert shown.code == 1
    assert "would mend" in shown.err
    assert contents(faulty) == before
    subprocess.run(["git", "apply", "-"], input=shown.out.encode(), cwd=cwd, check=True)
    applied = contents(faulty)
    for name, data in before.items():
        (faulty / name).write_bytes(data)
    manni(*arguments, option, cwd=cwd)
    assert contents(faulty) == applied != before
    clean = manni(*arguments, option, "--diff", cwd=cwd)
    assert (clean.code, clean.out) == (1, "")  # errors are left


def test_a_diff_beside_a_report(manni: Manni, faulty: Path) -> None:
    done = manni("meta", "validate", "--diff", "-f", "json", "-o", "r.json", cwd=faulty)
    assert done.out.startswith("diff --git a/.claude/skills/parse/SKILL.md ")
    assert json.loads((faulty / "r.json").read_text())["summary"]["errors"] == 4
    refused = manni("meta", "validate", "--diff", "-f", "json", cwd=faulty)
    assert refused.code == 2
    assert "-o" in refused.err


def test_standard_input_is_shown_and_never_written(manni: Manni, repo: Path) -> None:
    data = b"---\nname: a\ndescription: b\nlicense: 1.10\n---\n"
    arguments = ("meta", "validate", "-", "-s", SKILL)
    refused = manni(*arguments, "--fix", cwd=repo, stdin=data)
    assert refused.code == 2
    assert "--diff shows them" in refused.err
    assert '+license: "1.10"\n' in manni(*arguments, "--diff", cwd=repo, stdin=data).out


def test_a_link_out_of_the_repository_is_left_alone(manni: Manni, repo: Path) -> None:
    outside = repo.parent / "SKILL.md"
    outside.write_text("---\nname: a\ndescription: b\nlicense: 1.10\n---\n")
    (repo / "SKILL.md").symlink_to(outside)
    done = manni("meta", "validate", "SKILL.md", "-s", SKILL, "--fix", cwd=repo)
    assert done.code == 1
    assert "license: 1.10" in outside.read_text()


def test_a_file_and_a_link_to_it_are_mended_once(manni: Manni, repo: Path) -> None:
    path = skill(repo, "safe", "license: 1.10\n")
    (repo / "link.md").symlink_to(path)
    done = manni("meta", "validate", "link.md", str(path), "-s", SKILL, "--fix", cwd=repo)
    assert (done.code, done.err) == (0, "")
    assert (repo / "link.md").is_symlink()


def test_a_file_that_cannot_be_written_is_told(manni: Manni, repo: Path) -> None:
    path = skill(repo, "safe", "license: 1.10\n")
    path.chmod(0o444)
    done = manni("meta", "validate", "--fix", cwd=repo)
    assert done.code == 1
    assert ".claude/skills/safe/SKILL.md: it is write-protected" in done.err
    assert "0 fixed, 1 remaining" in done.out


@pytest.mark.parametrize("options", [(), ("--jobs", "2")])
def test_values_of_manifests_are_not_mended_in_the_page(
    manni: Manni, repo: Path, options: tuple[str, ...]
) -> None:
    page = skill(repo, "safe", "license: 1.10\n")
    key = page.relative_to(repo).as_posix()
    (repo / "m.yaml").write_text(f"{key}:\n  compatibility: 2\n")
    (repo / "manni.config.yaml").write_text(
        "collections:\n  - name: c\n    paths: ['.claude/**/SKILL.md']\n"
        "    externalMetadata: [{file: m.yaml, keys: [compatibility]}]\n"
        f"meta: {{schemas: ['{SKILL}']}}\n"
    )
    done = manni("meta", "validate", "--unsafe-fixes", "-f", "json", *options, cwd=repo)
    assert [each["instancePath"] for each in done.report["results"][0]["errors"]] == [
        "/compatibility"
    ]
    assert 'license: "1.10"' in page.read_text()
    assert "compatibility: 2" in (repo / "m.yaml").read_text()


def sarif(text: str) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = json.loads(text)["runs"][0]["results"]
    return results


def test_an_ignored_finding_is_counted_and_listed_and_no_more(manni: Manni, repo: Path) -> None:
    skill(repo, "a", QUOTED)
    pretty = manni("meta", "validate", cwd=repo)
    assert pretty.code == 0
    assert pretty.out.endswith("1 file checked, 1 passed, 0 failed, 0 errors, 1 ignored\n")
    report = manni("meta", "validate", "-f", "json", cwd=repo).report
    assert report["summary"]["suppressed"] == 1
    [listed] = report["results"][0]["suppressed"]
    assert (listed["keyword"], listed["line"]) == ("enum", 4)
    assert listed["reason"] == "until the next release"
    assert report["results"][0]["errors"] == []
    assert manni("meta", "validate", "-f", "github", cwd=repo).out == ""
    assert sarif(manni("meta", "validate", "-f", "sarif", cwd=repo).out) == []
    kept = manni("meta", "validate", "-f", "sarif", "--sarif-suppressed", cwd=repo)
    assert kept.code == 0
    [result] = sarif(kept.out)
    assert result["suppressions"] == [
        {"kind": "inSource", "status": "accepted", "justification": "until the next release"}
    ]
    assert "primaryLocationLineHash" in result["partialFingerprints"]
    schema = json.loads((ROOT / "schemas" / "report.schema.json").read_text())
    assert jsonschema_rs.validator_for(schema).is_valid(report)
    counted = manni("meta", "validate", "--no-inline-ignores", cwd=repo)
    assert counted.code == 1
    assert "ignored" not in counted.out


def test_a_stale_comment_is_a_warning_that_fix_removes(manni: Manni, repo: Path) -> None:
    path = skill(repo, "a", QUOTED.replace("extreme", "high"))
    found = manni("meta", "validate", "-f", "json", cwd=repo)
    assert found.code == 0
    [warning] = found.report["results"][0]["errors"]
    assert (warning["schema"], warning["keyword"]) == ("manni", "unused-ignore")
    given = manni("meta", "validate", "-s", SKILL, "--fix", cwd=repo)
    assert given.out.endswith("0 errors, 0 fixed, 0 remaining\n")
    assert "ignore[" in path.read_text()
    assert manni("meta", "validate", "--fix", cwd=repo).code == 0
    assert "effort: high\n" in path.read_text()


def test_a_parse_error_is_no_comments_business(manni: Manni, repo: Path) -> None:
    skill(repo, "a", "# manni: ignore-file[*] all is well\nlicense: a: b\n")
    done = manni("meta", "validate", cwd=repo)
    assert done.code == 1
    assert "ignored" not in done.out
    off = manni("meta", "validate", "--ignore", "manni/parse-error", cwd=repo)
    assert off.code == 0
    assert "1 switched off" in off.out
    selected = manni("meta", "validate", "--select", "manni/malformed-fence", cwd=repo)
    assert selected.code == 1


def test_the_config_chooses_and_the_command_line_wins(manni: Manni, repo: Path) -> None:
    skill(repo, "a", "effort: extreme\nlicense: 1\n")
    skill(repo, "vendored", "effort: extreme\nlicense: 1\n")
    (repo / "manni.config.yaml").write_text(
        "collections:\n  - {name: c, paths: ['.claude/**/SKILL.md']}\n"
        f"meta: {{schemas: ['{SKILL}']}}\n"
        "action:\n"
        f"  severity: {{'{SKILL}/enum': warning}}\n"
        f"  per-file-ignores: {{'.claude/skills/vendored/**': ['{SKILL}/*']}}\n"
    )
    for jobs in ("1", "2"):
        done = manni("meta", "validate", "--jobs", jobs, cwd=repo)
        assert done.out.endswith(
            "2 files checked, 1 passed, 1 failed, 1 error, 1 warning, 2 switched off\n"
        )
    levels = ("--severity", f"{SKILL}/enum=off", "--severity", "*/type=notice")
    done = manni("meta", "validate", *levels, cwd=repo)
    assert done.out.endswith("0 errors, 1 notice, 3 switched off\n")
    one = manni("meta", "validate", "--select", f"{SKILL}/type,manni/*", cwd=repo)
    assert one.out.endswith("1 error, 3 switched off\n")


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (("--ignore", "manni/parse-eror"), "manni/parse-error"),
        (("--select", f"{SKILL}/enums"), f"{SKILL}/enum"),
        (("--select", "anthropic:claude-skil:2.1"), SKILL),
        (("--severity", "anthropic:claude-skil:2.1/type=off"), f"{SKILL}/type"),
        (("--severity", "manni/parse-error=of"), "off"),
        (("--severity", "manni/parse-error"), "RULE=LEVEL"),
        (("--ignore", ","), "empty"),
    ],
)
def test_what_does_not_exist_is_told_the_nearest(
    manni: Manni, repo: Path, arguments: tuple[str, ...], near: str
) -> None:
    skill(repo, "a", "")
    done = manni("meta", "validate", *arguments, cwd=repo)
    assert (done.code, done.out) == (2, "")
    assert near in done.err


def test_an_unknown_rule_of_the_config_names_it(manni: Manni, repo: Path) -> None:
    (repo / "x.schema.json").write_text("{}")
    config = "collections: [{name: c, paths: ['*.md']}]\nmeta: {schemas: [x.schema.json]}\n"
    (repo / "a.md").write_text("---\na: 1\n---\n")
    path = repo / "manni.config.yaml"
    path.write_text(config + "action: {ignore: [x.schema.json/type, x.schema.json, '*/nothing']}\n")
    assert manni("meta", "validate", cwd=repo).code == 0
    path.write_text(config + "action: {per-file-ignores: {'*.md': [manni/parse]}}\n")
    done = manni("meta", "validate", cwd=repo)
    assert done.code == 2
    assert "manni.config.yaml: `action.per-file-ignores` names 'manni/parse'" in done.err


def test_slices_and_processes_find_the_same(manni: Manni, faulty: Path) -> None:
    skill(faulty, "kept", QUOTED)
    skill(faulty, "stale", QUOTED.replace("extreme", "low"))

    def found(*options: str) -> list[dict[str, Any]]:
        done = manni("meta", "validate", "-f", "json", *options, cwd=faulty)
        results: list[dict[str, Any]] = done.report["results"]
        return results

    alone = found("--jobs", "1")
    assert found("--jobs", "3") == alone
    sliced = [each for shard in ("1/3", "2/3", "3/3") for each in found("--shard", shard)]
    assert sorted(sliced, key=lambda each: str(each["file"])) == alone
    fixed = found("--jobs", "3", "--fix")
    assert [each["file"] for each in fixed if not each["ok"]] == [
        f".claude/skills/{name}/SKILL.md" for name in ("guess", "none")
    ]


def test_a_step_lists_what_is_ignored_and_changes_no_file(
    manni: Manni, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = skill(repo, "a", QUOTED.replace("until", "::error::x ![](y) until") + "license: 1.10\n")
    before = path.read_bytes()
    summary = repo.parent / "summary.md"
    environ = {
        "GITHUB_WORKSPACE": str(repo),
        "GITHUB_STEP_SUMMARY": str(summary),
        "INPUT_PATHS": ".claude/skills/a/SKILL.md",
        "INPUT_JSON-FILE": "r.json",
    }

    def step(**inputs: str) -> list[str]:
        for name, value in {**environ, **inputs}.items():
            monkeypatch.setenv(name, value)
        done = manni("action", cwd=repo)
        return [line for line in done.out.splitlines() if line.startswith("::error")]

    [told] = step()
    assert "must be string" in told
    text = summary.read_text()
    assert "### Ignored by comments" in text
    assert "Reason: `::error::x ![](y) until the next release`" in text
    assert sarif((repo / "manni.sarif").read_text())[0]["ruleId"] == f"{SKILL}/type"
    assert len(step(**{"INPUT_INLINE-IGNORES": "false"})) == 2
    step(**{"INPUT_INLINE-IGNORES": "true", "INPUT_SARIF-SUPPRESSED": "true"})
    assert len(sarif((repo / "manni.sarif").read_text())) == 2
    [refused] = step(INPUT_ARGS="--fix")
    assert "a step changes no file" in refused
    assert path.read_bytes() == before


@pytest.mark.parametrize("options", [(), ("--jobs", "2"), ("--shard", "1/1")])
def test_what_shows_late_can_be_ignored_too(
    manni: Manni, repo: Path, options: tuple[str, ...]
) -> None:
    directory = repo / ".claude" / "agents"
    directory.mkdir(parents=True)
    note = "# manni: ignore-file[manni/duplicate-name] on purpose\n"
    for name in ("a", "b"):
        text = f"---\nname: a\ndescription: Does it. Use it now.\n{note}---\n"
        (directory / f"{name}.md").write_text(text)
    done = manni("meta", "validate", "-f", "json", *options, cwd=repo)
    first, second = done.report["results"]
    assert first["errors"] == second["errors"] == []
    assert [each["keyword"] for each in second["suppressed"]] == ["duplicate-name"]
    counted = manni("meta", "validate", "--no-inline-ignores", *options, cwd=repo)
    assert "1 warning" in counted.out
