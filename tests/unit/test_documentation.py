"""What the README says is what the tool does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from manni.schemas.builtin import entries
from support import Manni

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def _rows(heading: str) -> list[list[str]]:
    section = README.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def test_inputs() -> None:
    assert _rows("Inputs") == [
        [
            f"`{name}`",
            f"`{spec['default']}`" if spec["default"] else "",
            _one_line(spec["description"]),
        ]
        for name, spec in ACTION["inputs"].items()
    ]


def test_outputs() -> None:
    assert _rows("Outputs") == [
        [f"`{name}`", _one_line(spec["description"])] for name, spec in ACTION["outputs"].items()
    ]


def test_built_in_schemas() -> None:
    assert _rows("Configuration") == [[f"`{each.id}`", each.summary] for each in entries()]


def test_the_picture_of_the_output(manni: Manni) -> None:
    picture = README.split("```text\n")[1].split("```")[0]
    done = manni("meta", "validate", cwd=ROOT / "examples")
    assert done.code == 1
    assert picture == done.out.split("\n", 1)[1]


@pytest.mark.parametrize(
    "line", re.findall(r"^manni meta validate (?!-f|--write).*", README, re.MULTILINE)
)
def test_commands_of_the_readme_are_understood(line: str, manni: Manni) -> None:
    import shlex

    arguments = shlex.split(line, comments=True)[1:]
    assert "option" not in manni(*arguments, cwd=ROOT / "examples").err
