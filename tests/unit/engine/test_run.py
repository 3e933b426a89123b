from __future__ import annotations

from pathlib import Path

from manni.discovery.target import Target
from manni.engine.run import _is_in, run
from manni.engine.settings import Settings, Shard


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


def test_the_slices_of_a_matrix_share_the_work_evenly() -> None:
    names = [f"skills/skill-{number:06}/SKILL.md" for number in range(8_000)]
    targets = [Target(None, name, name, name) for name in names]
    slices = [[target for target in targets if _is_in(target, Shard(k, 8))] for k in range(1, 9)]
    assert sorted(target.key for each in slices for target in each) == names
    assert all(900 <= len(each) <= 1_100 for each in slices), [len(each) for each in slices]
