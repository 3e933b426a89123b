"""The schemas of an artifact, by precedence."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from manni.base.errors import SchemaError
from manni.discovery.kinds import BY_ID
from manni.model.config import (
    Action,
    Collection,
    CollectionKind,
    Config,
    DocumentRefs,
    Override,
    SchemaRef,
    SchemaTrust,
)
from manni.model.findings import Place, Severity, Span
from manni.schemas.selection import IGNORED_NOTICE, Choice, Selector

SKILL = "anthropic:claude-skill:2.1"
EVALS = "manni:artifact-evals:1.0.0"
PORTABLE = "manni:portable-skill:1.0"
PAGE = "manni:evals:1.0.0-proposal.4"


@dataclass(frozen=True)
class Artifact:
    path: str | None
    key: str
    collections: tuple[str, ...] = ()
    kind: str | None = None


class Positions:
    """Places each pointer on a line of its own."""

    def place(self, pointer: str) -> Place:
        return Place(Span(2 + len(pointer), 1, 2 + len(pointer), 2))

    def identity(self, pointer: str) -> str:
        return pointer


@dataclass
class Project:
    """A directory with a config, and what is chosen in it."""

    home: Path
    config: Config = field(init=False)

    def __post_init__(self) -> None:
        path = self.home / "manni.config.yaml"
        self.config = Config(path=path, label="manni.config.yaml")

    def set(self, **values: Any) -> None:
        self.config = replace(self.config, **values)

    def write(self, name: str, **document: Any) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    def selector(self, *references: str, root: Path | None = None) -> Selector:
        return Selector(
            references=references, config=self.config, cwd=self.home, root=root, offline=True
        )

    def artifact(
        self, key: str = "docs/page.md", *collections: str, kind: str | None = None
    ) -> Artifact:
        return Artifact(key, key, collections, kind)

    def choose(
        self,
        key: str = "docs/page.md",
        *,
        metadata: dict[str, Any] | None = None,
        collections: tuple[str, ...] = (),
        references: tuple[str, ...] = (),
        kind: str | None = None,
    ) -> Choice:
        artifact = self.artifact(key, *collections, kind=kind)
        return self.selector(*references).choose(artifact, metadata or {}, Positions)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def refs(*names: str) -> tuple[SchemaRef, ...]:
    return tuple(SchemaRef(name, line=7) for name in names)


def names(choice: Choice) -> list[str]:
    assert choice.findings == ()
    return [schema.reference for schema in choice.schemas.schemas]


def complaints(choice: Choice) -> list[tuple[str, str]]:
    for finding in choice.findings:
        assert finding.rule_id == "manni/schema-error"
        assert finding.severity is Severity.ERROR
        assert finding.span is not None
    return [(finding.pointer, finding.message) for finding in choice.findings]


def never() -> Positions:
    raise AssertionError("positions are only for findings")


class TestPrecedence:
    def test_each_step_yields_to_the_one_before(self, project: Project) -> None:
        project.set(
            schemas=refs(PAGE),
            overrides=(Override(refs(EVALS), 5, files=("docs/**",)),),
        )
        own = {"$schema": SKILL}
        run = ("agentskills:skill:1.0",)
        assert names(project.choose(metadata=own, references=run)) == list(run)
        assert names(project.choose(metadata=own)) == [SKILL]
        assert names(project.choose()) == [EVALS]
        assert names(project.choose("README.md")) == [PAGE]
        project.set(schemas=())
        by_kind = project.choose("x/SKILL.md", kind="claude-skill")
        assert names(by_kind) == [SKILL, PORTABLE]
        assert by_kind.schemas.severities == (None, Severity.WARNING)
        assert by_kind.kind is BY_ID["claude-skill"]
        ((pointer, message),) = complaints(project.choose("README.md"))
        assert pointer == ""
        assert message.startswith("no schema applies to this artifact; name one with -s, ")

    def test_the_first_override_wins(self, project: Project) -> None:
        project.set(
            collections=(Collection("guides", ("docs/guides/**",)),),
            overrides=(
                Override(refs(EVALS), 1, files=("docs/a.md", "*.{md,mdx}")),
                Override(refs(SKILL), 2, collection="guides"),
                Override(refs(PAGE), 3, files=("docs/**",)),
            ),
        )
        assert names(project.choose("docs/a.md", collections=("guides",))) == [EVALS]
        assert names(project.choose("top.mdx")) == [EVALS]
        assert names(project.choose("docs/guides/b.md", collections=("guides",))) == [SKILL]
        assert names(project.choose("docs/c.md")) == [PAGE]
        assert complaints(project.choose("other/top.md"))
        assert complaints(project.choose("../docs/c.md"))

    def test_a_collection_that_is_of_a_kind(self, project: Project) -> None:
        project.set(
            collections=(Collection("rules", ("rules/**",)),),
            schemas=refs(PAGE),
            overrides=(Override(refs(EVALS), 5, files=("rules/a.md",)),),
            action=Action(collections=(CollectionKind("rules", "cursor-rule", 9),)),
        )
        rule = project.choose("rules/b.md", collections=("rules",), kind="cursor-rule")
        assert (names(rule), rule.kind) == (["cursor:rule:1.0"], BY_ID["cursor-rule"])
        chosen = project.choose("rules/a.md", collections=("rules",), kind="cursor-rule")
        assert (names(chosen), chosen.kind) == ([EVALS], None)
        assert names(project.choose("x.prompt.md", kind="copilot-prompt")) == [PAGE]

    def test_without_a_config(self, tmp_path: Path) -> None:
        selector = Selector(cwd=tmp_path)
        agent = Artifact("a.md", "a.md", kind="claude-agent")
        assert names(selector.choose(agent, {}, never)) == ["anthropic:claude-subagent:2.1"]
        assert selector.choose(agent, {"$schema": SKILL}, never).kind is None

    def test_artifacts_with_one_set_share_one_value(self, project: Project) -> None:
        project.set(schemas=refs(SKILL), overrides=(Override(refs(SKILL), 5, files=("docs/**",)),))
        selector = project.selector()

        def chosen(key: str, **metadata: str) -> object:
            return selector.choose(project.artifact(key), metadata, never).schemas

        assert chosen("docs/a.md") is chosen("docs/b.md")
        assert chosen("a.md") is chosen("b.md")
        assert chosen("a.md") is not chosen("docs/a.md")
        assert chosen("a.md", **{"$schema": EVALS}) is chosen("docs/a.md", **{"$schema": EVALS})

    def test_a_schema_that_is_named_twice_is_checked_once(self, project: Project) -> None:
        url = "https://hawkeyexl.github.io/manni/schemas/claude-skill/2.1.json"
        assert names(project.choose(references=(SKILL, EVALS, url, SKILL))) == [SKILL, EVALS]


class TestDocuments:
    def test_a_list(self, project: Project) -> None:
        project.write("docs/s.json", type="object")
        choice = project.choose(metadata={"$schema": [SKILL, "s.json", "../docs/s.json"]})
        assert names(choice) == [SKILL, "docs/s.json"]
        assert choice.schemas.from_document

    @pytest.mark.parametrize(
        "value", [None, 5, True, {}, "", " ", [], [5], ["", SKILL], [SKILL] * 21]
    )
    def test_what_is_no_reference(self, project: Project, value: object) -> None:
        choice = project.choose(metadata={"$schema": value})
        assert complaints(choice) == [
            (
                "/$schema",
                "$schema must be a reference to a schema, or a list of at most 20 references",
            )
        ]
        assert choice.schemas.schemas == ()

    def test_refusals_leave_what_is_good(self, project: Project) -> None:
        (project.home / "bad.json").write_text("{", encoding="utf-8")
        project.set(schemas=refs(PAGE))
        named = [SKILL, "../bad.json", "absent.json", "../../x.json", "http://a/b", "a:b:c"]
        choice = project.choose(metadata={"$schema": named})
        assert [schema.reference for schema in choice.schemas.schemas] == [SKILL]
        found = complaints(choice)
        assert [pointer for pointer, _ in found] == [f"/$schema/{index}" for index in range(1, 6)]
        said = [
            "bad.json:1:2: the schema is not JSON",
            "absent.json: there is no such schema file",
            "../../x.json: the file is outside of the repository",
            "http://a/b: the run is offline",
            "there is no schema 'a:b:c'",
        ]
        assert all(text in message for text, (_, message) in zip(said, found, strict=True))

    def test_the_repository_is_the_limit(self, project: Project, tmp_path: Path) -> None:
        project.write("s.json", type="object")
        inner = Project(tmp_path / "inner")
        inner.home.mkdir()
        artifact = inner.artifact("page.md")
        metadata = {"$schema": "../s.json"}
        choice = inner.selector(root=tmp_path).choose(artifact, metadata, never)
        assert names(choice) == ["../s.json"]
        assert complaints(inner.selector().choose(artifact, metadata, Positions))

    def test_standard_input_stands_in_the_working_directory(self, project: Project) -> None:
        project.write("s.json", type="object")
        artifact = Artifact(None, "<stdin>")
        choice = project.selector().choose(artifact, {"$schema": "s.json"}, never)
        assert names(choice) == ["s.json"]

    def test_local_refuses_urls(self, project: Project) -> None:
        project.set(trust=SchemaTrust(DocumentRefs.LOCAL))
        url = "https://hawkeyexl.github.io/manni/schemas/claude-skill/2.1.json"
        assert names(project.choose(metadata={"$schema": url})) == [url]
        ((_, message),) = complaints(project.choose(metadata={"$schema": "https://a.example/b"}))
        assert "schemaTrust.documentRefs is local" in message

    def test_none_ignores_the_key_and_says_so(self, project: Project) -> None:
        project.set(trust=SchemaTrust(DocumentRefs.NONE), schemas=refs(PAGE))
        choice = project.choose(metadata={"$schema": "../../x"})
        assert names(choice) == [PAGE]
        assert choice.notice == IGNORED_NOTICE
        assert project.choose().notice is None

    def test_messages_cannot_act(self, project: Project) -> None:
        for value in ("\x1b[31m.json", "a\n::error::b", "\u202e.json", "x" * 10_000):
            ((_, message),) = complaints(project.choose(metadata={"$schema": value}))
            assert message.isprintable()
            assert len(message) <= 1000


class TestStrict:
    @pytest.fixture
    def project(self, tmp_path: Path) -> Project:
        project = Project(tmp_path)
        for name in ("page", "page-strict", "note"):
            project.write(f"schemas/{name}.json", **{"$id": f"acme:{name}:1.0"})
        project.set(
            register=("schemas",),
            register_line=9,
            schemas=refs("acme:note:1.0", "acme:page:1.0", EVALS),
            strict=True,
        )
        return project

    PAGES = ("acme:page:1.0", "acme:page-strict:1.0")

    def test_companions_follow_registered_schemas(self, project: Project) -> None:
        assert names(project.choose()) == ["acme:note:1.0", *self.PAGES, EVALS]
        project.set(strict=False)
        assert names(project.choose()) == ["acme:note:1.0", "acme:page:1.0", EVALS]

    def test_a_companion_that_is_listed_comes_once(self, project: Project) -> None:
        project.set(schemas=refs("acme:page:1.0", EVALS, "acme:page-strict:1.0"))
        assert names(project.choose()) == [*self.PAGES, EVALS]

    def test_wherever_the_set_comes_from(self, project: Project) -> None:
        assert names(project.choose(references=("acme:page:1.0",))) == list(self.PAGES)
        own = {"$schema": "acme:page:1.0"}
        assert names(project.choose(metadata=own)) == list(self.PAGES)
        choice = project.choose(references=("schemas/page.json",))
        assert names(choice) == ["schemas/page.json", "acme:page-strict:1.0"]

    @pytest.mark.parametrize(
        ("top", "own", "strict"),
        [
            (True, None, True),
            (True, False, False),
            (False, True, True),
            (False, None, False),
        ],
    )
    def test_an_override_decides_for_itself(
        self, project: Project, *, top: bool, own: bool | None, strict: bool
    ) -> None:
        override = Override(refs("acme:page:1.0"), 5, files=("**",), strict=own)
        project.set(overrides=(override,), strict=top)
        assert names(project.choose()) == list(self.PAGES if strict else self.PAGES[:1])

    def test_the_overlay_is_reached_only_by_its_name(self, project: Project) -> None:
        project.set(schemas=refs(SKILL, EVALS))
        assert names(project.choose()) == [SKILL, EVALS]


class TestMistakes:
    @pytest.mark.parametrize(
        ("reference", "message"),
        [
            ("acme:page:1.0", "manni.config.yaml:7: there is no schema 'acme:page:1.0'"),
            ("absent.json", "manni.config.yaml:7: absent.json: there is no such schema file"),
        ],
    )
    def test_of_the_config_even_when_nothing_needs_it(
        self, project: Project, reference: str, message: str
    ) -> None:
        project.set(overrides=(Override(refs(reference), 5, files=("never/**",)),))
        with pytest.raises(SchemaError) as caught:
            project.selector()
        assert str(caught.value).startswith(message)
        project.set(overrides=(), schemas=refs(reference))
        with pytest.raises(SchemaError) as caught:
            project.selector()
        assert str(caught.value).startswith(message)

    def test_of_a_schema_that_the_config_names(self, project: Project) -> None:
        (project.home / "bad.json").write_text("[]", encoding="utf-8")
        project.set(schemas=refs("bad.json"))
        with pytest.raises(SchemaError) as caught:
            project.choose()
        said = str(caught.value)
        assert said.startswith("manni.config.yaml:7: bad.json: a schema is a JSON object")

    def test_of_an_integrity(self, project: Project) -> None:
        project.write("s.json", type="object")
        wrong = "sha256-" + "0" * 64
        project.set(schemas=(SchemaRef("s.json", line=4, integrity=wrong),))
        with pytest.raises(SchemaError, match=r"manni\.config\.yaml:4: s\.json: the schema's hash"):
            project.choose()

    def test_of_what_is_registered(self, project: Project) -> None:
        project.set(register=("absent",), register_line=9)
        with pytest.raises(SchemaError, match=r"manni\.config\.yaml:9: absent: there is no such"):
            project.selector()

    def test_of_the_command_line(self, project: Project) -> None:
        for reference in ("absent.json", "acme:page:1.0", "http://example.invalid/"):
            with pytest.raises(SchemaError):
                project.selector(reference)
