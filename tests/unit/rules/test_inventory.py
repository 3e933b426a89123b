"""Names that several artifacts have, and skills that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from manni.discovery.kinds import BY_ID
from manni.discovery.target import Target
from manni.rules.checks.inventory import Names, duplicate_names, names_of, unknown_skills
from support import Manni


def at(path: str, kind: str, tree: str = "t") -> Target:
    return Target(path, path, path, path, kind=kind, tree=tree)


AGENT, SKILL = "claude-agent", "claude-skill"


@pytest.mark.parametrize(
    ("kind", "value", "names"),
    [
        (AGENT, {"name": "a", "skills": "x, y,x,"}, Names("a", ("x", "y"))),
        (AGENT, {"skills": ["x", 1, " ", "x"]}, Names(None, ("x",))),
        (AGENT, {"name": 1, "skills": {"x": 1}}, None),
        (SKILL, {"name": "a", "skills": ["x"]}, Names("a")),
        ("claude-command", {"name": "a"}, None),
    ],
)
def test_names(kind: str, value: dict[str, object], names: Names | None) -> None:
    assert names_of(BY_ID[kind], value) == names


def test_a_name_counts_once_for_each_kind_and_tree() -> None:
    found = [
        (at("a", AGENT), Names("x")),
        (at("b", AGENT), Names("x")),
        (at("c", AGENT, "u"), Names("x")),
        (at("d", "cursor-agent"), Names("x")),
        (at("e", AGENT), Names("y")),
        (at("f", AGENT), Names(None, ("x",))),
        (at("g", AGENT), Names("x")),
        (at("h", AGENT, ""), Names("x")),
        (at("i", AGENT, ""), Names("x")),
    ]
    told = duplicate_names(found)
    assert set(told) == {"b", "g"}
    assert {named.message for each in told.values() for named in each} == {
        "`x` is also the name of `a`, and the host keeps one of them; give each a name of its own"
    }


def test_skills_are_known_by_name_and_by_folder() -> None:
    agent = at("a.md", AGENT)
    skills = ("tidy", "named", "plugin:x", "group/tidy", "tidi", "\x1b")
    found = [(agent, Names("a", skills)), (at("s/x/SKILL.md", SKILL), Names("named"))]
    placed = [agent, at("s/tidy/SKILL.md", SKILL), at("s/x/SKILL.md", SKILL)]
    [(key, named)] = unknown_skills(found, placed).items()
    assert key == "a.md"
    said = "is no skill of this repository, so that the agent starts without it;"
    assert [each.message for each in named] == [
        f"`tidi` {said} did you mean `tidy`?",
        f"`\\x1b` {said} correct the name, or add the skill",
    ]
    assert unknown_skills(found, [agent]) == {}


FILES = {
    ".claude/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies.\n---\n",
    ".claude/agents/a.md": "---\nname: same\ndescription: d\nskills: [tidy, tydi]\n---\n",
    ".claude/agents/x/b.md": "---\ndescription: d\nname: same\n---\n",
    ".claude/agents/x/c.md": "---\ndescription: e\nname: same\n---\n",
    ".claude/agents/broken.md": "---\nname: a\n  b: [\n---\n",
    ".claude/agents/own.md": '---\n"$schema": agentskills:skill:1.0\nname: same\n'
    "description: d\n---\n",
}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def told(manni: Manni, repo: Path, *options: str) -> set[tuple[str, str, int]]:
    report = manni("meta", "validate", "-f", "json", *options, cwd=repo).report
    return {
        (result["file"], error["keyword"], error["line"])
        for result in report["results"]
        for error in result["errors"]
        if error["schema"] == "manni"
    }


WHOLE = {
    (".claude/agents/a.md", "unknown-skill", 4),
    (".claude/agents/x/b.md", "duplicate-name", 3),
    (".claude/agents/x/c.md", "duplicate-name", 3),
}


def test_slices_together_tell_what_the_whole_does(manni: Manni, repo: Path) -> None:
    assert told(manni, repo) == WHOLE
    assert told(manni, repo, "--jobs", "2") == WHOLE
    slices = [told(manni, repo, "--shard", f"{index}/3") for index in (1, 2, 3)]
    assert set.union(*slices) == WHOLE
    assert slices[0] == WHOLE


def test_a_part_of_the_repository_says_nothing_of_skills(manni: Manni, repo: Path) -> None:
    assert told(manni, repo, ".claude/agents") == WHOLE - {
        (".claude/agents/a.md", "unknown-skill", 4)
    }
    assert told(manni, repo, "--exclude", "nothing") == told(manni, repo, ".claude/agents")
