from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from manni.action.step import run_action
from manni.engine import run as run_module
from manni.engine.options import INPUTS
from manni.model.findings import Report

ROOT = Path(__file__).resolve().parents[3]

TIDY = "---\nname: tidy\ndescription: Tidies up.\n---\n"
UNTIDY = "---\nname: 7\ndescription: Tidies up.\neffort: hihg\n---\n"


@dataclass(frozen=True)
class Step:
    code: int
    log: str
    outputs: dict[str, str]
    summary: str

    @property
    def live(self) -> str:
        """The log without what the runner is told to print as it is."""
        kept, found = re.subn(
            r"(?ms)^::stop-commands::(\S+)$.*?^::\1::$", "", self.log
        )  # fmt: skip
        assert found <= 1
        return kept

    @property
    def annotations(self) -> list[str]:
        return [
            line for line in self.live.splitlines() if re.match("::(error|warning|notice)", line)
        ]


def outputs_of(text: str) -> dict[str, str]:
    blocks = re.findall(r"(?ms)^(\S+)<<(\S+)\n(.*?)\n\2$", text)
    return {name: value for name, _, value in blocks}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    path = tmp_path / "workspace"
    (path / ".git").mkdir(parents=True)
    return path


Act = Callable[..., Step]


@pytest.fixture
def act(
    tmp_path: Path,
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Act:
    """Run a step with inputs, named with underscores, and give what it left behind."""
    for name in [name for name in os.environ if name.startswith(("INPUT_", "GITHUB_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(workspace))
    monkeypatch.chdir(workspace)
    files = {"GITHUB_OUTPUT": tmp_path / "output", "GITHUB_STEP_SUMMARY": tmp_path / "summary"}

    def act(**inputs: str) -> Step:
        with pytest.MonkeyPatch.context() as patch:
            for name, file in files.items():
                file.write_text("")
                patch.setenv(name, str(file))
            for name, value in inputs.items():
                patch.setenv(f"INPUT_{name.replace('_', '-').upper()}", value)
            code = run_action()
        printed = capsys.readouterr()
        assert printed.err == ""
        output, summary = (file.read_text() for file in files.values())
        return Step(code, printed.out, outputs_of(output), summary)

    return act


def add(workspace: Path, name: str, text: str) -> None:
    path = workspace / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def sarif(workspace: Path, name: str = "manni.sarif") -> Any:
    (run,) = json.loads((workspace / name).read_text())["runs"]
    return run


def test_a_clean_run(act: Act, workspace: Path) -> None:
    add(workspace, "tidy/SKILL.md", TIDY)
    step = act()
    assert step.code == 0
    assert "::group::manni: 1 file checked, 1 passed, 0 failed, 0 errors" in step.live
    assert "\n::endgroup::\n" in step.live
    assert step.annotations == []
    assert step.outputs == {
        "exit-code": "0",
        "sarif-file": "manni.sarif",
        "files": "1",
        "failed": "0",
        "errors": "0",
        "warnings": "0",
        "notices": "0",
        "faults": "0",
        "annotations-omitted": "0",
    }
    assert step.summary
    assert sarif(workspace)["results"] == []


def test_findings(act: Act, workspace: Path) -> None:
    add(workspace, "a/SKILL.md", UNTIDY)
    step = act(json_file="out/m.json", junit_file="out/m.xml")
    assert step.code == 1
    assert "✗ a/SKILL.md" in step.log
    assert "✗ a/SKILL.md" not in step.live
    assert len(step.annotations) == 2
    assert all(line.startswith("::error file=a/SKILL.md,line=") for line in step.annotations)
    assert step.outputs["failed"] == "1"
    assert step.outputs["errors"] == step.outputs["faults"] == "2"
    assert len(sarif(workspace)["results"]) == 2
    assert json.loads((workspace / "out/m.json").read_text())["summary"]["failed"] == 1
    assert (workspace / "out/m.xml").read_text().startswith("<?xml")


def test_each_report_can_be_turned_off(act: Act, workspace: Path) -> None:
    add(workspace, "a/SKILL.md", UNTIDY)
    step = act(sarif_file="", annotations="false", summary="false", args="--quiet")
    assert step.code == 1
    assert step.annotations == []
    assert step.summary == ""
    assert step.outputs["sarif-file"] == ""
    assert step.outputs["annotations-omitted"] == "0"
    assert sorted(path.name for path in workspace.iterdir()) == [".git", "a"]


def test_rules_are_counted_in_the_log(act: Act, workspace: Path) -> None:
    add(workspace, "a/SKILL.md", UNTIDY)
    rule = r"^1  \S+/\S+"
    assert re.search(rule, act(args="--statistics").log, re.MULTILINE)
    assert not re.search(rule, act().log, re.MULTILINE)


def test_fail_on(act: Act, workspace: Path) -> None:
    add(workspace, "a/SKILL.md", UNTIDY)
    step = act(fail_on="never")
    assert (step.code, step.outputs["exit-code"], step.outputs["failed"]) == (0, "0", "1")
    evals = "metadata:\n  evals: The session ran the tests.\n---\n"
    add(workspace, "a/SKILL.md", TIDY.removesuffix("---\n") + evals)
    schema = "manni:artifact-evals:1.0.0"
    assert act(schemas=schema).code == 0
    assert act(schemas=schema, fail_on="warning").code == 1


def test_what_the_annotations_leave_out_is_counted(act: Act, workspace: Path) -> None:
    for number in range(12):
        add(workspace, f"{number}/SKILL.md", UNTIDY)
    step = act()
    assert step.outputs["faults"] == "24"
    assert step.outputs["annotations-omitted"] == "14"
    assert len(step.annotations) == 11
    assert "manni.sarif" in step.annotations[-1]


def test_working_directory_and_config(act: Act, workspace: Path) -> None:
    add(workspace, "sub/x/SKILL.md", UNTIDY)
    add(
        workspace,
        "sub/my.yaml",
        "collections: [{name: c, paths: [none]}]\nmeta: {allowEmpty: true}\n",
    )
    add(workspace, "sub/none/x", "")
    step = act(working_directory="sub", sarif_file="logs/x.sarif", annotations="true")
    assert step.outputs["sarif-file"] == "logs/x.sarif"
    assert (workspace / "logs/x.sarif").is_file()
    (first, *_) = sarif(workspace, "logs/x.sarif")["results"]
    location = first["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "sub/x/SKILL.md"
    assert "file=sub/x/SKILL.md" in step.annotations[0]
    assert "✗ x/SKILL.md" in step.log


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"shard": "x"}, "input 'shard'"),
        ({"paths": "missing.md"}, "missing.md"),
        ({"working_directory": "missing"}, "input 'working-directory'"),
    ],
)
def test_no_verdict(act: Act, workspace: Path, inputs: dict[str, str], said: str) -> None:
    add(workspace, "a/SKILL.md", UNTIDY)
    step = act(annotations="false", **inputs)
    assert step.code == 2
    (annotation,) = step.annotations
    assert annotation.startswith("::error title=manni::")
    assert said in annotation
    assert step.outputs["exit-code"] == "2"
    assert step.outputs["sarif-file"] == "manni.sarif"
    (invocation,) = sarif(workspace)["invocations"]
    assert invocation["executionSuccessful"] is False
    assert said in step.summary


def test_without_a_workspace(act: Act, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", "/missing")
    step = act()
    assert step.code == 2
    assert "there is no workspace at '/missing'; run actions/checkout" in step.annotations[0]
    assert step.outputs["sarif-file"] == ""


def test_an_empty_workspace(act: Act, workspace: Path) -> None:
    (workspace / ".git").rmdir()
    step = act()
    assert step.code == 2
    assert "The workspace is empty: run actions/checkout before this step." in step.annotations[0]


@pytest.mark.parametrize("name", ["sarif", "json", "junit"])
def test_a_report_that_cannot_be_written(act: Act, workspace: Path, name: str) -> None:
    add(workspace, "a/SKILL.md", UNTIDY)
    (workspace / "taken").mkdir()
    step = act(**{f"{name}_file": "taken"})
    assert step.code == 2
    assert step.outputs["exit-code"] == "2"
    assert step.outputs["sarif-file"] == ("" if name == "sarif" else "manni.sarif")
    (annotation,) = (line for line in step.annotations if "title=manni" in line)
    assert f"input '{name}-file'%3A" in annotation or f"input '{name}-file': " in annotation
    assert "is a directory" in annotation


def test_outputs_or_a_summary_that_cannot_be_written(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    add(workspace, "a/SKILL.md", TIDY)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(workspace))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(workspace))
    monkeypatch.delenv("GITHUB_OUTPUT", raising=False)
    assert run_action() == 0
    assert "::warning title=manni::the step summary cannot be written" in capsys.readouterr().out
    monkeypatch.setenv("GITHUB_OUTPUT", str(workspace))
    assert run_action() == 2
    assert "::error title=manni::the outputs of the step cannot" in capsys.readouterr().out


def test_the_summary_is_added_within_its_limit(
    act: Act, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(workspace, "a/SKILL.md", TIDY)
    whole = act().summary
    file = tmp_path / "started"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(file))
    file.write_text("before\n")
    run_action()
    assert file.read_text() == "before\n" + whole
    full = "x" * (1024 * 1024 - 10)
    file.write_text(full)
    run_action()
    assert file.read_text() == full


HOSTILE = "::error::x\n##[error]x\n::add-mask::x\n::endgroup::"


def test_hostile_text_stays_text(act: Act, workspace: Path) -> None:
    front = json.dumps({"name": 7, "effort": HOSTILE, HOSTILE: 1, "model": ""})
    for name in (HOSTILE, "::error::b", "c\r\nEOF\r\nexit-code=0"):
        add(workspace, f"{name}/SKILL.md".replace("/x", "x"), f";;;\n{front}\n;;;\n")
    step = act(detail="findings")
    assert step.code == 1
    assert step.outputs["exit-code"] == "1"
    assert step.outputs["files"] == "3"
    for line in step.live.splitlines():
        assert re.match(r"(::(error|warning|notice) (file=|title=manni)|::(end)?group::|$)", line)


def test_the_run_is_printed_between_tokens_nobody_can_guess(act: Act, workspace: Path) -> None:
    add(workspace, "a/SKILL.md", TIDY)
    tokens = {re.findall(r"::stop-commands::(\S+)", act().log)[0] for _ in range(2)}
    assert len(tokens) == 2
    assert all(len(token) > 32 for token in tokens)


def test_notes_of_the_run_and_odd_inputs_are_told(
    act: Act, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(workspace, "a/SKILL.md", TIDY)
    monkeypatch.setattr(run_module, "run", lambda _: Report(notes=("one ::error::\n",)))
    monkeypatch.setenv("INPUT_ZEBRA", "1")
    step = act()
    assert "notice: one ::error::\\n\n" in step.log
    (annotation,) = step.annotations
    assert annotation == "::notice title=manni::there is no input 'zebra'; it is ignored."


def test_action_yml_declares_what_the_code_reads_and_writes(act: Act, workspace: Path) -> None:
    declared = yaml.safe_load((ROOT / "action.yml").read_text())
    assert declared["inputs"] == {
        name: {
            "description": option.input_description,
            "required": False,
            "default": option.input_default,
        }
        for name, option in INPUTS.items()
    }
    assert list(declared["inputs"]) == list(INPUTS)
    add(workspace, "a/SKILL.md", TIDY)
    assert list(declared["outputs"]) == list(act().outputs)


def test_a_defect_still_leaves_a_log(
    act: Act, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_settings: object) -> Report:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(run_module, "run", broken)
    step = act()
    assert step.code == 2
    assert step.outputs["exit-code"] == "2"
    assert "a defect of manni itself (ZeroDivisionError" in step.annotations[0]
    [invocation] = sarif(workspace)["invocations"]
    assert invocation["executionSuccessful"] is False
