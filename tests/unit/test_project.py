"""What several files of the project say has to agree."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from manni import __version__

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))


@pytest.fixture(scope="module")
def project() -> Any:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def pins(lock: str) -> dict[str, str]:
    text = (ROOT / "requirements" / lock).read_text()
    return dict(re.findall(r"(?m)^([a-z0-9._-]+)==([^ ;\\]+)", text))


def test_one_version(project: Any) -> None:
    assert project["project"]["version"] == __version__
    assert f"\n## {__version__}\n" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("lock", ["runtime.lock", "dev.lock"])
def test_the_locks_satisfy_the_project(project: Any, lock: str) -> None:
    wanted = list(project["project"]["dependencies"])
    if lock == "dev.lock":
        wanted += project["dependency-groups"]["dev"] + project["build-system"]["requires"]
    pinned = pins(lock)
    for requirement in map(Requirement, wanted):
        name = canonicalize_name(requirement.name)
        assert name in pinned, f"{name} is not in {lock}; run 'make lock'"
        assert pinned[name] in requirement.specifier, f"{lock} is old; run 'make lock'"


def test_the_locks_agree() -> None:
    common = [pins("runtime.lock"), pins("build.lock"), pins("dev.lock")]
    for name in set().union(*common):
        assert len({pinned[name] for pinned in common if name in pinned}) == 1, name


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_pin_has_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    blocks = re.split(r"(?m)^(?=[a-z0-9])", text)[1:]
    assert blocks
    assert all("--hash=sha256:" in block for block in blocks)


def test_the_npm_lock_names_no_address() -> None:
    packages = json.loads((ROOT / ".ci/package-lock.json").read_text())["packages"]
    installed = {name: package for name, package in packages.items() if name}
    assert all("resolved" not in package for package in installed.values())
    assert all(package["integrity"] for package in installed.values())


def test_workflows_pin_every_action() -> None:
    for workflow in (ROOT / ".github/workflows").glob("*.yml"):
        for used in re.findall(r"uses: (.*)", workflow.read_text()):
            assert re.match(r"\./|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", used), used
