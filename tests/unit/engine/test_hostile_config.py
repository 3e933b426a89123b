"""What a pull request's config and artifacts cannot reach, with a server that hears it."""

from __future__ import annotations

from pathlib import Path

import pytest

from manni.base.errors import OperationalError
from manni.engine.run import run
from manni.engine.settings import Settings
from support import Answers, Serve, Server

PAGE = "---\ntitle: A\n---\n"
COLLECTION = "collections:\n  - name: pages\n    paths: [a.md]\n"


ANSWERS: Answers = {"/s.json": (200, {}, b'{"type": "object"}'), "/m.yaml": (200, {}, b"{}")}


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve(ANSWERS)


def settings(repo: Path, config: str, page: str = PAGE, *allow: str) -> Settings:
    (repo / "manni.config.yaml").write_text(config + COLLECTION, encoding="utf-8")
    (repo / "a.md").write_text(page, encoding="utf-8")
    return Settings(cwd=repo, allow_hosts=allow)


def test_a_schema_of_the_config(repo: Path, server: Server) -> None:
    config = f"meta:\n  schemas: ['{server.address}/s.json']\n"
    with pytest.raises(OperationalError, match="--allow-host") as caught:
        run(settings(repo, config))
    assert str(caught.value).startswith("manni.config.yaml:2: ")
    assert server.seen == []
    [result] = run(settings(repo, config, PAGE, "127.0.0.1")).results
    assert result.ok
    assert server.seen == [("/s.json", None)]


def test_a_schema_of_a_document(repo: Path, server: Server) -> None:
    page = f'---\n"$schema": {server.address}/s.json\n---\n'
    [result] = run(settings(repo, "", page)).results
    [finding] = result.findings
    assert finding.rule_id == "manni/schema-error"
    assert "not at a public address; --allow-host" in finding.message
    assert server.seen == []
    [result] = run(settings(repo, "", page, server.address.removeprefix("http://"))).results
    assert result.ok
    assert server.seen == [("/s.json", None)]


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
    assert server.seen == []
    run(Settings(cwd=repo, allow_hosts=("127.0.0.1",)))
    assert server.seen == [("/m.yaml", None)]
