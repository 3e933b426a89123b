from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from manni.base.errors import ConfigError
from manni.base.text import visible
from manni.config.find import search_config
from manni.config.load import load_config
from manni.model.config import (
    Action,
    CollectionKind,
    Config,
    DocEvals,
    DocumentRefs,
    SchemaRef,
)
from manni.model.findings import Severity

MISTAKES = Path(__file__).parents[2] / "data" / "config_mistakes"
MESSAGES = json.loads((MISTAKES / "messages.json").read_text(encoding="utf-8"))
SCHEMA = json.loads(
    (Path(__file__).parents[3] / "schemas" / "config.schema.json").read_text(encoding="utf-8")
)

FULL = """\
collections:
  - name: skills
    paths: [".claude/skills/**/SKILL.md"]
    exclude: [".claude/skills/drafts/**"]
    url: https://docs.example.com/
    externalMetadata:
      - file: ./skills.metadata.yaml
        keys: [metadata]
      - file: https://meta.example.com/skills.yaml
        join: slug
        tokenEnv: META_TOKEN
  - name: agents
    paths: [.claude/agents]
meta:
  schemas: []
  overrides:
    - collection: skills
      schemas: [anthropic:claude-skill:2.1, manni:artifact-evals:1.0.0]
      strict: true
    - files: docs/**
      schemas:
        - ref: ./page.json
          source: https://example.com/page.json
          integrity: sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
  strict: false
  register: [./schemas]
  baseline: .manni-baseline.json
  schemaTrust: { documentRefs: local, hosts: [Schemas.Example.com] }
  respectGitignore: false
  allowEmpty: true
  offline: true
docevals:
  evals: { links: {}, tone: {} }
  suites: { how-to: [] }
"""


def _load(directory: Path, text: str | bytes) -> Config:
    data = text.encode() if isinstance(text, str) else text
    (directory / "manni.config.yaml").write_bytes(data)
    return load_config(Path("manni.config.yaml"), cwd=directory)


def _error(directory: Path, text: str | bytes) -> str:
    with pytest.raises(ConfigError) as caught:
        _load(directory, text)
    return str(caught.value)


def test_every_key_has_its_value_and_line(tmp_path: Path) -> None:
    config = _load(tmp_path, FULL)
    skills, agents = config.collections
    assert (skills.name, skills.line, skills.exclude) == (
        "skills",
        2,
        (".claude/skills/drafts/**",),
    )
    assert (agents.paths, agents.line, agents.manifests) == ((".claude/agents",), 12, ())
    owned, fetched = skills.manifests
    assert (owned.file, owned.keys, owned.join, owned.line) == (
        "./skills.metadata.yaml",
        ("metadata",),
        "path",
        7,
    )
    assert (fetched.keys, fetched.join, fetched.token_env) == (None, "slug", "META_TOKEN")
    assert fetched.is_url
    assert not owned.is_url
    by_collection, by_files = config.overrides
    assert (by_collection.collection, by_collection.strict, by_collection.line) == (
        "skills",
        True,
        17,
    )
    assert by_collection.schemas[0] == SchemaRef("anthropic:claude-skill:2.1", 18)
    assert (by_files.files, by_files.collection, by_files.strict) == (("docs/**",), None, None)
    assert by_files.schemas[0].integrity == f"sha256-{'a' * 64}"
    assert by_files.schemas[0].source == "https://example.com/page.json"
    assert (config.register, config.register_line) == (("./schemas",), 26)
    assert config.baseline == ".manni-baseline.json"
    assert config.trust.document_refs is DocumentRefs.LOCAL
    assert config.trust.hosts == ("schemas.example.com",)
    flags = (config.strict, config.respect_gitignore, config.allow_empty, config.offline)
    assert flags == (False, False, True, True)
    assert config.docevals == DocEvals(frozenset({"links", "tone"}), frozenset({"how-to"}))
    assert config.notices == ()
    assert config.directory == tmp_path
    assert config.using == f"Using manni.config.yaml ({tmp_path})"
    assert config.where(3) == "manni.config.yaml:3"
    assert config.action == Action()


ACTION = """\
collections:
  - name: rules
    paths: [rules]
action:
  kinds: [claude-skill, cursor-rule]
  collections:
    - {collection: rules, kind: cursor-rule}
  select: ["manni/*"]
  ignore: [manni/text-cut, "manni:portable-skill:1.0"]
  severity: {manni/name-not-directory: error, "location:*": off}
  per-file-ignores: {"vendor/**": ["manni/*"]}
  graders: [tool-usage]
  fail-on: never
"""


def test_the_section_of_this_tool_alone(tmp_path: Path) -> None:
    assert _load(tmp_path, ACTION).action == Action(
        kinds=("claude-skill", "cursor-rule"),
        collections=(CollectionKind("rules", "cursor-rule", 7),),
        select=("manni/*",),
        ignore=("manni/text-cut", "manni:portable-skill:1.0"),
        severity={"manni/name-not-directory": Severity.ERROR, "location:*": None},
        per_file_ignores={"vendor/**": ("manni/*",)},
        graders=("tool-usage",),
        fail_on="never",
    )
    assert _load(tmp_path, "action:\n").action == Action()


def test_a_valid_config_needs_no_explanation(tmp_path: Path) -> None:
    _load(tmp_path, FULL)
    code = (
        "import sys; from pathlib import Path; from manni.config.load import load_config; "
        "load_config(Path('manni.config.yaml')); sys.exit('jsonschema' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


def test_an_empty_section_has_the_defaults(tmp_path: Path) -> None:
    config = _load(tmp_path, "meta:\n")
    assert config.trust.hosts is None
    assert config.respect_gitignore
    assert config.docevals is None
    assert (config.collections, config.overrides, config.schemas, config.register) == ((),) * 4


def test_json_is_yaml(tmp_path: Path) -> None:
    config = _load(
        tmp_path, '{"meta": {"strict": true},\n "collections": [{"name": "a",\n "paths": ["b"]}]}'
    )
    assert config.strict
    assert config.collections[0].line == 2


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    assert _load(tmp_path, b"\xef\xbb\xbfmeta: {strict: true}\r\n").strict


@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_each_mistake_is_one_sentence(name: str, tmp_path: Path) -> None:
    assert _error(tmp_path, (MISTAKES / f"{name}.yaml").read_bytes()) == MESSAGES[name]


def test_every_mistake_has_a_message() -> None:
    assert {path.stem for path in MISTAKES.glob("*.yaml")} == set(MESSAGES)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def _described(node: object) -> Iterator[tuple[bool, str]]:
    if isinstance(node, dict):
        for key, value in node.get("properties", {}).items():
            explained = isinstance(value, dict) and not {"description", "$ref"}.isdisjoint(value)
            yield (explained, key)
        for key, value in node.items():
            if key != "dependentSchemas":
                yield from _described(value)
    elif isinstance(node, list):
        for item in node:
            yield from _described(item)


def test_editors_can_explain_every_key() -> None:
    keys = list(_described(SCHEMA))
    assert len(keys) > 25
    assert [key for explained, key in keys if not explained] == []


@pytest.mark.parametrize(
    ("text", "notice"),
    [
        ("meta: {fill: {}, checks: 1}", "`meta.checks`, `meta.fill`"),
        ("meta: {}\ncolections: []\n", "manni.config.yaml:2: `colections` is not read"),
        ("docevals: {}\n", "none of the keys `meta`, `collections`, `action`"),
    ],
)
def test_what_a_run_does_not_apply_is_said_once(text: str, notice: str, tmp_path: Path) -> None:
    (said,) = _load(tmp_path, text).notices
    assert notice in said


@pytest.mark.parametrize("text", ["other: [1]\nmeta: {}\n", "meta: {schemaCache: x}\n"])
def test_what_belongs_to_siblings_is_left_alone(text: str, tmp_path: Path) -> None:
    assert _load(tmp_path, text).schemas == ()


@pytest.mark.parametrize(
    ("text", "docevals"),
    [
        ("docevals:\n", DocEvals()),
        ("docevals: {evals: [a], suites: {b: 1}}", DocEvals(suites=frozenset({"b"}))),
        ("docevals: 7", None),
    ],
)
def test_docevals_are_read_leniently(text: str, docevals: DocEvals | None, tmp_path: Path) -> None:
    assert _load(tmp_path, f"meta: {{}}\n{text}\n").docevals == docevals


def test_a_missing_config_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^no\.yaml: there is no such config file$"):
        load_config(Path("no.yaml"), cwd=tmp_path)


def test_a_config_elsewhere_is_named_in_full(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "c.yaml").write_text("meta: 1\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path / "c.yaml", cwd=tmp_path / "a")
    assert str(caught.value).startswith(f"{tmp_path}/c.yaml:1: ")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"meta: {}\n#" + b"x" * (1 << 20), "manni.config.yaml: the config is larger than 1 MiB"),
        (b"meta:\n  baseline: \xff\n", "manni.config.yaml:2: the config is not UTF-8 text"),
    ],
)
def test_bytes_that_are_no_config(data: bytes, message: str, tmp_path: Path) -> None:
    assert _error(tmp_path, data) == message


def test_a_pipe_is_no_config(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "c.yaml")
    with pytest.raises(ConfigError):
        load_config(Path("c.yaml"), cwd=tmp_path)


@pytest.mark.parametrize(
    ("host", "encrypted"),
    [
        *((host, False) for host in ("localhost", "127.0.0.1", "127.9.9.9:80", "[::1]")),
        *(
            (host, True)
            for host in ("h.example", "10.0.0.1", "localhost.h.example", "127.1@h.example")
        ),
    ],
)
def test_a_manifest_from_elsewhere_is_encrypted(host: str, encrypted: bool, tmp_path: Path) -> None:
    text = (
        f"collections: [{{name: a, paths: [a], externalMetadata: [{{file: 'http://{host}/m'}}]}}]"
    )
    if encrypted:
        assert "must be an https:// URL" in _error(tmp_path, text)
    else:
        assert _load(tmp_path, text).collections[0].manifests[0].is_url


class TestSearch:
    @pytest.fixture
    def top(self, tmp_path: Path) -> Path:
        (tmp_path / "repo" / ".git").mkdir(parents=True)
        (tmp_path / "repo" / "a" / "b").mkdir(parents=True)
        return tmp_path

    @staticmethod
    def _write(path: Path, text: str = "meta: {}\n") -> Path:
        path.write_text(text, encoding="utf-8")
        return path

    def test_the_nearest_wins(self, top: Path) -> None:
        self._write(top / "repo" / "manni.config.yaml")
        near = self._write(top / "repo" / "a" / "manni.config.yml")
        assert search_config(top / "repo" / "a" / "b").path == near

    def test_yaml_comes_before_yml(self, top: Path) -> None:
        self._write(top / "repo" / "manni.config.yml")
        first = self._write(top / "repo" / "manni.config.yaml")
        assert search_config(top / "repo").path == first

    def test_both_names_are_tried_in_each_directory(self, top: Path) -> None:
        self._write(top / "repo" / "manni.config.yaml", "docevals: {}\n")
        second = self._write(top / "repo" / "manni.config.yml", "collections: []\n")
        assert search_config(top / "repo").path == second

    def test_the_repository_ends_the_search(self, top: Path) -> None:
        self._write(top / "manni.config.yaml")
        assert search_config(top / "repo" / "a").path is None

    def test_a_worktree_ends_the_search(self, top: Path) -> None:
        self._write(top / "repo" / "manni.config.yaml")
        self._write(top / "repo" / "a" / ".git", "gitdir: /nowhere\n")
        assert search_config(top / "repo" / "a" / "b").path is None

    def test_without_a_repository_only_the_working_directory_counts(self, tmp_path: Path) -> None:
        self._write(tmp_path / "manni.config.yaml")
        (tmp_path / "a").mkdir()
        assert search_config(tmp_path / "a").path is None
        assert search_config(tmp_path).path == tmp_path / "manni.config.yaml"

    @pytest.mark.parametrize("text", ["meta: [\n", "- a\n", "meta: 1\nmeta: 2\n"])
    def test_a_broken_config_is_not_passed_over(self, text: str, top: Path) -> None:
        self._write(top / "repo" / "manni.config.yaml")
        broken = self._write(top / "repo" / "a" / "manni.config.yaml", text)
        assert search_config(top / "repo" / "a").path == broken

    @pytest.mark.parametrize("text", ["", "# meta:\n", "action: {}\n"])
    def test_an_empty_config_counts_and_one_for_this_tool_alone(self, text: str, top: Path) -> None:
        self._write(top / "repo" / "manni.config.yaml")
        near = self._write(top / "repo" / "a" / "manni.config.yaml", text)
        assert search_config(top / "repo" / "a").path == near

    def test_a_directory_and_what_is_for_others_are_passed_over(self, top: Path) -> None:
        found = self._write(top / "repo" / "manni.config.yaml")
        self._write(top / "repo" / "a" / "manni.config.yml", "docevals: {}\n")
        (top / "repo" / "a" / "manni.config.yaml").mkdir()
        assert search_config(top / "repo" / "a").path == found

    def test_a_misspelled_section_is_noticed(self, top: Path) -> None:
        self._write(top / "repo" / "manni.config.yaml", "colections: []\n")
        search = search_config(top / "repo")
        assert search.path is None
        (notice,) = search.notices
        assert "did you mean `collections`" in notice


_KEYS = sorted({*re.findall('"([a-zA-Z-]+)": {', json.dumps(SCHEMA)), "x"})
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(["a", "*.md", "!a", "http://[", "https://h/{page}", "a:b:1", "off", "any"])
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(_KEYS) | st.text(max_size=4),
            inner,
            max_size=4,
        )
    ),
    max_leaves=16,
)
_SECTIONS = st.dictionaries(st.sampled_from(["meta", "collections", "action", "docevals"]), _VALUES)
_DOCUMENTS = (
    _SECTIONS.map(json.dumps)
    | _VALUES.map(json.dumps)
    | st.text(st.characters(codec="utf-8"))
    | st.lists(st.sampled_from(FULL.splitlines() + ACTION.splitlines())).map("\n".join)
)


@settings(max_examples=200, deadline=None)
@given(text=_DOCUMENTS)
def test_any_text_is_a_config_or_one_sentence(
    text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    try:
        _load(tmp_path_factory.getbasetemp(), text)
    except ConfigError as error:
        said = str(error)
        assert said.startswith("manni.config.yaml:")
        assert said == visible(said)
        assert len(said) < 2000
