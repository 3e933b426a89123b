"""What a pull request's config and artifacts cannot reach, with a server that hears it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from manni.base.errors import OperationalError
from manni.engine.run import run
from manni.engine.settings import Settings

PAGE = "---\ntitle: A\n---\n"
COLLECTION = "collections:\n  - name: pages\n    paths: [a.md]\n"


class Server(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.heard: list[str] = []
        self.address = f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None:
        """Stay silent."""

    def do_GET(self) -> None:
        self.server.heard.append(self.path)
        body = b"{}" if self.path.endswith(".yaml") else b'{"type": "object"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "*")
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def settings(repo: Path, config: str, page: str = PAGE, *allow: str) -> Settings:
    (repo / "manni.config.yaml").write_text(config + COLLECTION, encoding="utf-8")
    (repo / "a.md").write_text(page, encoding="utf-8")
    return Settings(cwd=repo, allow_hosts=allow)


def test_a_schema_of_the_config(repo: Path, server: Server) -> None:
    config = f"meta:\n  schemas: ['{server.address}/s.json']\n"
    with pytest.raises(OperationalError, match="--allow-host") as caught:
        run(settings(repo, config))
    assert str(caught.value).startswith("manni.config.yaml:2: ")
    assert server.heard == []
    [result] = run(settings(repo, config, PAGE, "127.0.0.1")).results
    assert result.ok
    assert server.heard == ["/s.json"]


def test_a_schema_of_a_document(repo: Path, server: Server) -> None:
    page = f'---\n"$schema": {server.address}/s.json\n---\n'
    [result] = run(settings(repo, "", page)).results
    [finding] = result.findings
    assert finding.rule_id == "manni/schema-error"
    assert "not at a public address; --allow-host" in finding.message
    assert server.heard == []
    [result] = run(settings(repo, "", page, f"127.0.0.1:{server.server_port}")).results
    assert result.ok
    assert server.heard == ["/s.json"]


def test_a_schema_of_the_command_line(repo: Path, server: Server) -> None:
    asked = settings(repo, "")
    [result] = run(Settings(cwd=asked.cwd, schemas=(f"{server.address}/s.json",))).results
    assert result.ok


def test_a_manifest(repo: Path, server: Server) -> None:
    manifest = (
        f"    externalMetadata:\n      - file: {server.address}/m.yaml\n        keys: [owner]\n"
    )
    asked = settings(repo, "meta:\n  schemas: [agentskills:skill:1.0]\n")
    path = repo / "manni.config.yaml"
    path.write_text(path.read_text(encoding="utf-8") + manifest, encoding="utf-8")
    with pytest.raises(OperationalError, match="--allow-host"):
        run(asked)
    assert server.heard == []
    run(Settings(cwd=repo, allow_hosts=("127.0.0.1",)))
    assert server.heard == ["/m.yaml"]
