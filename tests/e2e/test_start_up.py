"""What a run does not use it does not import; the arrows are import-linter's business."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "sarif_om",
    "attrs",
    "jsonschema",
    "dulwich",
    "urllib.request",
    "http.client",
    "socket",
    "ssl",
    "multiprocessing",
)


@pytest.mark.parametrize(
    ("arguments", "imported"),
    [
        (["meta", "schemas"], []),
        # `jsonschema_rs` imports `email.utils`, and that one `socket`.
        (["meta", "validate", "--no-config", "page.md", "-s", "agentskills:skill:1.0"], ["socket"]),
    ],
)
def test_start_up_imports_no_more_than_it_uses(
    arguments: list[str], imported: list[str], tmp_path: Path
) -> None:
    (tmp_path / "page.md").write_text("---\nname: a\ndescription: b\n---\n", encoding="utf-8")
    code = (
        "import sys; from manni.cli.main import main; code = main(sys.argv[1:]); "
        f"print([name for name in {HEAVY!r} if name in sys.modules]); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == str(imported)
