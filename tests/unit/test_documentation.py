"""What the README says is what the tool does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from manni.engine.options import INPUTS, OPTIONS
from manni.schemas.builtin import entries
from support import Manni

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def _code(text: str) -> str:
    return text and f"`{text}`".replace("|", "\\|")


TABLES = {
    "Options": [
        ["option", "meaning"],
        *([_code(each.usage), each.description] for each in OPTIONS if each.usage),
    ],
    "Inputs": [
        ["input", "default", "meaning"],
        *(
            [_code(name), _code(option.input_default), option.input_description]
            for name, option in INPUTS.items()
        ),
    ],
    "Outputs": [
        ["output", "meaning"],
        *(
            [f"`{name}`", " ".join(spec["description"].split())]
            for name, spec in ACTION["outputs"].items()
        ),
    ],
    "Configuration": [
        ["built-in schema", "checks"],
        *([f"`{each.id}`", each.summary] for each in entries()),
    ],
}
"""Every table of the README, by the section that it is the only one of."""


@pytest.mark.parametrize("section", TABLES)
def test_tables(section: str, request: pytest.FixtureRequest) -> None:
    head, *rows = TABLES[section]
    lines = [f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]]
    text = README.read_text(encoding="utf-8")
    before, heading, after = text.partition(f"\n## {section}\n")
    expected = re.sub(r"(\|.*\|\n)+", lambda _: "\n".join([*lines, ""]), after, count=1)
    if request.config.getoption("--update-golden"):
        README.write_text(before + heading + expected, encoding="utf-8")
    else:
        assert after == expected, "the README's table is old; run 'make docs'"


def test_the_help_names_all_of_it(manni: Manni, tmp_path: Path) -> None:
    helped = manni("meta", "validate", "--help").out
    assert all(name in helped for option in OPTIONS for name in option.names)
    helped = manni("action", "--help", cwd=tmp_path).out
    assert all(f"\n  {name}\n" in helped for name in INPUTS)
    assert list(tmp_path.iterdir()) == []


def test_the_picture_of_the_output(manni: Manni) -> None:
    picture = TEXT.split("```text\n")[1].split("```")[0]
    done = manni("meta", "validate", cwd=ROOT / "examples")
    assert done.code == 1
    assert picture == done.out.split("\n", 1)[1]


@pytest.mark.parametrize(
    "line", re.findall(r"^manni meta validate (?!-f|--write).*", TEXT, re.MULTILINE)
)
def test_commands_of_the_readme_are_understood(line: str, manni: Manni) -> None:
    import shlex

    arguments = shlex.split(line, comments=True)[1:]
    assert "option" not in manni(*arguments, cwd=ROOT / "examples").err
