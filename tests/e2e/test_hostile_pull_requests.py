"""Every attack of the table, through the command line and as a step of a workflow.

The image is put to the same table by `check_container.py`.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from attacks import ATTACKS, PRECIOUS, SERVER, Attack, lay_out
from support import Answers, Manni, Serve, Server

GENEROUS = 60
"""Seconds; what hangs takes minutes."""

ANSWERS: Answers = {
    "/s.json": (200, {}, b'{"type": "object"}'),
    "/m.yaml": (200, {}, b"{}"),
    "/elsewhere": (302, {"Location": "http://169.254.169.254/s.json"}, b""),
}


@pytest.fixture
def server(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Server:
    for name in ("ACTIONS_RUNTIME_TOKEN", "DOCS_TOKEN", "OTHER_TOKEN"):
        monkeypatch.setenv(name, PRECIOUS)
    return serve(ANSWERS)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    path = tmp_path / "workspace"
    path.mkdir()
    return path


def inputs_of(attack: Attack) -> dict[str, str]:
    return {
        name: text.replace("server.invalid", "127.0.0.1") for name, text in attack.inputs.items()
    }


def check(attack: Attack, code: int, said: str, server: Server, started: float) -> None:
    assert code == attack.code, said
    assert attack.says in said
    assert PRECIOUS not in said
    assert "Traceback" not in said
    assert all(token is None for _, token in server.seen)
    allowed = "allow_hosts" in attack.inputs
    assert allowed or server.seen == []
    assert time.monotonic() - started < GENEROUS


@pytest.mark.parametrize("name", ATTACKS)
def test_at_the_command_line(name: str, workspace: Path, manni: Manni, server: Server) -> None:
    attack, started = ATTACKS[name], time.monotonic()
    lay_out(attack, workspace, server.address)
    options = [
        f"--{option.replace('_', '-').removesuffix('s')}={text}"
        for option, text in inputs_of(attack).items()
    ]
    done = manni("meta", "validate", *options, cwd=workspace)
    check(attack, done.code, done.out + done.err, server, started)


@pytest.mark.parametrize("name", ATTACKS)
def test_as_a_step(
    name: str, workspace: Path, manni: Manni, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    attack, started = ATTACKS[name], time.monotonic()
    lay_out(attack, workspace, server.address)
    summary = workspace.parent / "summary"
    summary.touch()
    monkeypatch.setenv("GITHUB_WORKSPACE", str(workspace))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    for option, text in inputs_of(attack).items():
        monkeypatch.setenv(f"INPUT_{option.replace('_', '-').upper()}", text)
    done = manni("action", cwd=workspace)
    log = (workspace / "manni.sarif").read_text(encoding="utf-8")
    (run,) = json.loads(log)["runs"]
    assert run["invocations"][0]["executionSuccessful"] is (attack.code < 2)
    # A name of a file is percent-encoded in the log and code in the summary; the text is one.
    said = done.out + done.err + summary.read_text(encoding="utf-8") + log
    check(attack, done.code, said, server, started)


@pytest.mark.parametrize("allowed", [(), ("DOCS_TOKEN",)])
def test_a_token_is_sent_only_where_the_workflow_says_so(
    allowed: tuple[str, ...],
    workspace: Path,
    manni: Manni,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attack = ATTACKS["send a variable that others were named beside"]
    files = {
        name: text.replace("NAME", "DOCS_TOKEN") if isinstance(text, str) else text
        for name, text in attack.files.items()
    }
    lay_out(Attack(files, ""), workspace, server.address)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(workspace))
    monkeypatch.setenv("INPUT_ALLOW-HOSTS", "127.0.0.1")
    monkeypatch.setenv("INPUT_TOKEN-ENVS", " ".join(allowed))
    done = manni("action", cwd=workspace)
    assert done.code == (0 if allowed else 2)
    assert [token for _, token in server.seen] == [f"Bearer {PRECIOUS}"] * len(allowed)
    assert PRECIOUS not in done.out


def test_the_server_stands_for_one() -> None:
    assert any(SERVER in str(attack.files) for attack in ATTACKS.values())
