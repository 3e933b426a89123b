from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from manni.action.inputs import Inputs, read_inputs, split_items, variable
from manni.engine.arguments import parse_validate
from manni.engine.options import INPUTS
from manni.engine.settings import BaselineChoice, BaselineMode, Shard
from manni.model.findings import Detail, Repository

GITHUB = {
    "GITHUB_SERVER_URL": "https://git.example",
    "GITHUB_REPOSITORY": "o/r",
    "GITHUB_SHA": "abc",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    path = tmp_path / "ws"
    (path / "sub").mkdir(parents=True)
    (path / "c.yaml").touch()
    (path / "sub/c.yaml").touch()
    return path


def read(root: Path, **given: str) -> Inputs:
    """Read inputs, named with underscores, over the defaults that a runner sets."""
    values = {name: option.input_default for name, option in INPUTS.items()}
    values |= {name.replace("_", "-"): value for name, value in given.items()}
    environ = {variable(name): value for name, value in values.items()}
    return read_inputs({"GITHUB_WORKSPACE": str(root)} | GITHUB | environ)


def test_defaults_are_those_of_the_command_line(root: Path) -> None:
    inputs = read(root)
    assert inputs.problems == inputs.notices == ()
    assert inputs.files == {"sarif": PurePosixPath("manni.sarif")}
    assert inputs.annotations
    assert inputs.summary
    settings = inputs.settings
    assert settings.cwd == root
    assert settings.quotes
    assert settings.report_files == ("manni.sarif",)
    assert settings.fail_on is None
    assert settings.detail is Detail.FAULTS
    assert settings.baseline == BaselineChoice()
    assert not settings.offline
    assert (settings.token_envs, settings.allow_hosts, settings.force_exclude) == ((), (), False)
    assert parse_validate([], cwd=root, prog="").settings.token_envs is None
    assert settings.repository == Repository("https://git.example/o/r", "abc")
    assert read_inputs({"GITHUB_WORKSPACE": str(root)} | GITHUB) == inputs


def test_every_input_reaches_the_settings(root: Path) -> None:
    inputs = read(
        root,
        paths="a b/*.md",
        schemas="x:y:1\nmy schema.json\n",
        config="c.yaml",
        working_directory="sub",
        sarif_file="out/log.sarif",
        json_file="r.json",
        junit_file="r.xml",
        annotations="False",
        summary="FALSE",
        detail="findings",
        fail_on="warning",
        baseline="base.json",
        graders="mine yours",
        token_envs="DOCS_VARIABLE",  # noqa: S106 - a name
        allow_hosts="Schemas.Internal [::1]",
        shard="2/8",
        category="skills/",
        offline="true",
        args="--allow-empty -q --exclude 'a b/**' --color always --force-exclude",
    )
    assert inputs.problems == ()
    settings = inputs.settings
    assert settings.cwd == root / "sub"
    assert settings.paths == ("a", "b/*.md")
    assert settings.schemas == ("x:y:1", "my schema.json")
    assert settings.config == "c.yaml"
    assert settings.detail is Detail.FINDINGS
    assert settings.fail_on == "warning"
    assert settings.baseline == BaselineChoice(BaselineMode.USE, "base.json", named=True)
    assert settings.graders == ("mine", "yours")
    assert settings.token_envs == ("DOCS_VARIABLE",)
    assert settings.allow_hosts == ("schemas.internal", "::1")
    assert settings.shard == Shard(2, 8)
    assert settings.category == "skills"
    assert settings.offline
    assert settings.allow_empty
    assert settings.force_exclude
    assert settings.exclude == ("a b/**",)
    assert settings.report_files == ("out/log.sarif", "r.json", "r.xml")
    assert tuple(map(str, inputs.files.values())) == settings.report_files
    assert not inputs.annotations
    assert not inputs.summary
    assert inputs.quiet
    assert inputs.colour


def test_collections_and_none(root: Path) -> None:
    inputs = read(root, collections="one\n two words \n", baseline="none", fail_on="never")
    assert inputs.settings.collections == ("one", "two words")
    assert inputs.settings.baseline.mode is BaselineMode.IGNORE
    assert inputs.settings.fail_on == "never"
    assert read(root, config="none").settings.no_config


def test_an_empty_value_is_the_default_but_for_the_log(root: Path) -> None:
    inputs = read(root, fail_on="", annotations=" ", detail="", sarif_file="")
    assert inputs.problems == ()
    assert inputs.settings.fail_on is None
    assert inputs.annotations
    assert not inputs.files
    assert inputs.settings.quotes
    assert not read(root, annotations="false", sarif_file="").settings.quotes


def test_a_dashed_item_is_a_value_and_not_an_option(root: Path) -> None:
    inputs = read(root, schemas="--offline", graders="-q")
    assert inputs.settings.schemas == ("--offline",)
    assert inputs.settings.graders == ("-q",)
    assert not inputs.settings.offline
    assert not inputs.quiet


@pytest.mark.parametrize(
    ("value", "items"),
    [
        ("", ()),
        (" \n ", ()),
        ("a", ("a",)),
        (" a  b\tc ", ("a", "b", "c")),
        ("a b\n", ("a b",)),
        ("a\r\n\n  b c  \n", ("a", "b c")),
    ],
)
def test_split_items(value: str, items: tuple[str, ...]) -> None:
    assert split_items(value) == items


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("annotations", "yes", "input 'annotations': there is no 'yes'; use one of true, false."),
        ("annotations", "ture", "input 'annotations': there is no 'ture'; did you mean 'true'?"),
        ("offline", "on", "input 'offline': there is no 'on'; use one of true, false."),
        ("detail", "fault", "input 'detail': there is no 'fault'; did you mean 'faults'?"),
        ("fail_on", "Warnings", "input 'fail-on': there is no 'Warnings'; did you mean 'warning'?"),
        ("fail_on", "x", "use one of error, warning, notice, never."),
        ("shard", "0/4", "input 'shard': '0/4' is not a slice; write K/N with 1 <= K <= N"),
        ("allow_hosts", "a b:1", "input 'allow-hosts': 'b:1' is no host; write its name alone"),
        ("token_envs", "gh/p", "input 'token-envs': a value is no name of an environment variable"),
        ("category", "//", "input 'category': '//' is no category"),
        ("working_directory", "none", "input 'working-directory': 'none' cannot be used: no such"),
        ("working_directory", "c.yaml", "input 'working-directory': 'c.yaml' cannot be used: not"),
        ("working_directory", "..", "input 'working-directory': '..' leads out of the workspace"),
        ("config", "../c.yaml", "input 'config': '../c.yaml' cannot be used: no such file"),
        ("config", "/etc/passwd", "input 'config': '/etc/passwd' leads out of the workspace"),
        ("paths", "-", "input 'paths': '-' starts with a dash; write './-'."),
        ("paths", "a\n-b c\n", "input 'paths': '-b c' starts with a dash; write './-b c'."),
        ("paths", "../x/**", "input 'paths': '../x/**' leads out of the workspace"),
        ("paths", "/etc", "input 'paths': '/etc' leads out of the workspace"),
        ("sarif_file", "../a", "input 'sarif-file': '../a' is no file in the workspace"),
        ("json_file", "/var/a", "input 'json-file': '/var/a' is no file in the workspace"),
        ("junit_file", ".", "such as manni.xml."),
        ("junit_file", "manni.sarif", "input 'junit-file': it names the same file as 'sarif-file'"),
        ("args", "'a", "input 'args': it is not quoted as in a shell (No closing quotation)"),
        (
            "args",
            "--offlin",
            "input 'args': it is not understood: there is no option --offlin. Did",
        ),
        ("args", "-qh", "input 'args': it asks for help; leave --help out."),
        ("args", "-f json", "input 'args': it names a report; use 'sarif-file'"),
        ("args", "-", "input 'args': it holds '-', and a step has no standard input"),
        ("args", "--write-baseline", "input 'args': it holds --write-baseline; write it locally"),
        (
            "args",
            "--fix",
            "input 'args': it holds --fix, --unsafe-fixes or --diff, and a step changes",
        ),
        ("args", "--unsafe-fixes", "input 'args': it holds --fix, --unsafe-fixes or --diff"),
        ("args", "--diff", "input 'args': it holds --fix, --unsafe-fixes or --diff"),
        ("inline-ignores", "no", "input 'inline-ignores': there is no 'no'"),
        ("args", "-c /etc/passwd", "input 'config': '/etc/passwd' leads out of the workspace"),
    ],
)
def test_a_wrong_value_is_named(root: Path, name: str, value: str, said: str) -> None:
    (problem,) = read(root, **{name: value}).problems
    assert said in problem
    assert problem.endswith((".", "?"))


def test_paths_that_cannot_be_meant(root: Path) -> None:
    (problem,) = read(root, paths="a", collections="b").problems
    assert problem == "input 'collections': it cannot be combined with 'paths'; set one of them."
    (problem,) = read(root, paths="sub\\c.yaml").problems
    assert problem == "there is no 'sub\\c.yaml'; write it with slashes: 'sub/c.yaml'."


def test_every_problem_is_told_and_the_rest_still_holds(root: Path) -> None:
    inputs = read(root, detail="x", fail_on="y", json_file="../z", category="mine")
    assert [problem.split("'")[1] for problem in inputs.problems] == [
        "detail",
        "fail-on",
        "json-file",
    ]
    assert inputs.files == {"sarif": PurePosixPath("manni.sarif")}
    assert inputs.settings.category == "mine"


def test_hostile_values_are_shown_harmlessly(root: Path) -> None:
    (problem,) = read(root, detail="\x1b[31m\n::error::x\udc80").problems
    assert problem.isprintable()


def test_a_config_reached_through_a_link_that_leads_out(root: Path, tmp_path: Path) -> None:
    (tmp_path / "away.yaml").touch()
    (root / "link.yaml").symlink_to(tmp_path / "away.yaml")
    (root / "loop.yaml").symlink_to("loop.yaml")
    assert "leads out" in read(root, config="link.yaml").problems[0]
    assert "cannot be used" in read(root, config="loop.yaml").problems[0]


def test_a_config_that_would_be_found_through_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "away.yaml").touch()
    (root / "sub/manni.config.yaml").symlink_to("c.yaml")
    (root / "manni.config.yml").symlink_to(tmp_path / "away.yaml")
    (problem,) = read(root, working_directory="sub").problems
    assert problem.startswith("input 'config': 'manni.config.yml' leads out of the workspace")
    assert read(root, working_directory="sub", config="c.yaml").problems == ()
    assert read(root, config="none").problems == ()


def test_misspelled_names_of_inputs(root: Path) -> None:
    environ = {"GITHUB_WORKSPACE": str(root), "INPUT_PATH": "skills", "INPUT_X": "1"}
    inputs = read_inputs(environ)
    assert inputs.problems == ("there is no input 'path'; did you mean 'paths'?",)
    assert inputs.notices == ("there is no input 'x'; it is ignored.",)
    inputs = read_inputs(environ | {"INPUT_PATHS": "skills"})
    assert inputs.problems == ()
    assert len(inputs.notices) == 2
