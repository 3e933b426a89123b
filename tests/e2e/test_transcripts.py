"""The transcripts of the artifact-evals vocabulary's documentation, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import DATA, Manni

TRANSCRIPTS = sorted((DATA / "transcripts").iterdir())


@pytest.mark.parametrize("folder", TRANSCRIPTS, ids=lambda folder: folder.name)
def test_transcript(folder: Path, manni: Manni, tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_bytes((folder / "SKILL.md").read_bytes())
    command = (folder / "cmd").read_text(encoding="utf-8").split()
    done = manni(*command[1:], cwd=tmp_path)
    assert done.out.encode() == (folder / "stdout").read_bytes()
    assert (done.code, done.err) == (1, "")
