"""Fetching, against a real server on loopback."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

import pytest

from manni.base.errors import SchemaError
from manni.model.config import SchemaTrust
from manni.schemas import http as fetching
from manni.schemas.addresses import PUBLIC, Trust, is_public
from manni.schemas.store import SchemaStore

SCHEMA = {"$id": "https://example.com/s.json", "title": "Served", "type": "object"}
LOOPBACK = SchemaTrust(hosts=("127.0.0.1",))
HERE = Trust(allowed=frozenset({"127.0.0.1", "localhost"}))
REFUSED = "not at a public address; --allow-host, or the action's input allow-hosts, allows it"


def fetch(url: str, *, trust: Trust = HERE, **options: object) -> bytes:
    return fetching.fetch(url, trust=trust, **options)  # type: ignore[arg-type]


class Server(ThreadingHTTPServer):
    """Answers by path, and remembers what it was asked."""

    daemon_threads = True
    # Connections that the client closes are no news here.
    handle_error: Callable[..., None] = lambda *_: None

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str | None]] = []
        self.released = threading.Event()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    def url(self, path: str) -> str:
        return f"http://{self.address}{path}"

    def count(self, path: str) -> int:
        return [asked for asked, _ in self.asked].count(path)


class Handler(BaseHTTPRequestHandler):
    """One method for each kind of path."""

    server: Server
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Stay silent."""

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers.get("Authorization")))
        kind, _, rest = self.path.lstrip("/").partition("/")
        getattr(self, f"answer_{kind}")(rest)

    def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_schema(self, _: str) -> None:
        self.reply(200, json.dumps(SCHEMA).encode())

    def answer_status(self, status: str) -> None:
        self.reply(int(status), b"{}")

    def answer_once(self, _: str) -> None:
        self.reply(503) if self.server.count(self.path) == 1 else self.answer_schema("")

    def answer_hangup(self, _: str) -> None:
        if self.server.count(self.path) == 1:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            self.answer_schema("")

    def answer_short(self, _: str) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "500")
        self.end_headers()
        self.wfile.write(b"{")
        self.close_connection = True

    def answer_envelope(self, _: str) -> None:
        self.reply(200, b'{"type": "about:blank", "title": "Not Found", "status": 404}')

    def answer_html(self, _: str) -> None:
        self.reply(200, b"<!doctype html>")

    def answer_big(self, _: str) -> None:
        self.reply(200, b" " * 6_000_000)

    def answer_stream(self, _: str) -> None:
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        for _number in range(100):
            self.wfile.write(b" " * 100_000)

    def answer_drip(self, _: str) -> None:
        self.send_response(200)
        self.end_headers()
        while not self.server.released.wait(0.02):
            self.wfile.write(b" ")

    def answer_hang(self, _: str) -> None:
        self.server.released.wait(30)

    def answer_redirect(self, location: str) -> None:
        self.reply(302, Location=location.replace("HOST", self.server.address))

    def answer_endless(self, _: str) -> None:
        """A redirect whose body has no end."""
        self.send_response(302)
        self.send_header("Location", "/schema")
        self.end_headers()
        while not self.server.released.is_set():
            self.wfile.write(b" " * 100_000)

    def answer_fragment(self, _: str) -> None:
        self.reply(302, Location="/schema#part")

    def answer_loop(self, _: str) -> None:
        self.reply(302, Location=self.path + "/x")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(fetching, "_PAUSE", 0.0)
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.released.set()
        running.shutdown()
        thread.join()


def failure(url: str, *, trust: Trust = HERE, **options: object) -> str:
    with pytest.raises(SchemaError) as caught:
        fetch(url, trust=trust, **options)
    return str(caught.value)


def test_an_answer(server: Server) -> None:
    assert json.loads(fetch(server.url("/schema"))) == SCHEMA
    assert server.asked == [("/schema", None)]


@pytest.mark.parametrize("path", ["/once", "/hangup"])
def test_a_fault_of_the_moment_is_tried_once_more(server: Server, path: str) -> None:
    assert json.loads(fetch(server.url(path))) == SCHEMA
    assert server.count(path) == 2


@pytest.mark.parametrize(
    ("path", "message", "attempts"),
    [
        ("/status/404", "the server answered 404 Not Found", 1),
        ("/status/204x", "this cannot be fetched: ", 2),
        ("/status/500", "this cannot be fetched: the server answered 500", 2),
        ("/short", "this cannot be fetched: IncompleteRead", 2),
        ("/big", "this is larger than 5 MB", 1),
        ("/stream", "this is larger than 5 MB", 1),
    ],
)
def test_no_answer(server: Server, path: str, message: str, attempts: int) -> None:
    said = failure(server.url(path))
    assert said.startswith(f"{server.url(path)}: {message}")
    assert server.count(path) == attempts


@pytest.mark.parametrize("path", ["/drip", "/hang"])
def test_the_time_is_limited_as_a_whole(server: Server, path: str) -> None:
    said = failure(server.url(path), timeout=0.3)
    assert said == f"{server.url(path)}: there was no complete answer within 0.3 seconds"


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert "Connection refused" in failure(f"http://127.0.0.1:{port}/s.json")


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/redirect//schema", None),
        ("/redirect/http://HOST/schema", None),
        ("/fragment", None),
        ("/redirect/https://HOST/schema", "it redirects to another scheme (https://"),
        ("/redirect/ftp://HOST/schema", "it redirects to another scheme (ftp://"),
        ("/redirect/file:///etc/passwd", "it redirects to another scheme (file:"),
        ("/redirect/http://user:pass@HOST/schema", "must hold no user name or password"),
        ("/redirect/http://[", "it redirects to what is no URL"),
        ("/loop", "the server redirects more than 5 times"),
        ("/status/304", "the server answered 304"),
        ("/redirect//endless", None),
    ],
)
def test_redirects(server: Server, path: str, answer: str | None) -> None:
    if answer is None:
        assert json.loads(fetch(server.url(path))) == SCHEMA
    else:
        assert answer in failure(server.url(path))


def test_redirects_stay_with_trusted_hosts(server: Server) -> None:
    trust = Trust(frozenset({"127.0.0.1"}), HERE.allowed)
    to_name = server.url(f"/redirect/http://localhost:{server.server_port}/schema")
    assert json.loads(fetch(server.url("/redirect//schema"), trust=trust)) == SCHEMA
    assert "schemaTrust.hosts does not name the host 'localhost'" in failure(to_name, trust=trust)
    assert server.count("/schema") == 1


@pytest.mark.parametrize("named", [True, False])
def test_a_host_may_be_named_with_its_port(server: Server, *, named: bool) -> None:
    trust = Trust(frozenset({server.address if named else "127.0.0.1:1"}), HERE.allowed)
    if named:
        assert fetch(server.url("/schema"), trust=trust)
    else:
        assert "does not name the host" in failure(server.url("/schema"), trust=trust)
        assert server.asked == []


@pytest.mark.parametrize(
    "host",
    [
        "10.0.0.1",
        "192.168.1.1:8080",
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.1",
        "169.254.169.254",
        "0.0.0.0",  # noqa: S104
        "224.0.0.1",
        "255.255.255.255",
        "100.64.0.1",
        "192.0.0.192",
        "168.63.129.16",
        "[::1]",
        "[::]",
        "[::127.0.0.1]",
        "[::10.1.2.3]",
        "[fe80::1]",
        "[fe80::1%25eth0]",
        "[fec0::1]",
        "[fd00::1]",
        "[ff02::1]",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "[64:ff9b:1::808:808]",
        "[2002:7f00:1::]",
        "[2001:0:7f00:1::]",
        "[2001:0:808:808::80ff:fffe]",
    ],
)
def test_only_public_addresses_are_reached(host: str) -> None:
    said = failure(f"http://{host}/latest", trust=PUBLIC, timeout=5)
    assert said.endswith(REFUSED) or "this is not a URL" in said


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "2002:808:808::1"]
)
def test_public_addresses(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("allowed", ["127.0.0.1", "127.0.0.1:PORT", "127.0.0.1:1", "localhost"])
def test_a_host_is_allowed_by_name_or_with_its_port(server: Server, allowed: str) -> None:
    trust = Trust(allowed=frozenset({allowed.replace("PORT", str(server.server_port))}))
    if allowed in {"127.0.0.1", "127.0.0.1:PORT"}:
        assert fetch(server.url("/schema"), trust=trust)
    else:
        assert failure(server.url("/schema"), trust=trust).endswith(REFUSED)
        assert server.asked == []


def test_a_name_of_schema_trust_reaches_no_private_address(server: Server) -> None:
    said = failure(server.url("/schema"), trust=Trust(frozenset({"127.0.0.1"})))
    assert said.endswith(REFUSED)
    assert server.asked == []


@pytest.mark.parametrize("host", ["localhost", "10.0.0.7", "169.254.169.254"])
def test_redirects_reach_public_addresses_only(server: Server, host: str) -> None:
    trust = Trust(allowed=frozenset({"127.0.0.1"}))
    url = server.url(f"/redirect/http://{host}:{server.server_port}/schema")
    assert failure(url, trust=trust).endswith(REFUSED)
    assert server.count("/schema") == 0


def test_a_name_is_judged_by_the_address_that_is_connected_to(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    lookups: list[str] = []

    def resolve(*_: object, **__: object) -> list[object]:
        """A public address when it is asked the first time, and loopback from then on."""
        lookups.append("93.184.216.34" if not lookups else "127.0.0.1")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (lookups[-1], server.server_port))]

    reached: list[object] = []

    def connect(_: socket.socket, place: object) -> None:
        reached.append(place)
        raise ConnectionRefusedError

    url = f"http://schemas.example.com:{server.server_port}/schema"
    with monkeypatch.context() as patched:
        patched.setattr(socket, "getaddrinfo", resolve)
        patched.setattr(socket.socket, "connect", connect)
        assert failure(url, trust=PUBLIC).endswith(REFUSED)  # of the second attempt
        assert reached == [("93.184.216.34", server.server_port)]
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert failure(url, trust=PUBLIC).endswith(REFUSED)
    assert server.asked == []
    allowed = Trust(allowed=frozenset({"schemas.example.com"}))
    assert json.loads(fetch(url, trust=allowed)) == SCHEMA


def test_a_token_goes_over_https_only() -> None:
    said = failure("http://schemas.example.com/x", trust=PUBLIC, token="secret")  # noqa: S106
    assert said == "http://schemas.example.com/x: a token is sent over https only"


def test_a_token_stays_with_its_server(server: Server) -> None:
    fetch(server.url("/redirect//schema"), token="secret")  # noqa: S106
    assert server.asked == [("/redirect//schema", "Bearer secret"), ("/schema", "Bearer secret")]
    server.asked.clear()
    elsewhere = server.url(f"/redirect/http://localhost:{server.server_port}/schema")
    fetch(elsewhere, token="secret")  # noqa: S106
    assert [token for _, token in server.asked] == ["Bearer secret", None]


@pytest.mark.parametrize("token", ["a\nHost: x", "é"])
def test_a_token_that_no_header_can_hold(token: str) -> None:
    said = failure("http://127.0.0.1/x", token=token)
    assert said == "http://127.0.0.1/x: the token for it holds characters that no header can"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://example.com/s", "only http and https URLs are fetched"),
        ("file:///etc/passwd", "only http and https URLs are fetched"),
        ("http://", "this is not a URL"),
        ("http://[", "this is not a URL"),
        ("http://a:99999/", "this is not a URL"),
        ("http://a:b/", "this is not a URL"),
        ("http://exämple.com/", "percent-encode"),
        ("http://example.com/a b", "percent-encode"),
        ("http://example.com/a\r\nHost: b", "percent-encode"),
        ("http://user@example.com/", "must hold no user name"),
        ("http://:pass@example.com/", "must hold no user name"),
        ("http://example.com/#/$defs/a", "leave out the part after '#'"),
        (f"http://{'a' * 70}.example/", ""),
    ],
)
def test_what_is_never_asked_for(url: str, message: str) -> None:
    assert message in failure(url)


class TestStore:
    """URLs as references."""

    def test_a_url_is_fetched_once(self, server: Server, tmp_path: Path) -> None:
        store = SchemaStore(tmp_path, allow_hosts=HERE.allowed)
        url = server.url("/schema")
        schema = store.load(url, tmp_path)
        assert store.load(url, tmp_path) is schema
        assert server.count("/schema") == 1
        assert (schema.reference, schema.base_uri, schema.identifier) == (url, url, url)
        assert (schema.info.title, schema.info.uri) == ("Served", url)

    @pytest.mark.parametrize(
        ("path", "message"),
        [
            ("/envelope", ": the answer holds no JSON Schema keyword, so it is no schema"),
            ("/html", ":1:1: the schema is not JSON: expecting value"),
            ("/status/404", ": the server answered 404 Not Found"),
        ],
    )
    def test_a_failure_is_remembered(
        self, server: Server, path: str, message: str, tmp_path: Path
    ) -> None:
        store = SchemaStore(tmp_path, allow_hosts=HERE.allowed)
        url = server.url(path)
        for _ in range(2):
            with pytest.raises(SchemaError) as caught:
                store.load(url, tmp_path)
            assert str(caught.value) == url + message
        assert server.count(path) == 1

    def test_artifacts_share_one_budget(
        self, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(fetching, "DOCUMENT_BUDGET", 0.3)
        store = SchemaStore(tmp_path, allow_hosts=HERE.allowed)
        said = []
        for path in ("/schema", "/hang/1", "/hang/2"):
            try:
                store.load_untrusted(server.url(path), tmp_path, LOOPBACK, confine=tmp_path)
            except SchemaError as error:
                said.append(str(error))
        assert "no complete answer" in said[0]
        assert "so no more are fetched" in said[1]
        assert server.count("/hang/2") == 0
        assert store.load(server.url("/schema"), tmp_path)

    def test_only_named_hosts(self, server: Server, tmp_path: Path) -> None:
        store = SchemaStore(tmp_path, allow_hosts=HERE.allowed)
        url = server.url("/schema")
        with pytest.raises(SchemaError, match="not at a public address"):
            SchemaStore(tmp_path).load_untrusted(url, tmp_path, LOOPBACK, confine=tmp_path)
        with pytest.raises(SchemaError, match="not at a public address"):
            SchemaStore(tmp_path).load(url, tmp_path)
        assert SchemaStore(tmp_path).load(url, tmp_path, of_user=True)
        for hosts in ((), ("example.com",)):
            with pytest.raises(SchemaError, match="does not name the host"):
                SchemaStore(tmp_path, allow_hosts=HERE.allowed).load_untrusted(
                    url, tmp_path, SchemaTrust(hosts=hosts), confine=tmp_path
                )
        assert store.load_untrusted(url, tmp_path, LOOPBACK, confine=tmp_path)
        assert store.load_untrusted(url, tmp_path, SchemaTrust(), confine=tmp_path)
