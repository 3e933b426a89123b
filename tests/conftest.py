"""What every test may use: the command line, run in this process as a user would run it."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from support import Answers, Completed, Manni, Serve, Server

settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")


@pytest.fixture
def manni(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Manni:
    """The command line: `manni("meta", "validate", ..., cwd=..., stdin=b"")`."""
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "INPUT_", "MANNI_"))]:
        monkeypatch.delenv(name)

    def run(*argv: str, cwd: Path = tmp_path, stdin: bytes = b"") -> Completed:
        from manni.cli.main import main

        out, err = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        monkeypatch.chdir(cwd)
        code = main(argv)
        return Completed(code, _written(out), _written(err))

    return run


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """An empty repository."""
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    return root


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a person renew the expected outputs, to be read before they are committed."""
    parser.addoption("--update-golden", action="store_true", help="write expected outputs anew")


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Starts servers on loopback: `serve({path: (status, headers, body)})`."""
    monkeypatch.setenv("no_proxy", "*")
    servers: list[Server] = []

    def start(answers: Answers) -> Server:
        server = Server(answers)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()
