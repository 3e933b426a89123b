"""Which kind a path is of, and what a run by kinds finds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from manni.discovery.kinds import BY_ID, KINDS, Kind, unknown_kind
from manni.discovery.kinds_page import page
from manni.discovery.recognition import Recognizer
from manni.discovery.targets import Targets, resolve_targets
from manni.engine.settings import Settings
from manni.model.config import Action, Collection, CollectionKind, Config
from manni.model.findings import Place, Span
from manni.schemas import builtin
from manni.schemas.keys import keys_of
from manni.schemas.selection import Selector
from manni.validation import compile_schema

ROOT = Path(__file__).parents[3]

PATHS = {
    ".agents/skills/a/SKILL.md": "portable-skill",
    "x/.opencode/skill/a/SKILL.md": "portable-skill",
    ".claude/skills/a/SKILL.md": "claude-skill",
    "skills/deep/er/a/SKILL.md": "claude-skill",
    "SKILL.md": "claude-skill",
    ".claude/agents/a.md": "claude-agent",
    "x/.claude/agents/y/z/a.md": "claude-agent",
    ".claude/agents/a/SKILL.md": "claude-agent",
    ".claude/agents/.agents/skills/a/SKILL.md": "portable-skill",
    ".claude/agents/a.agent.md": "claude-agent",
    ".claude/commands/git/a.md": "claude-command",
    ".claude/rules/a/b.instructions.md": "claude-rule",
    ".claude/output-styles/a.md": "claude-output-style",
    ".claude/output-styles/x/a.md": None,
    ".github/agents/a.md": "copilot-agent",
    "agents/a.agent.md": "copilot-agent",
    ".github/chatmodes/a.chatmode.md": "copilot-agent",
    "a.instructions.md": "copilot-instructions",
    ".cursor/rules/a.instructions.md": "copilot-instructions",
    ".github/prompts/a.prompt.md": "copilot-prompt",
    ".prompt.md": None,
    ".cursor/rules/x/a.mdc": "cursor-rule",
    ".cursor/rules/a.md": None,
    "a.mdc": None,
    ".cursor/agents/a.md": "cursor-agent",
    ".cursor/agents/x/a.md": None,
    ".cursor/commands/x/a.md": "cursor-command",
    ".gemini/agents/a.md": "gemini-agent",
    ".gemini/agents/_a.md": None,
    ".opencode/agents/x/a.md": "opencode-agent",
    ".opencode/command/a.md": "opencode-command",
    ".kiro/steering/a.md": "kiro-steering",
    ".kiro/agents/x/a.md": "kiro-agent",
    ".windsurf/rules/a.md": "windsurf-rule",
    ".agents/rules/x/a.md": "windsurf-rule",
    ".clinerules/x/a.md": "cline-rule",
    ".agents/agents/a.md": "antigravity-agent",
    ".qwen/agents/a.md": "qwen-agent",
    ".factory/droids/a.md": "factory-droid",
    ".factory/droids/x/a.md": None,
    ".junie/agents/a.md": "junie-agent",
    ".augment/agents/a.md": "augment-agent",
    ".augment/rules/a.md": "augment-rule",
    ".roo/commands/a.md": "roo-command",
    ".claude/agents/README.md": None,
    ".claude/agents/x/readme.md": None,
    ".claude/rules/CLAUDE.md": None,
    ".github/agents/AGENTS.md": None,
    ".Claude/agents/a.md": None,
    "agents/a.md": None,
    ".claude/agents/a.txt": None,
    "docs/page.md": None,
}


def _write(top: Path, *names: str, **texts: str) -> None:
    for name, text in {**dict.fromkeys(names, ""), **texts}.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text, encoding="utf-8")


def _targets(top: Path, *paths: str, config: Config | None = None, **more: object) -> Targets:
    settings = Settings(cwd=top, paths=paths, allow_empty=True, **more)  # type: ignore[arg-type]
    return resolve_targets(settings, config, top)


def _kinds(top: Path, *paths: str, config: Config | None = None) -> dict[str, str | None]:
    return {each.label: each.kind for each in _targets(top, *paths, config=config).items}


@pytest.mark.parametrize("path", PATHS)
def test_a_path_has_its_kind_wherever_it_is_reached_from(path: str, tmp_path: Path) -> None:
    _write(tmp_path, path)
    kind = PATHS[path]
    assert _kinds(tmp_path) == ({path: kind} if kind else {})
    assert _kinds(tmp_path, path) == {path: kind}


def test_one_walk_finds_all_kinds(tmp_path: Path) -> None:
    # Where all of these lie together, the skill at the top is nobody's material and hides none.
    _write(tmp_path, *PATHS)
    assert _kinds(tmp_path) == {path: kind for path, kind in sorted(PATHS.items()) if kind}


class TestSkills:
    def test_one_below_another_skill_is_its_material(self, tmp_path: Path) -> None:
        _write(
            tmp_path,
            "skills/a/SKILL.md",
            "skills/a/templates/SKILL.md",
            "skills/a/x/y/skills/b/SKILL.md",
            "skills/a/.claude/skills/c/SKILL.md",
            "skills/SKILL.md",
            "skills/lower/skill.md",
            "skills/lower/templates/SKILL.md",
        )
        wanted = {
            "skills/SKILL.md": "claude-skill",
            "skills/a/.claude/skills/c/SKILL.md": "claude-skill",
            "skills/a/SKILL.md": "claude-skill",
            "skills/lower/skill.md": "claude-skill",
        }
        assert _kinds(tmp_path) == wanted
        assert _kinds(tmp_path, "skills") == wanted
        inside = Settings(cwd=tmp_path / "skills" / "a")
        assert [each.label for each in resolve_targets(inside, None, tmp_path).items] == [
            ".claude/skills/c/SKILL.md",
            "SKILL.md",
        ]

    @pytest.mark.parametrize("name", ["skill.md", "Skill.md", "SKILL.MD"])
    def test_its_name_in_another_case(self, name: str, tmp_path: Path) -> None:
        _write(tmp_path, f".agents/skills/a/{name}", f"skill/b/{name}", f"docs/{name}")
        assert _kinds(tmp_path) == {
            f".agents/skills/a/{name}": "portable-skill",
            f"skill/b/{name}": "claude-skill",
        }
        _write(tmp_path, ".agents/skills/a/SKILL.md", "skill/b/SKILL.md")
        assert set(_kinds(tmp_path)) == {".agents/skills/a/SKILL.md", "skill/b/SKILL.md"}


class TestPlugins:
    def test_its_folders_and_what_it_names(self, tmp_path: Path) -> None:
        named = {
            "agents": ["./team", "./one.md", "../out.md", "/etc", "rel.md", 7, "./a\0b", "./"],
            "commands": {"go": {"source": "./cmd/go.md"}, "no": {"content": "x"}, "bad": 1},
            "outputStyles": "./looks",
        }
        _write(
            tmp_path,
            *(f"p/{name}.md" for name in ("agents/x/a", "commands/a", "output-styles/a")),
            *(f"p/{name}.md" for name in ("team/x/a", "one", "rel", "cmd/go", "cmd/other")),
            *(f"p/{name}.md" for name in ("looks/a", "looks/x/a", "team/.claude/rules/a")),
            *("p/team/README.md", "out.md", "q/agents/a.md"),
            **{"p/.claude-plugin/plugin.json": json.dumps(named)},
        )
        found = {each.label: (each.kind, each.in_plugin) for each in _targets(tmp_path).items}
        assert found == {
            "p/agents/x/a.md": ("claude-agent", True),
            "p/cmd/go.md": ("claude-command", True),
            "p/commands/a.md": ("claude-command", True),
            "p/looks/a.md": ("claude-output-style", True),
            "p/one.md": ("claude-agent", True),
            "p/output-styles/a.md": ("claude-output-style", True),
            "p/team/.claude/rules/a.md": ("claude-rule", False),
            "p/team/x/a.md": ("claude-agent", True),
        }

    @pytest.mark.parametrize(
        "text",
        ["", "[]", "{", "[" * 100_000, '{"agents": NaN}', '"\\ud800"', f'{{"x": "{"y" * 2**20}"}}'],
    )
    def test_a_wrong_file_names_nothing(self, text: str, tmp_path: Path) -> None:
        _write(tmp_path, "agents/a.md", "x/a.md", **{".claude-plugin/plugin.json": text})
        assert _kinds(tmp_path) == {"agents/a.md": "claude-agent"}

    def test_a_file_outside_is_not_opened(self, tmp_path: Path) -> None:
        top = tmp_path / "top"
        _write(top, "agents/a.md", "x/a.md")
        _write(tmp_path, **{"plugin.json": '{"agents": "./x"}'})
        (top / ".claude-plugin").mkdir()
        (top / ".claude-plugin/plugin.json").symlink_to("../../plugin.json")
        assert _kinds(top) == {"agents/a.md": "claude-agent"}


class TestLinks:
    def test_to_nowhere_are_told_where_a_host_looks(self, tmp_path: Path) -> None:
        _write(tmp_path, ".claude/agents/a.md", ".claude/skills/x/SKILL.md", "p/skills/a/SKILL.md")
        _write(tmp_path, "p/.claude-plugin/plugin.json")
        for name in (
            *(".claude/agents/gone.md", ".claude/skills/gone", ".claude/commands", "p/skills/b"),
            *("docs", "gone.md", ".claude/agents/README.md"),
        ):
            (tmp_path / name).symlink_to("no\x1bwhere")
        told = {each.label: each.finding for each in _targets(tmp_path).items if each.finding}
        assert set(told) == {
            *(".claude/agents/gone.md", ".claude/skills/gone", ".claude/commands", "p/skills/b"),
        }
        for finding in told.values():
            assert (finding.rule_id, finding.span and finding.span.line) == (
                "manni/dangling-link",
                1,
            )
            assert finding.message == (
                "this link leads to `no\\x1bwhere`, which is not there; mend it or remove it"
            )

    def test_a_linked_skill_counts_once(self, tmp_path: Path) -> None:
        _write(tmp_path, "shared/a/SKILL.md", ".claude/skills/b/SKILL.md")
        for folder in (".agents/skills", ".cursor/skills"):
            (tmp_path / folder).mkdir(parents=True)
            (tmp_path / folder / "a").symlink_to("../../shared/a")
            (tmp_path / folder / "b").symlink_to("../../.claude/skills/b")
        assert set(_kinds(tmp_path)) == {"shared/a/SKILL.md", ".claude/skills/b/SKILL.md"}

    def test_a_linked_folder_means_what_its_path_says(self, tmp_path: Path) -> None:
        _write(tmp_path, "shared/a.md", "shared/b.mdc")
        (tmp_path / ".claude").mkdir()
        (tmp_path / ".claude/agents").symlink_to("../shared")
        (tmp_path / ".claude/up").symlink_to("..")
        (tmp_path / ".cursor").mkdir()
        (tmp_path / ".cursor/rules").symlink_to("../shared")
        assert _kinds(tmp_path) == {
            ".claude/agents/a.md": "claude-agent",
            ".cursor/rules/b.mdc": "cursor-rule",
        }


class TestConfig:
    def test_kinds_restrict_a_run_without_collections(self, tmp_path: Path) -> None:
        _write(tmp_path, ".claude/agents/a.md", ".cursor/rules/a.mdc", "a.prompt.md")
        action = Action(kinds=("cursor-rule", "copilot-prompt"))
        config = Config(tmp_path / "manni.config.yaml", "manni.config.yaml", action=action)
        wanted = {".cursor/rules/a.mdc": "cursor-rule", "a.prompt.md": "copilot-prompt"}
        assert _kinds(tmp_path, config=config) == wanted
        assert _kinds(tmp_path, ".", config=config) == wanted
        assert _kinds(tmp_path, ".claude/agents/a.md", config=config) == {
            ".claude/agents/a.md": "claude-agent"
        }

    def test_a_collection_gives_its_kind(self, tmp_path: Path) -> None:
        _write(tmp_path, "rules/a.md", ".claude/agents/a.md")
        config = Config(
            tmp_path / "manni.config.yaml",
            "manni.config.yaml",
            collections=(Collection("rules", ("rules",)), Collection("all", ("**",))),
            action=Action(collections=(CollectionKind("rules", "cursor-rule", 1),)),
        )
        assert _kinds(tmp_path, config=config) == {
            ".claude/agents/a.md": "claude-agent",
            "rules/a.md": "cursor-rule",
        }


class TestTable:
    def test_schemas_exist_and_their_page_is_the_kinds(self) -> None:
        for kind in KINDS:
            for name, lowered in kind.schemas:
                entry = builtin.find(name)
                assert entry is not None
                page_of_schema = builtin.document(entry).get("$comment")
                assert lowered or page_of_schema in {None, kind.page}, kind.id

    def test_every_folder_is_of_one_kind(self) -> None:
        folders = [folder for kind in KINDS for folder in kind.folders]
        assert len(folders) == len(set(folders))
        assert len(BY_ID) == len(KINDS)

    @pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
    def test_required_keys_are_those_that_empty_metadata_lacks(
        self, kind: Kind, tmp_path: Path
    ) -> None:
        told: dict[str, str] = {}
        for name, lowered in kind.schemas:
            schema = Selector(cwd=tmp_path).store.load(name, tmp_path)
            for fault in compile_schema(schema).faults({}, _Nowhere()):
                for finding in fault.findings:
                    assert finding.keyword in {"required", "if"}
                    if finding.keyword == "required":
                        told[str(finding.subject)] = lowered or finding.severity
        assert keys_of(kind).required == told

    def test_known_keys(self) -> None:
        assert {"name", "agent_card_url", "max_turns"} <= keys_of(BY_ID["gemini-agent"]).known
        assert {"effort", "compatibility"} <= keys_of(BY_ID["claude-skill"]).known

    def test_an_unknown_kind_is_told_with_the_nearest(self) -> None:
        told = unknown_kind("cursor-rules")
        assert told.startswith("is `cursor-rules`, which is no kind, did you mean `cursor-rule`? (")

    def test_the_page(self) -> None:
        file = ROOT / "docs" / "hosts.md"
        assert file.read_text(encoding="utf-8") == page(), "python -m manni.discovery.kinds_page"


class _Nowhere:
    def place(self, pointer: str) -> Place:
        return Place(Span(1, 1, 1, 1))

    def identity(self, pointer: str) -> str:
        return pointer


def test_a_path_of_very_many_directories(tmp_path: Path) -> None:
    assert Recognizer(str(tmp_path)).of(f"{tmp_path}{'/d' * 3_000}/a.prompt.md") is not None
