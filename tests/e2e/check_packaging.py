"""What surrounds the code; run by `.ci/packaging`, since it needs what `make tools` installs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
MANNI = Path(sys.executable).with_name("manni")

# The linter, the file, what stands there, and the mistake that takes its place.
MISTAKES = [
    ("action-schema", "action.yml", "  using: docker", "  using: dockr"),
    ("action-schema", "action.yml", "    required: false", "    requierd: false"),
    ("actionlint", ".github/workflows/ci.yml", "steps.check.outputs", "steps.chekc.outputs"),
    ("actionlint", ".github/workflows/release.yml", "needs: prepare", "needs: prepared"),
    ("dependabot-schema", ".github/dependabot.yml", "interval: weekly", "interval: sometimes"),
    ("gitlab-schema", "templates/manni.gitlab-ci.yml", "  script:", "  skript:"),
    ("hadolint", "Dockerfile", "WORKDIR /src", "WORKDIR src"),
    ("hadolint", "Dockerfile", "COPY . .", "ADD . ."),
    ("shellcheck", ".ci/run", 'cd "$(dirname "$0")/.."', "cd $(dirname $0)/.."),
    ("workflow-schema", ".github/workflows/ci.yml", "runs-on:", "run-on:"),
    ("yamllint", "action.yml", "  using: docker", "  using: docker  "),
    ("zizmor", ".github/workflows/ci.yml", "persist-credentials: false", "fetch-depth: 1"),
    ("zizmor", ".github/workflows/artifacts.yml", "permissions: {}", "permissions: write-all"),
    (
        "zizmor",
        ".github/workflows/release.yml",
        "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1",
        "actions/checkout@v7",
    ),
]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packaging files."""
    path = tmp_path_factory.mktemp("tree")
    for name in (".ci", ".github", "templates"):
        ignore = shutil.ignore_patterns("node_modules")
        shutil.copytree(ROOT / name, path / name, ignore=ignore)
    for name in ("Dockerfile", "action.yml", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, path / name)
    return path


def lint(tree: Path, linter: str) -> subprocess.CompletedProcess[str]:
    command = [str(ROOT / ".ci/lint"), str(tree), linter]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("linter", "file", "right", "wrong"), MISTAKES)
def test_a_planted_mistake_is_noticed(
    tree: Path, linter: str, file: str, right: str, wrong: str
) -> None:
    path = tree / file
    original = path.read_text()
    assert right in original
    try:
        path.write_text(original.replace(right, wrong, 1))
        done = lint(tree, linter)
        assert done.returncode == 1, done.stdout
        assert f"{linter}: FAILED" in done.stdout
    finally:
        path.write_text(original)


def test_without_mistakes_every_linter_is_content(tree: Path) -> None:
    for linter in dict.fromkeys(linter for linter, *_ in MISTAKES):
        done = lint(tree, linter)
        assert done.returncode == 0, done.stdout


def readme_workflows() -> list[str]:
    """The workflows of the README; what is a part of a job there is made a whole one."""
    blocks = re.findall(
        r"^```yaml\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    job = "name: A\non: push\npermissions: {}\njobs:\n  check:\n    runs-on: ubuntu-latest\n"
    whole = [block for block in blocks if re.search(r"^jobs:", block, re.MULTILINE)]
    return whole + [job + block for block in blocks if block.startswith("    ")]


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("linter", ["actionlint", "workflow-schema"])
def test_the_workflows_of_the_readme(tree: Path, number: int, linter: str) -> None:
    workflows = readme_workflows()
    assert len(workflows) == 2
    path = tree / ".github/workflows/readme.yml"
    try:
        path.write_text(workflows[number])
        done = lint(tree, linter)
        assert done.returncode == 0, done.stdout
        path.write_text(workflows[number].replace("steps.manni.outputs", "steps.mani.outputs"))
        if linter == "actionlint":
            assert lint(tree, linter).returncode == 1
    finally:
        path.unlink()


def manni(*arguments: str, cwd: Path, code: int) -> None:
    environ = os.environ | {
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "owner/name",
        "GITHUB_SHA": "0123456789abcdef0123456789abcdef01234567",
        "GITHUB_REF": "refs/heads/main",
    }
    done = subprocess.run(
        [MANNI, "meta", "validate", *arguments, "-f", "sarif", "-o", "log.sarif"],
        cwd=cwd,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr


def complaints(log: Path) -> list[str]:
    """What Microsoft's validator says of a log, or of its own failure to read it."""
    (tool,) = (ROOT / ".ci/node_modules/@microsoft").glob("sarif-multitool-*/Sarif.Multitool")
    verdict = log.with_suffix(".verdict.sarif")
    command = [str(tool), "validate", str(log), "--rule-kind", "Sarif;Ghas"]
    command += ["--level", "Error;Warning;Note", "--log", "ForceOverwrite"]
    command += ["--config", str(ROOT / ".ci/sarif-validation.xml"), "--output", str(verdict)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not verdict.exists():
        return [done.stdout + done.stderr]
    (run,) = json.loads(verdict.read_text("utf-8-sig"))["runs"]
    said = [
        notification["message"]["text"]
        for invocation in run["invocations"]
        for kind in ("toolExecutionNotifications", "toolConfigurationNotifications")
        for notification in invocation.get(kind, [])
        if notification.get("level") == "error"
    ]
    if done.returncode and not said:
        said.append(done.stdout + done.stderr)
    return said + [f"{result['ruleId']}: {result['message']}" for result in run.get("results", [])]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    path = tmp_path / "repository"
    shutil.copytree(ROOT / "examples", path)
    (path / ".git").mkdir()
    return path


def skill(path: Path, front_matter: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(f"---\n{front_matter}---\n\n# Body\n", encoding="utf-8")


def test_the_log_of_the_examples(repository: Path) -> None:
    manni(cwd=repository, code=1)
    assert complaints(repository / "log.sarif") == []


def test_the_log_of_a_clean_run(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    skill(tmp_path / "skills/tidy/SKILL.md", "name: tidy\ndescription: Tidies up.\n")
    manni(cwd=tmp_path, code=0)
    assert complaints(tmp_path / "log.sarif") == []


def test_the_log_of_a_run_without_a_verdict(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    manni("missing.md", cwd=tmp_path, code=2)
    assert complaints(tmp_path / "log.sarif") == []


def test_the_log_of_unusual_paths(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("two words", "größe-日本", "100%#[1]", "a&b<c>'d'"):
        skill(tmp_path / name / "SKILL.md", "name: 7\ndescription: A thing: for that\n")
        skill(tmp_path / name / "more" / "SKILL.md", "name: 7\nmodel: ''\neffort: hihg\n")
    manni(cwd=tmp_path, code=1)
    assert complaints(tmp_path / "log.sarif") == []


def test_the_validator_notices_a_planted_mistake(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    skill(tmp_path / "skills/odd/SKILL.md", "name: 7\n")
    manni(cwd=tmp_path, code=1)
    log = tmp_path / "log.sarif"
    document = json.loads(log.read_text())
    document["runs"][0]["results"][0]["ruleIndex"] = 99
    log.write_text(json.dumps(document))
    assert complaints(log)
    log.write_text("[]")
    assert complaints(log)


def test_the_wheel_holds_the_package_and_its_schemas(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("manni_action-*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    schemas = {
        f"manni/schemas/data/{path.relative_to(ROOT / 'schemas')}"
        for path in (ROOT / "schemas").rglob("*.json")
    }
    sources = (
        path for kind in ("py", "yaml", "css", "js") for path in ROOT.glob(f"src/**/*.{kind}")
    )
    modules = {str(path.relative_to(ROOT / "src")) for path in sources}
    assert schemas
    assert schemas | modules | {"manni/py.typed"} <= names
    others = {name for name in names if not name.startswith("manni/")}
    assert all(".dist-info/" in name for name in others)


def test_the_projects_own_artifacts() -> None:
    """What the workflow `artifacts.yml` checks, from the same words."""
    workflow = yaml.safe_load((ROOT / ".github/workflows/artifacts.yml").read_text())
    (step,) = (s for s in workflow["jobs"]["check"]["steps"] if s["uses"] == "./")
    environ = {f"INPUT_{name.upper()}": value for name, value in step["with"].items()}
    environ |= {"GITHUB_WORKSPACE": str(ROOT), "INPUT_SARIF-FILE": ""}
    done = subprocess.run(
        [MANNI, "action"], cwd=ROOT, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 failed" in done.stdout
