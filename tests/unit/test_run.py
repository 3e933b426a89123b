from __future__ import annotations

from pathlib import Path

from manni.run import run
from manni.settings import Settings


def test_a_given_root_stands_in_for_one_that_git_shows(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "SKILL.md").write_text("---\nname: a\n---\n", encoding="utf-8")
    settings = Settings(cwd=inner, paths=("SKILL.md",), schemas=("anthropic:claude-skill:2.1",))
    [alone] = run(settings).results
    assert (alone.label, alone.root_path) == ("SKILL.md", "SKILL.md")
    given = Settings(cwd=inner, root=tmp_path, paths=settings.paths, schemas=settings.schemas)
    [rooted] = run(given).results
    assert (rooted.label, rooted.root_path) == ("SKILL.md", "inner/SKILL.md")
    (inner / ".git").mkdir()
    [found] = run(given).results
    assert found.root_path == "SKILL.md"
