"""Types and data that tests share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Completed:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        """Standard output, read as one JSON document."""
        document: dict[str, Any] = json.loads(self.out)
        return document


Manni = Callable[..., Completed]


Answers = Mapping[str, tuple[int, dict[str, str], bytes]]
"""From a path to what it is answered with."""


class Server(ThreadingHTTPServer):
    """Answers from a table of paths to (status, headers, body) and remembers what it was sent."""

    def __init__(self, answers: Answers) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.seen: list[tuple[str, str | None]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.seen.append((self.path, self.headers.get("Authorization")))
        status, headers, body = self.server.answers.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


Serve = Callable[[Answers], Server]
