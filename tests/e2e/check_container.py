"""The image as a runner uses it, on workspaces of strangers.

Run by `make test-container` and not with the other tests: it needs a container engine
(`MANNI_ENGINE`, docker or podman) and the image (`MANNI_IMAGE`).
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from attacks import ATTACKS, PRECIOUS, lay_out

ROOT = Path(__file__).resolve().parents[2]
ENGINE = os.environ["MANNI_ENGINE"]
IMAGE = os.environ["MANNI_IMAGE"]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))

MEGABYTE = 1_000_000
LIMIT = 130 * MEGABYTE
COMPRESSED_LIMIT = 50 * MEGABYTE
STRANGER = 12345

TIDY = "---\nname: tidy\ndescription: Tidies up.\n---\n"
UNTIDY = "---\nname: 7\ndescription: Tidies up.\n---\n"


@dataclass(frozen=True)
class Step:
    """What a step left behind."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str

    @property
    def commands(self) -> list[str]:
        """The lines that the runner carries out, without those it is told to print as they are."""
        lines, stopped, end = [], False, ""
        for line in self.log.splitlines():
            if stopped:
                stopped = line.strip() != f"::{end}::"
                continue
            if match := re.fullmatch(r"::stop-commands::(\S+)", line.strip()):
                stopped, end = True, match[1]
            elif line.lstrip().startswith("::") or "##[" in line:
                lines.append(line.strip())
        return lines

    @property
    def annotations(self) -> list[str]:
        return [line for line in self.commands if not re.match(r"::(group|endgroup)::", line)]


@dataclass
class Runner:
    """What the runner gives to a step."""

    workspace: Path
    commands: Path
    mode: str = ""

    def step(self, *flags: str, **inputs: str) -> Step:
        for name in ("output", "summary"):
            file = self.commands / name
            file.write_text("")
            file.chmod(0o666)
        command = [ENGINE, "run", "--rm", "--pull=never", "--network=none", "--read-only"]
        command += ["--volume", f"{self.workspace}:/github/workspace{self.mode}"]
        command += ["--volume", f"{self.commands}:/github/file_commands"]
        command += ["--workdir", "/github/workspace"]
        environ = {
            "GITHUB_WORKSPACE": "/github/workspace",
            "GITHUB_OUTPUT": "/github/file_commands/output",
            "GITHUB_STEP_SUMMARY": "/github/file_commands/summary",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": "owner/name",
            "GITHUB_SHA": "0123456789abcdef0123456789abcdef01234567",
            "GITHUB_REF": "refs/heads/main",
        }
        environ |= {f"INPUT_{k.replace('_', '-').upper()}": v for k, v in inputs.items()}
        for name, value in environ.items():
            command += ["--env", f"{name}={value}"]
        command += [*flags, "--entrypoint", ACTION["runs"]["entrypoint"], IMAGE]
        command += inputs.get("args", "").split()  # a runner repeats them as arguments
        done = subprocess.run(command, capture_output=True, timeout=300, check=False)
        log = (done.stdout + done.stderr).decode("utf-8", "replace")
        outputs = (self.commands / "output").read_text("utf-8")
        return Step(
            code=done.returncode,
            log=log,
            outputs=parse_outputs(outputs),
            summary=(self.commands / "summary").read_text("utf-8"),
        )

    def add(self, name: str, text: str = TIDY) -> Path:
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def sarif(self, name: str = "manni.sarif") -> Any:
        (run,) = json.loads((self.workspace / name).read_text("utf-8"))["runs"]
        return run


def parse_outputs(text: str) -> dict[str, str]:
    """The outputs as the runner reads them."""
    found: dict[str, str] = {}
    lines = iter(text.splitlines())
    for line in lines:
        name, delimiter = line.split("<<")
        value = []
        for more in lines:
            if more == delimiter:
                break
            value.append(more)
        found[name] = "\n".join(value)
    return found


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    (tmp_path / "workspace/.git").mkdir(parents=True)
    (tmp_path / "commands").mkdir()
    return Runner(tmp_path / "workspace", tmp_path / "commands")


def executed(run: Any) -> bool:
    (invocation,) = run["invocations"]
    return bool(invocation["executionSuccessful"])


def test_the_image_is_small(tmp_path: Path) -> None:
    inspect = [ENGINE, "image", "inspect", "--format", "{{.Size}}", IMAGE]
    size = int(subprocess.run(inspect, capture_output=True, text=True, check=True).stdout)
    archive = tmp_path / "image.tar"
    subprocess.run([ENGINE, "save", "--output", str(archive), IMAGE], check=True)
    with archive.open("rb") as plain, gzip.open(tmp_path / "image.tar.gz", "wb", 6) as packed:
        shutil.copyfileobj(plain, packed)
    compressed = (tmp_path / "image.tar.gz").stat().st_size
    print(f"\nimage: {size / MEGABYTE:.0f} MB, {compressed / MEGABYTE:.0f} MB compressed")  # noqa: T201
    assert size <= LIMIT
    assert compressed <= COMPRESSED_LIMIT


def test_the_image_holds_only_what_runs() -> None:
    program = (
        "import os, sys\n"
        "names = {n for _, ds, fs in os.walk('/usr') for n in (*ds, *fs)}\n"
        "names |= set(os.listdir('/'))\n"
        "bad = {'pip', 'setuptools', 'pbr', 'ensurepip', 'sh', 'bash', 'apt', 'gcc', 'git'}\n"
        "sources = [os.path.join(d, f) for d, _, fs in os.walk('/usr') for f in fs"
        " if f.endswith('.py')]\n"
        "import importlib.util\n"
        "stale = [s for s in sources if not os.path.exists(importlib.util.cache_from_source(s))]\n"
        "print(sorted(names & bad), stale)\n"
    )
    command = [ENGINE, "run", "--rm", "--pull=never", "--network=none"]
    command += ["--entrypoint", "/usr/bin/python3.13", IMAGE, "-I", "-c", program]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[] []\n"


def test_the_examples(runner: Runner) -> None:
    shutil.copytree(ROOT / "examples", runner.workspace, dirs_exist_ok=True)
    step = runner.step(json_file="out/manni.json", junit_file="out/manni.xml")
    assert step.code == 1
    report = json.loads((runner.workspace / "out/manni.json").read_text())
    counts = report["summary"]
    assert step.outputs["exit-code"] == "1"
    assert step.outputs["sarif-file"] == "manni.sarif"
    assert int(step.outputs["files"]) == len(report["results"]) > 0
    assert int(step.outputs["errors"]) == counts["errors"] > 0
    assert int(step.outputs["failed"]) > 0
    assert set(step.outputs) == {
        *("exit-code", "sarif-file", "files", "failed", "errors", "warnings", "notices"),
        *("faults", "annotations-omitted"),
    }
    assert [line for line in step.annotations if line.startswith("::error file=")]
    assert "errors" in step.summary
    assert executed(runner.sarif())
    assert (runner.workspace / "out/manni.xml").read_text().startswith("<?xml")


def test_findings_decide_the_step_as_asked(runner: Runner) -> None:
    runner.add("a/SKILL.md", UNTIDY)
    assert runner.step().code == 1
    never = runner.step(fail_on="never", annotations="false", summary="false")
    assert never.code == 0
    assert never.outputs["exit-code"] == "0"
    assert never.outputs["failed"] == "1"
    assert never.annotations == []
    assert never.summary == ""
    runner.add("a/SKILL.md")
    assert runner.step().code == 0
    assert runner.sarif()["results"] == []


@pytest.mark.parametrize(
    ("inputs", "named"),
    [
        ({"annotations": "maybe"}, "annotations"),
        ({"fail_on": "errors"}, "fail-on"),
        ({"shard": "9/8"}, "shard"),
        ({"detail": "all"}, "detail"),
        ({"config": "../outside.yaml"}, "config"),
        ({"config": "/etc/passwd"}, "config"),
        ({"working_directory": "/"}, "working-directory"),
        ({"args": "--unheard-of"}, "args"),
        ({"path": "a"}, "path"),
        ({"paths": "missing.md"}, "missing.md"),
        ({"schemas": "anthropic:claude-skil:2.1"}, "claude-skil"),
    ],
)
def test_no_verdict(runner: Runner, inputs: dict[str, str], named: str) -> None:
    runner.add("a/SKILL.md")
    step = runner.step(**inputs)
    assert step.code == 2
    (annotation,) = step.annotations
    assert annotation.startswith("::error ")
    assert named in annotation
    assert step.outputs["exit-code"] == "2"
    assert step.outputs["sarif-file"] == "manni.sarif"
    assert not executed(runner.sarif())


def test_an_empty_workspace_asks_for_a_checkout(runner: Runner) -> None:
    (runner.workspace / ".git").rmdir()
    step = runner.step()
    assert step.code == 2
    assert "actions/checkout" in step.annotations[0]


def test_a_log_that_cannot_be_written(runner: Runner) -> None:
    runner.add("a/SKILL.md")
    (runner.workspace / "manni.sarif").mkdir()
    step = runner.step()
    assert step.code == 2
    assert step.outputs["sarif-file"] == ""
    assert "'sarif-file'" in step.annotations[0]


def test_a_workspace_of_another_user(runner: Runner) -> None:
    path = runner.add("a/SKILL.md", UNTIDY)
    if os.geteuid() == 0:
        for each in (runner.workspace, path.parent, path):
            os.chown(each, STRANGER, STRANGER)
    assert runner.step().code == 1
    log = (runner.workspace / "manni.sarif").stat()
    assert log.st_uid == runner.workspace.stat().st_uid


def test_another_user_of_the_container(runner: Runner) -> None:
    runner.add("a/SKILL.md", UNTIDY)
    runner.workspace.chmod(0o777)
    step = runner.step("--user", f"{STRANGER}:{STRANGER}", "--cap-drop=ALL")
    assert step.code == 1
    assert step.outputs["exit-code"] == "1"
    assert runner.sarif()["results"]


def test_a_workspace_that_is_read_only_but_for_the_log(runner: Runner, tmp_path: Path) -> None:
    runner.add("a/SKILL.md", UNTIDY)
    runner.add("manni.sarif", "")
    (tmp_path / "log").write_text("")
    locked = Runner(runner.workspace, runner.commands, mode=":ro")
    step = locked.step("--volume", f"{tmp_path}/log:/github/workspace/manni.sarif")
    assert step.code == 1
    assert json.loads((tmp_path / "log").read_text())["runs"][0]["results"]


def test_without_a_home(runner: Runner) -> None:
    runner.add("a/SKILL.md")
    flags = ["--unsetenv", "HOME"] if ENGINE.endswith("podman") else ["--env", "HOME="]
    assert runner.step(*flags).code == 0


def test_text_of_strangers_carries_nothing_out(runner: Runner) -> None:
    front = (
        "---\nname: |\n  ::error title=injected::\n  ##[error]injected\n  ::add-mask::injected\n"
        "  ::endgroup::\ndescription: 7\n"
        '"::warning::key": "\\e[31m\\u202eEOF\\nexit-code=0"\n'
        "effort: '<img src=x onerror=alert(1)> @everyone | [x](javascript:alert(1)) `'\n---\n"
    )
    names = (
        "::error::a",
        "##[error]b",
        "c\n::error title=injected::c",
        "d\r::e::",
        "%0Af",
        "g,h:i",
    )
    for name in names:
        runner.add(f"{name}/SKILL.md", front)
    step = runner.step()
    assert step.code == 1
    for annotation in step.annotations:
        assert re.match(r"::(error|warning|notice) (file=|title=manni)", annotation), annotation
    assert step.outputs["exit-code"] == "1"
    assert step.outputs["files"] == str(len(names))
    assert "<img" not in re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", step.summary)
    assert "\x1b" not in step.log + step.summary
    assert len(runner.sarif()["results"]) > 0


def test_links_lead_nowhere(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/SKILL.md").write_text(f"---\nname: {PRECIOUS}\nmodel: 7\n---\n")
    outside = ("--volume", f"{tmp_path}/outside:/outside")
    (runner.workspace / "a").mkdir()
    (runner.workspace / "a/SKILL.md").symlink_to("/outside/SKILL.md")
    (runner.workspace / "b").symlink_to("/outside")
    (runner.workspace / "c").mkdir()
    (runner.workspace / "c/SKILL.md").symlink_to("/proc/self/environ")
    (runner.workspace / "d").mkdir()
    (runner.workspace / "d/SKILL.md").symlink_to("SKILL.md")
    (runner.workspace / "manni.sarif").symlink_to("/outside/SKILL.md")
    runner.add("e/SKILL.md", UNTIDY)
    step = runner.step(*outside)
    assert step.code == 1
    log = (runner.workspace / "manni.sarif").read_text()
    assert PRECIOUS not in step.log + step.summary + log
    assert "GITHUB_REPOSITORY" not in step.log + step.summary + log
    assert PRECIOUS in (tmp_path / "outside/SKILL.md").read_text()
    assert not (runner.workspace / "manni.sarif").is_symlink()


@pytest.mark.parametrize("name", [name for name in ATTACKS if "redirect" not in name])
def test_an_attack(runner: Runner, tmp_path: Path, name: str) -> None:
    attack = ATTACKS[name]
    (runner.workspace / ".git").rmdir()
    lay_out(attack, runner.workspace, "http://127.0.0.1:9")
    outside = ("--volume", f"{tmp_path}/outside:/github/outside", "--env", f"DOCS_TOKEN={PRECIOUS}")
    step = runner.step(*outside, "--env", f"ACTIONS_RUNTIME_TOKEN={PRECIOUS}", **attack.inputs)
    assert step.code == attack.code, step.log
    said = step.log + step.summary + (runner.workspace / "manni.sarif").read_text("utf-8")
    assert attack.says in said
    assert PRECIOUS not in said


@pytest.mark.parametrize("what", ["schemas: [{ref: FILE}]", "register: [FILE]", "baseline: FILE"])
@pytest.mark.parametrize("content", ["PRECIOUS: [", '{"type": "PRECIOUS"}'])
def test_what_a_config_names_outside(
    runner: Runner, tmp_path: Path, what: str, content: str
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/file.json").write_text(content.replace("PRECIOUS", PRECIOUS))
    (runner.workspace / "link.json").symlink_to("/outside/file.json")
    runner.add("a/SKILL.md")
    for name in ("link.json", "/outside/file.json"):
        collections = "collections: [{name: all, paths: [a]}]\n"
        config = f"{collections}meta:\n  {what.replace('FILE', name)}\n"
        runner.add("manni.config.yaml", config)
        step = runner.step("--volume", f"{tmp_path}/outside:/outside")
        log = (runner.workspace / "manni.sarif").read_text()
        assert PRECIOUS not in step.log + step.summary + log


@pytest.mark.parametrize("target", ["/proc/self/environ", "/outside/config.yaml"])
def test_a_config_that_is_a_link_out(runner: Runner, tmp_path: Path, target: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/config.yaml").write_text(f"meta: {{{PRECIOUS}: 1}}\n")
    runner.add("a/SKILL.md")
    (runner.workspace / "manni.config.yaml").symlink_to(target)
    step = runner.step("--volume", f"{tmp_path}/outside:/outside")
    assert step.code == 2
    assert "leads out of the workspace" in step.annotations[0]
    log = (runner.workspace / "manni.sarif").read_text()
    assert PRECIOUS not in step.log + step.summary + log
    assert "owner/name" not in step.log + step.summary


def test_pipes_and_devices_are_not_opened(runner: Runner) -> None:
    (runner.workspace / "a").mkdir()
    os.mkfifo(runner.workspace / "a/SKILL.md")
    (runner.workspace / "b").mkdir()
    (runner.workspace / "b/SKILL.md").symlink_to("/dev/zero")
    runner.add("c/SKILL.md")
    step = runner.step()
    assert step.code in {0, 1}
    assert int(step.outputs["files"]) >= 1


@pytest.mark.parametrize("named", [{}, {"config": "manni.config.yaml"}])
def test_a_pipe_in_place_of_the_config(runner: Runner, named: dict[str, str]) -> None:
    os.mkfifo(runner.workspace / "manni.config.yaml")
    runner.add("a/SKILL.md")
    assert runner.step(**named).code == (2 if named else 0)


def test_a_huge_file_is_a_finding(runner: Runner) -> None:
    path = runner.add("a/SKILL.md")
    os.truncate(path, 1024**3)
    runner.add("b/SKILL.md")
    step = runner.step("--memory=512m")
    assert step.code == 1
    assert step.outputs["files"] == "2"
    assert step.outputs["failed"] == "1"


def test_many_files(runner: Runner) -> None:
    for directory in range(200):
        (runner.workspace / f"d{directory}").mkdir()
        for number in range(1000):
            (runner.workspace / f"d{directory}/{number}.md").touch()
    runner.add("d7/SKILL.md", UNTIDY)
    step = runner.step("--memory=512m")
    assert step.code == 1
    assert step.outputs["files"] == "1"


def test_the_command_line_is_there_too(runner: Runner) -> None:
    runner.add("a/SKILL.md", UNTIDY)
    command = [ENGINE, "run", "--rm", "--pull=never", "--network=none", "--workdir", "/w"]
    command += ["--volume", f"{runner.workspace}:/w", IMAGE, "meta", "validate", "-f", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert json.loads(done.stdout)["summary"]
    for argument, code in {"--help": 0, "--version": 0, "--nonsense": 2}.items():
        asked = [*command[:-4], "action", argument]
        assert subprocess.run(asked, capture_output=True, check=False).returncode == code
    assert not (runner.workspace / "manni.sarif").exists()
