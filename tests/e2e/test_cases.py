"""Whole runs: each folder of `tests/cases` is a repository, a command and what it must print.

A folder holds `input/`, the repository; `cmd`, the arguments of `manni`, one command a line;
and `expected/` with `stdout`, `stderr` when anything is printed there, and `exit`. What differs
between machines and versions stands as `<dir>` and `<version>`.
"""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from manni import __version__
from support import Manni

CASES = Path(__file__).parent.parent / "cases"


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir() if path.is_dir()))
def test_case(name: str, manni: Manni, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    case = CASES / name
    root = tmp_path / "repo"
    shutil.copytree(case / "input", root, symlinks=True)
    (root / ".git").mkdir(exist_ok=True)
    outs, errs, exits = [], [], []
    for line in (case / "cmd").read_text(encoding="utf-8").splitlines():
        done = manni(*shlex.split(line), cwd=root)
        outs.append(done.out)
        errs.append(done.err)
        exits.append(f"{done.code}\n")
    actual = {"stdout": "".join(outs), "stderr": "".join(errs), "exit": "".join(exits)}
    actual = {kind: _scrubbed(text, root) for kind, text in actual.items()}
    expected = case / "expected"
    if request.config.getoption("--update-golden"):
        _write(expected, actual)
    for kind, text in actual.items():
        file = expected / kind
        wanted = file.read_text(encoding="utf-8") if file.exists() else ""
        assert text == wanted, f"{kind} of {name}"


def _scrubbed(text: str, root: Path) -> str:
    return text.replace(str(root), "<dir>").replace(__version__, "<version>")


def _write(expected: Path, actual: dict[str, str]) -> None:
    expected.mkdir(exist_ok=True)
    for kind, text in actual.items():
        if text:
            (expected / kind).write_text(text, encoding="utf-8")
        else:
            (expected / kind).unlink(missing_ok=True)
