"""Whole runs: processes, slices, baselines, several reports."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import pytest

from support import Manni

CONFIG = """\
collections:
  - name: skills
    paths: ["skills/**/SKILL.md"]
meta:
  schemas: [anthropic:claude-skill:2.1]
"""


@pytest.fixture
def skills(repo: Path) -> Path:
    """Forty skills, of which each fifth has an effort that does not exist."""
    (repo / "manni.config.yaml").write_text(CONFIG, encoding="utf-8")
    for number in range(40):
        effort = "highest" if number % 5 == 0 else "low"
        skill = repo / "skills" / f"s{number:02}" / "SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text(f"---\nname: s{number}\neffort: {effort}\n---\n", encoding="utf-8")
    return repo


@pytest.mark.parametrize("format_", ["pretty", "json", "sarif", "github", "junit"])
def test_processes_change_nothing(format_: str, skills: Path, manni: Manni) -> None:
    one, four = (
        manni("meta", "validate", "-f", format_, "--jobs", jobs, cwd=skills) for jobs in "14"
    )
    assert one == four
    assert one.code == 1


def test_slices_are_the_whole(skills: Path, manni: Manni) -> None:
    whole = manni("meta", "validate", "-f", "json", cwd=skills).report["results"]
    slices = [
        manni("meta", "validate", "-f", "json", "--shard", f"{k}/4", cwd=skills).report["results"]
        for k in range(1, 5)
    ]
    assert all(slices)
    assert sorted(chain(*slices), key=lambda each: str(each["file"])) == whole


def test_baseline(skills: Path, manni: Manni) -> None:
    written = manni("meta", "validate", "--write-baseline", cwd=skills)
    assert written.code == 0
    assert "8 findings recorded in .manni-baseline.json" in written.err
    entries = json.loads((skills / ".manni-baseline.json").read_text(encoding="utf-8"))["entries"]
    assert list(entries) == [f"skills/s{number:02}/SKILL.md" for number in range(0, 40, 5)]
    assert manni("meta", "validate", "--no-baseline", cwd=skills).code == 1
    held = manni("meta", "validate", "--baseline", cwd=skills)
    assert held.code == 0
    assert held.out.endswith("0 errors, 8 in the baseline\n")
    mended = skills / "skills" / "s00" / "SKILL.md"
    mended.write_text("---\nname: s0\n---\n", encoding="utf-8")
    pruned = manni("meta", "validate", "--baseline", cwd=skills)
    assert pruned.out.endswith("7 in the baseline, 1 prunable from the baseline\n")
    missing = manni("meta", "validate", "--baseline", "absent.json", cwd=skills)
    assert (missing.code, missing.out) == (2, "")
    assert "absent.json" in missing.err


def test_several_reports(skills: Path, manni: Manni) -> None:
    done = manni(
        *("meta", "validate", "-f", "pretty", "-f", "sarif", "-o", "m.sarif"),
        *("-f", "json", "-o", "m.json"),
        cwd=skills,
    )
    assert done.out.startswith("Using manni.config.yaml (")
    assert done.err == ""
    log = json.loads((skills / "m.sarif").read_text(encoding="utf-8"))
    assert len(log["runs"][0]["results"]) == 8
    report = json.loads((skills / "m.json").read_text(encoding="utf-8"))
    assert report["summary"]["errors"] == 8
    unwritable = manni("meta", "validate", "-o", "absent/m.txt", cwd=skills)
    assert unwritable.code == 2
    assert "absent/m.txt" in unwritable.err


def test_no_verdict_still_parses(skills: Path, manni: Manni) -> None:
    for format_ in ("json", "sarif"):
        done = manni("meta", "validate", "absent.md", "-f", format_, cwd=skills)
        assert done.code == 2
        assert done.report
        assert done.err.startswith("manni: ")


def test_standard_input(tmp_path: Path, manni: Manni) -> None:
    text = b"---\nname: a\neffort: highest\n---\n"
    done = manni("meta", "validate", "-", "-s", "anthropic:claude-skill:2.1", stdin=text)
    assert done.out.startswith("✗ <stdin>\n    /effort  ")
    assert done.code == 1
