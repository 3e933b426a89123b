"""The arrows between the modules point one way."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "manni"

# The order in which data passes through the modules; none imports one that comes after it.
FLOW = (
    "findings",
    "documents",
    "metadata",
    "config",
    "targets",
    "schemas",
    "selection",
    "external",
    "validation",
    "checks",
    "baseline",
    "settings",
    "run",
    "arguments",
    "cli",
)
FOUNDATION = {"findings", "errors", "text"}
ENTRY_POINTS = {"cli", "arguments", "action", "inputs", "run"}


def _name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def _imports(path: Path, modules: set[str]) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            assert node.module is not None
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    own = {name.removeprefix("manni").removeprefix(".") for name in found if _is_own(name)}
    return {name for name in own if name in modules and name != ""}


def _is_own(name: str) -> bool:
    return name == "manni" or name.startswith("manni.")


def _graph() -> dict[str, set[str]]:
    files = {_name(path): path for path in PACKAGE.rglob("*.py")}
    return {name: _imports(path, set(files)) for name, path in files.items()}


GRAPH = _graph()


def test_no_cycle() -> None:
    assert set(TopologicalSorter(GRAPH).static_order()) >= set(GRAPH)


@pytest.mark.parametrize("module", sorted(FOUNDATION))
def test_the_foundation_imports_nothing(module: str) -> None:
    assert GRAPH[module] <= FOUNDATION - {module}


@pytest.mark.parametrize(("position", "module"), list(enumerate(FLOW)))
def test_data_moves_one_way(position: int, module: str) -> None:
    assert GRAPH[module].isdisjoint(FLOW[position + 1 :])


@pytest.mark.parametrize("module", sorted(set(GRAPH) - ENTRY_POINTS - {"", "__main__"}))
def test_nothing_depends_on_an_entry_point(module: str) -> None:
    assert GRAPH[module].isdisjoint(ENTRY_POINTS)


@pytest.mark.parametrize("module", sorted(name for name in GRAPH if name.startswith("reports.")))
def test_reporters_see_the_report_alone(module: str) -> None:
    described = {"findings", "text", "rules", "advice", "fingerprints"}
    assert {name for name in GRAPH[module] if not name.startswith("reports")} <= described


def test_modules_stay_small() -> None:
    lengths = {
        _name(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in PACKAGE.rglob("*.py")
    }
    assert {name: lines for name, lines in lengths.items() if lines > 430} == {}


HEAVY = ("sarif_om", "attrs", "urllib.request", "http.client", "socket", "ssl", "multiprocessing")


@pytest.mark.parametrize(
    "arguments",
    [
        ["meta", "schemas"],
        ["meta", "validate", "--no-config", "page.md", "-s", "agentskills:skill:1.0"],
    ],
)
def test_start_up_imports_no_more_than_it_uses(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("---\nname: a\ndescription: b\n---\n", encoding="utf-8")
    code = (
        "import sys; from manni.cli import main; code = main(sys.argv[1:]); "
        f"print([name for name in {HEAVY!r} if name in sys.modules]); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
