from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from manni.base.errors import OperationalError, TargetError, UsageError
from manni.base.repository import find_root
from manni.config.find import search_config
from manni.config.load import load_config
from manni.discovery.targets import BUILT_IN_NOTE, Targets, resolve_targets
from manni.engine.settings import Settings

DATA = json.loads((Path(__file__).parents[2] / "data" / "globs.json").read_text(encoding="utf-8"))
CONFIG = """\
collections:
  - name: skills
    paths: [".claude/skills/**/SKILL.md"]
    exclude: ["**/drafts/**"]
  - name: agents
    paths: [".claude/agents/*.md"]
  - name: guides
    paths: [guides]
meta:
  overrides:
    - files: [notes/**/*.md]
      schemas: [notes.json]
"""


def _tree(top: Path, *names: str, **texts: str) -> None:
    for name in names:
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    for name, text in texts.items():
        (top / name).write_text(text, encoding="utf-8")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    top = tmp_path / "repo"
    (top / ".git").mkdir(parents=True)
    _tree(
        top,
        ".claude/skills/a/SKILL.md",
        ".claude/skills/a/reference.md",
        ".claude/skills/drafts/b/SKILL.md",
        ".claude/agents/q.md",
        ".claude/agents/README.md",
        "guides/one.md",
        "guides/deep/two.txt",
        "notes/n.md",
        "notes/n.txt",
        "README.md",
        "node_modules/x/SKILL.md",
        "vendor/x/SKILL.md",
    )
    (top / "manni.config.yaml").write_text(CONFIG, encoding="utf-8")
    return top


@dataclass
class Run:
    """Resolves like a run would."""

    cwd: Path

    def __call__(
        self, *paths: str, config: Path | None = None, no_config: bool = False, **more: object
    ) -> Targets:
        path = None if no_config else config or search_config(self.cwd).path
        loaded = load_config(path, cwd=self.cwd) if path else None
        root = find_root(loaded.directory if loaded else self.cwd)
        settings = Settings(cwd=self.cwd, paths=paths, **more)  # type: ignore[arg-type]
        return resolve_targets(settings, loaded, root)

    def labels(self, *paths: str, **more: object) -> list[str]:
        return [target.label for target in self(*paths, **more).items]  # type: ignore[arg-type]

    def error(self, *paths: str, **more: object) -> str:
        with pytest.raises(OperationalError) as caught:
            self(*paths, **more)  # type: ignore[arg-type]
        return str(caught.value)


@pytest.fixture
def run(repo: Path) -> Run:
    return Run(repo)


ALL = [
    ".claude/agents/README.md",
    ".claude/agents/q.md",
    ".claude/skills/a/SKILL.md",
    "guides/deep/two.txt",
    "guides/one.md",
]


class TestCollections:
    def test_all_of_them(self, run: Run) -> None:
        assert run.labels() == ALL

    def test_named_ones(self, run: Run) -> None:
        assert run.labels(collections=("agents", "skills", "agents")) == ALL[:3]

    def test_members_know_their_collections(self, run: Run) -> None:
        found = {target.label: target.collections for target in run().items}
        assert found[".claude/skills/a/SKILL.md"] == ("skills",)
        assert found[".claude/agents/q.md"] == ("agents",)
        assert found[".claude/agents/README.md"] == ("agents",)
        assert found["guides/one.md"] == ("guides",)

    def test_an_unknown_one_is_refused(self, run: Run) -> None:
        assert run.error(collections=("skils",)) == (
            "--collection names no collection of manni.config.yaml: `skils`, did you mean "
            "`skills`? (it declares `skills`, `agents`, `guides`)"
        )

    def test_not_together_with_paths(self, run: Run) -> None:
        with pytest.raises(UsageError, match="leave out the paths"):
            run("guides", collections=("guides",))

    def test_not_without_a_config(self, run: Run) -> None:
        with pytest.raises(UsageError, match="needs a config"):
            run(no_config=True, collections=("guides",))

    def test_a_config_without_collections_has_none(self, run: Run) -> None:
        _tree(run.cwd, **{"manni.config.yaml": "meta: {}\n"})
        assert "declares no collections" in run.error()


class TestBuiltIn:
    def test_one_line_says_so(self, run: Run) -> None:
        targets = run(no_config=True)
        assert targets.notes == (BUILT_IN_NOTE,)
        assert [target.label for target in targets.items] == [
            ".claude/agents/q.md",
            ".claude/skills/a/SKILL.md",
            ".claude/skills/drafts/b/SKILL.md",
            "vendor/x/SKILL.md",
        ]

    def test_agents_of_plugins(self, run: Run) -> None:
        _tree(
            run.cwd,
            "plugin/.claude-plugin/plugin.json",
            "plugin/agents/a.md",
            "plugin/agents/deep/b.md",
            "plugin/agents/README.md",
            "plugin/agents/a.txt",
            "plugin/other/agents/c.md",
            "other/agents/d.md",
        )
        labels = run.labels(no_config=True)
        assert [label for label in labels if "agents" in label] == [
            ".claude/agents/q.md",
            "plugin/agents/a.md",
            "plugin/agents/deep/b.md",
        ]

    def test_from_inside_of_an_agents_directory(self, run: Run) -> None:
        inside = Run(run.cwd / ".claude" / "agents")
        assert inside.labels(no_config=True) == ["q.md"]
        assert inside("q.md", no_config=True).items[0].kind == "claude-agent"

    def test_without_a_repository(self, tmp_path: Path) -> None:
        _tree(tmp_path, "a/SKILL.md", "x/.claude/agents/b.md")
        (target, _) = Run(tmp_path)().items
        assert (target.root_path, target.key) == ("a/SKILL.md", "a/SKILL.md")


class TestPaths:
    def test_a_named_file_is_never_filtered(self, run: Run) -> None:
        _tree(run.cwd, **{".gitignore": "vendor/\n"})
        names = (".claude/skills/drafts/b/SKILL.md", "vendor/x/SKILL.md", "README.md")
        labels = run.labels(*names, exclude=("**",))
        assert labels == sorted(names)

    def test_each_file_once_and_in_order(self, run: Run) -> None:
        labels = run.labels("guides/one.md", "guides", "./guides/one.md", "guides/*.md")
        assert labels == ["guides/deep/two.txt", "guides/one.md"]

    def test_a_directory_gives_what_has_schemas(self, run: Run) -> None:
        assert run.labels(".") == [
            ".claude/agents/README.md",
            ".claude/agents/q.md",
            ".claude/skills/a/SKILL.md",
            ".claude/skills/drafts/b/SKILL.md",
            "guides/deep/two.txt",
            "guides/one.md",
            "notes/n.md",
            "vendor/x/SKILL.md",
        ]

    def test_a_directory_gives_all_documents_when_all_have_schemas(self, run: Run) -> None:
        _tree(run.cwd, "docs/a.mdx", "docs/b.markdown", "docs/c.mdc", "docs/d.png", "docs/e.md")
        wanted = ["docs/a.mdx", "docs/b.markdown", "docs/c.mdc", "docs/e.md"]
        assert run.labels("docs", schemas=("a:b:c",)) == wanted
        _tree(run.cwd, **{"manni.config.yaml": "meta: {schemas: [a.json]}\n"})
        assert run.labels("docs") == wanted

    def test_a_directory_without_anything_says_what_to_do(self, run: Run) -> None:
        _tree(run.cwd, "docs/a.md")
        assert run.error("docs") == (
            "no file to check matches `docs`; give schemas for everything with -s, or name the "
            "files by a glob"
        )

    def test_a_directory_above_the_config(self, run: Run) -> None:
        _tree(
            run.cwd / "guides", **{"manni.config.yaml": "collections: [{name: a, paths: ['*.md']}]"}
        )
        labels = run.labels(".", config=run.cwd / "guides" / "manni.config.yaml")
        assert [label for label in labels if label.startswith("guides")] == ["guides/one.md"]

    def test_a_glob_finds_whatever_it_matches(self, run: Run) -> None:
        assert run.labels("notes/*") == ["notes/n.md", "notes/n.txt"]
        assert run.labels("{notes,guides}/*.md") == ["guides/one.md", "notes/n.md"]
        assert run.labels(f"{run.cwd}/notes/*.md") == ["notes/n.md"]

    def test_a_glob_from_a_subdirectory(self, run: Run) -> None:
        assert Run(run.cwd / "guides").labels("../notes/*.md") == ["../notes/n.md"]

    def test_a_file_with_the_name_of_a_glob(self, run: Run) -> None:
        _tree(run.cwd, "docs/[id].md", "docs/i.md")
        assert run.labels("docs/[id].md") == ["docs/[id].md"]

    def test_exclude_is_relative_to_the_working_directory(self, run: Run) -> None:
        inside = Run(run.cwd / "guides")
        assert inside.labels("..", exclude=("deep/**",)) != inside.labels("..")
        assert "deep/two.txt" not in inside.labels("..", exclude=("deep/**",))
        assert "deep/two.txt" in inside.labels("..", exclude=("guides/**",))
        assert run.labels(exclude=("guides", "**/q.md")) == [ALL[0], ALL[2]]

    @pytest.mark.parametrize(
        ("path", "message"),
        [
            ("guide", "there is no file or directory `guide`; did you mean `guides`?"),
            (
                "guides/on.md",
                "there is no file or directory `guides/on.md`; did you mean `one.md`?",
            ),
            ("guides/one.md/", "there is no file or directory `guides/one.md/`"),
            ("zzz/q.md", "there is no file or directory `zzz/q.md`; there is no directory `zzz`"),
            ("a\0b", r"there is no file or directory `a\x00b`"),
            ("\udcff", r"there is no file or directory `\udcff`"),
            (" ", "a path is empty"),
            ("!notes/*", "the path `!notes/*` starts with `!`; use --exclude instead"),
            ("notes/[z-a]", "the path `notes/[z-a]` has a range that runs backwards: z-a"),
            ("notes/*/", "ends with `/`"),
            ("x/*.md", "no file to check matches `x/*.md`"),
        ],
    )
    def test_what_is_wrong_with_a_path(self, path: str, message: str, run: Run) -> None:
        assert message in run.error(path)

    def test_a_wrong_exclude_is_refused(self, run: Run) -> None:
        with pytest.raises(UsageError, match=r"^--exclude `!a` starts with"):
            run(exclude=("!a",))

    def test_standard_input_comes_alone(self, run: Run) -> None:
        (target,) = run(stdin=b"").items
        assert (target.path, target.label, target.collections) == (None, "<stdin>", ())

    def test_standard_input_comes_first(self, run: Run) -> None:
        assert run.labels("README.md", stdin=b"") == ["<stdin>", "README.md"]


class TestNothing:
    def test_it_is_an_error_that_names_patterns_and_filters(self, tmp_path: Path) -> None:
        _tree(tmp_path, "a/x.md")
        _tree(tmp_path, **{".gitignore": "a\n"})
        config = "collections: [{name: a, paths: ['a/*.md', 'b'], exclude: [c]}]\n"
        _tree(tmp_path, **{"manni.config.yaml": config})
        assert Run(tmp_path).error(exclude=("d",)) == (
            "no file to check matches `a/*.md`, `b` (left out: 1 file by .gitignore; "
            "--exclude d; exclude c); mend the patterns, or allow this with --allow-empty"
        )

    def test_it_may_be_allowed(self, run: Run) -> None:
        assert run("x/*.md", allow_empty=True).items == ()
        _tree(run.cwd, **{"manni.config.yaml": "meta: {allowEmpty: true}\n"})
        assert run().items == ()

    def test_a_missing_file_is_never_allowed(self, run: Run) -> None:
        with pytest.raises(TargetError):
            run("nothing.md", allow_empty=True)


class TestIgnored:
    @pytest.fixture
    def ignoring(self, run: Run) -> Run:
        _tree(run.cwd, **{".gitignore": "two.txt\n/.claude/skills/\n*.tmp\n"})
        return run

    def test_they_are_left_out_and_counted(self, ignoring: Run) -> None:
        targets = ignoring()
        assert [target.label for target in targets.items] == [*ALL[:2], "guides/one.md"]
        assert targets.ignored == 2

    def test_the_option_and_the_config_turn_it_off(self, ignoring: Run) -> None:
        assert ignoring.labels(respect_gitignore=False) == ALL
        text = CONFIG.replace("meta:\n", "meta:\n  respectGitignore: false\n")
        _tree(ignoring.cwd, **{"manni.config.yaml": text})
        assert ignoring.labels() == ALL
        assert ignoring(respect_gitignore=True).ignored == 2

    def test_a_named_directory_counts_even_when_ignored(self, ignoring: Run) -> None:
        assert ignoring.labels(".claude/skills/a") == [".claude/skills/a/SKILL.md"]

    def test_a_glob_below_an_ignored_directory_does_not(self, ignoring: Run) -> None:
        assert "1 file by .gitignore" in ignoring.error(".claude/skills/a/SK*")

    def test_rules_above_the_start_count(self, ignoring: Run) -> None:
        assert ignoring.labels("guides/deep", "guides/one.md") == ["guides/one.md"]


class TestPlaces:
    def test_from_a_subdirectory(self, repo: Path) -> None:
        targets = Run(repo / "guides")()
        assert [target.label for target in targets.items] == [
            "../.claude/agents/README.md",
            "../.claude/agents/q.md",
            "../.claude/skills/a/SKILL.md",
            "deep/two.txt",
            "one.md",
        ]
        assert [target.root_path for target in targets.items] == ALL
        assert [target.key for target in targets.items] == ALL

    def test_from_outside(self, repo: Path) -> None:
        outside = Run(repo.parent)
        targets = outside(config=repo / "manni.config.yaml")
        assert [target.label for target in targets.items] == [f"repo/{name}" for name in ALL]
        assert [target.root_path for target in targets.items] == ALL

    def test_a_config_below_the_root(self, repo: Path) -> None:
        _tree(repo / "guides", **{"manni.config.yaml": "collections: [{name: g, paths: ['*.md']}]"})
        (target,) = Run(repo / "guides")().items
        assert (target.label, target.root_path, target.key) == (
            "one.md",
            "guides/one.md",
            "one.md",
        )

    def test_in_a_worktree(self, repo: Path) -> None:
        (repo / ".git").rmdir()
        (repo / ".git").write_text("gitdir: /somewhere/else\n", encoding="utf-8")
        assert Run(repo / "guides")().items[-1].root_path == "guides/one.md"

    def test_outside_of_the_repository(self, repo: Path) -> None:
        _tree(repo.parent, "other/x.md")
        (target,) = Run(repo)("../other/x.md").items
        assert (target.label, target.root_path, target.key, target.finding) == (
            "../other/x.md",
            None,
            "../other/x.md",
            None,
        )

    @pytest.mark.parametrize(
        "name", ["a b", "a#b", "100%", "[a]", "é", "a\nb", "(a)", "{a}", "'\"`"]
    )
    def test_odd_names(self, name: str, repo: Path) -> None:
        _tree(repo, f"guides/{name}/{name}.md", f"{name}.md")
        run = Run(repo)
        assert f"guides/{name}/{name}.md" in run.labels()
        assert run.labels(f"{name}.md") == [f"{name}.md"]
        inside = Run(repo / "guides" / name)
        assert f"{name}.md" in inside.labels()

    def test_a_name_that_is_no_unicode(self, repo: Path) -> None:
        name = os.fsdecode(b"\xff.md")
        _tree(repo, f"guides/{name}")
        assert f"guides/{name}" in Run(repo).labels()
        assert Run(repo).labels(f"guides/{name}") == [f"guides/{name}"]


class TestLinks:
    @staticmethod
    def _findings(targets: Targets) -> dict[str, str]:
        return {target.label: target.finding.rule_id for target in targets.items if target.finding}

    def test_one_that_stays_inside_is_followed(self, run: Run) -> None:
        _tree(run.cwd, "shared/skill/SKILL.md")
        (run.cwd / ".claude/skills/linked").symlink_to("../../shared/skill")
        (run.cwd / "guides/link.md").symlink_to("../README.md")
        labels = run.labels()
        assert ".claude/skills/linked/SKILL.md" in labels
        assert "guides/link.md" in labels
        assert self._findings(run()) == {}

    def test_one_that_leaves_is_a_finding_and_never_opened(self, run: Run) -> None:
        _tree(run.cwd.parent, "secret/SKILL.md", "secret/deep/SKILL.md")
        (run.cwd / ".claude/skills/out").symlink_to("../../../secret")
        (run.cwd / "guides/out.md").symlink_to("../../secret/SKILL.md")
        (run.cwd / "README2.md").symlink_to("/etc/hostname")
        targets = run()
        assert self._findings(targets) == {
            ".claude/skills/out": "manni/link-outside",
            "guides/out.md": "manni/link-outside",
        }
        assert len(targets.items) == len(ALL) + 2
        named = run("README2.md", ".claude/skills/out/SKILL.md", ".claude/skills/out")
        assert set(self._findings(named).values()) == {"manni/link-outside"}
        assert len(named.items) == 3

    def test_a_glob_through_one_that_leaves(self, run: Run) -> None:
        _tree(run.cwd.parent, "secret/a.md")
        (run.cwd / "out").symlink_to("../secret")
        assert self._findings(run("out/*.md")) == {"out": "manni/link-outside"}

    def test_what_git_keeps_is_outside(self, run: Run) -> None:
        _tree(run.cwd, ".git/config")
        (run.cwd / "guides/config.md").symlink_to("../.git/config")
        assert self._findings(run()) == {"guides/config.md": "manni/link-outside"}

    def test_a_broken_one_is_a_finding(self, run: Run) -> None:
        (run.cwd / "guides/gone.md").symlink_to("nowhere.md")
        (run.cwd / "guides/loop.md").symlink_to("loop.md")
        found = self._findings(run())
        assert found == dict.fromkeys(["guides/gone.md", "guides/loop.md"], "manni/parse-error")
        assert self._findings(run("guides/gone.md")) == {"guides/gone.md": "manni/parse-error"}

    def test_one_that_no_pattern_reaches_is_left_alone(self, run: Run) -> None:
        (run.cwd / "result").symlink_to("/usr")
        assert run.labels() == ALL

    def test_an_ignored_one_is_left_alone(self, run: Run) -> None:
        (run.cwd / "result").symlink_to("/usr")
        _tree(run.cwd, **{".gitignore": "result\n"})
        assert self._findings(run(no_config=True)) == {}

    def test_circles_end(self, run: Run) -> None:
        for index in range(12):
            (run.cwd / "guides" / f"d{index}").mkdir()
            for other in range(12):
                (run.cwd / "guides" / f"d{index}" / f"to{other}").symlink_to(f"../d{other}")
        (run.cwd / "guides/up").symlink_to("..")
        labels = run.labels(collections=("guides",))
        assert {"guides/one.md", "guides/deep/two.txt"} <= set(labels)

    @pytest.mark.parametrize("name", ["up", "up.md"])
    def test_a_link_back_to_the_start_adds_nothing(self, name: str, run: Run) -> None:
        before = run.labels("**/*.md")
        (run.cwd / "guides" / name).symlink_to("..")
        assert run.labels("**/*.md") == before

    def test_each_file_once(self, run: Run) -> None:
        (run.cwd / "guides/again.md").symlink_to("one.md")
        (run.cwd / "guides/again").symlink_to("deep")
        assert run.labels(collections=("guides",)) == ALL[3:]
        assert run.labels("guides/again.md", "guides/one.md") == [
            "guides/again.md",
            "guides/one.md",
        ]

    def test_a_file_of_two_collections_is_checked_for_both(self, run: Run) -> None:
        config = "collections: [{name: a, paths: [a]}, {name: b, paths: [b]}]\n"
        _tree(run.cwd, "a/x.md", **{"manni.config.yaml": config})
        (run.cwd / "b").symlink_to("a")
        found = {target.label: target.collections for target in run().items}
        assert found == {"a/x.md": ("a",), "b/x.md": ("b",)}

    def test_a_working_directory_reached_by_a_link(self, run: Run) -> None:
        alias = run.cwd.parent / "alias"
        alias.symlink_to("repo")
        assert Run(alias).labels() == ALL
        assert self._findings(Run(alias)("README.md", ".claude")) == {}


class TestTrouble:
    @pytest.fixture
    def unreadable(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
        """Makes a directory unreadable, for root as well."""
        scandir = os.scandir

        def forbid(name: str) -> None:
            def scan(path: str) -> object:
                if path == f"{run.cwd}/{name}":
                    raise PermissionError(13, "Permission denied")
                return scandir(path)

            monkeypatch.setattr(os, "scandir", scan)

        return forbid

    def test_a_directory_that_cannot_be_read(
        self, run: Run, unreadable: Callable[[str], None]
    ) -> None:
        unreadable("guides/deep")
        (target,) = [target for target in run().items if target.finding]
        assert target.label == "guides/deep"
        assert target.finding is not None
        assert (target.finding.rule_id, target.finding.message) == (
            "manni/parse-error",
            (
                "this is a directory that cannot be read, so what it holds was not checked "
                "(Permission denied)"
            ),
        )

    def test_a_directory_that_no_pattern_reaches_is_not_read(
        self, run: Run, unreadable: Callable[[str], None]
    ) -> None:
        unreadable("notes")
        assert run.labels() == ALL

    def test_a_directory_that_all_collections_exclude_is_not_read(
        self, run: Run, unreadable: Callable[[str], None]
    ) -> None:
        unreadable(".claude/skills/drafts")
        assert run.labels(collections=("skills",)) == [".claude/skills/a/SKILL.md"]

    def test_a_directory_that_the_run_excludes_is_not_read(
        self, run: Run, unreadable: Callable[[str], None]
    ) -> None:
        unreadable("guides/deep")
        assert run.labels(exclude=("guides/deep/**",)) == [*ALL[:3], "guides/one.md"]

    def test_directories_too_deep(self, run: Run) -> None:
        deep = run.cwd / "guides" / "/".join("d" * 110)
        deep.mkdir(parents=True)
        (finding,) = [target.finding for target in run().items if target.finding]
        assert finding.message.startswith("this is a directory below too many others")

    def test_a_pipe_is_a_target(self, run: Run) -> None:
        os.mkfifo(run.cwd / "guides/pipe.md")
        assert "guides/pipe.md" in run.labels()


GLOBS = [case for case in DATA["cases"] if case["isGlob"]]


def _files(paths: list[str]) -> list[str]:
    """The paths that can be files beside all others, in one file system."""
    return [path for path in paths if not any(other.startswith(f"{path}/") for other in paths)]


@pytest.fixture(scope="module")
def forest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("forest")
    _tree(top, *_files(DATA["paths"]))
    return top


@pytest.mark.parametrize("case", GLOBS, ids=lambda case: case["pattern"])
def test_members_through_a_config_and_by_a_path(case: dict[str, object], forest: Path) -> None:
    pattern = str(case["pattern"])
    files = set(_files(DATA["paths"]))
    wanted = sorted(path for path in case["matches"] if path in files)  # type: ignore[attr-defined]
    config = forest.parent / f"{forest.name}.yaml"
    config.write_text("meta: {}\n", encoding="utf-8")
    found = Run(forest).labels(pattern, config=config, allow_empty=True)
    assert found == wanted
    inside = forest / "manni.config.yaml"
    inside.write_text(
        json.dumps({"collections": [{"name": "c", "paths": [pattern], "exclude": [inside.name]}]}),
        encoding="utf-8",
    )
    try:
        assert Run(forest).labels(allow_empty=True) == wanted
    finally:
        inside.unlink()
