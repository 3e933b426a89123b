"""The commands of `docs/living-with-findings.md` print what the page shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from support import Manni

PAGE = Path(__file__).parents[2] / "docs" / "living-with-findings.md"
_CONSOLE = re.compile(r"```console\n\$ (.*)\n(?s:(.*?))```\n")


def blocks(language: str, text: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```\n", text, re.DOTALL)


def test_the_page(manni: Manni, repo: Path, request: pytest.FixtureRequest) -> None:
    text = PAGE.read_text(encoding="utf-8")
    path = repo / "skills" / "notes" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(blocks("markdown", text)[0], encoding="utf-8")

    def rerun(match: re.Match[str]) -> str:
        done = manni(*shlex.split(match[1])[1:], cwd=repo)
        told = "".join(f"{line}\n" for line in done.err.splitlines())
        return f"```console\n$ {match[1]}\n{told}{done.out}```\n"

    found = _CONSOLE.sub(rerun, text)
    if request.config.getoption("--update-golden"):
        PAGE.write_text(found, encoding="utf-8")
    else:
        assert found == text
    assert len(_CONSOLE.findall(text)) == 7


def test_the_comments_and_configs_of_the_page(manni: Manni, repo: Path) -> None:
    comment, files, rules = blocks("yaml", PAGE.read_text(encoding="utf-8"))
    skill = repo / "SKILL.md"
    skill.write_text(f"---\nname: a\ndescription: b\n{comment}---\n", encoding="utf-8")
    config = repo / "manni.config.yaml"
    base = (
        "collections: [{name: c, paths: [SKILL.md]}]\n"
        "meta: {schemas: ['anthropic:claude-skill:2.1']}\n"
    )
    config.write_text(base)
    assert manni("meta", "validate", cwd=repo).out.endswith("0 errors, 2 ignored\n")
    for section in (files, rules):
        config.write_text(base + section)
        counted = manni("meta", "validate", "--no-inline-ignores", "-q", cwd=repo)
        expected = "2 errors" if section is files else "1 error, 1 warning"
        assert counted.out.endswith(f"{expected}\n")
