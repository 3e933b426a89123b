"""JSON over HTTP, within limits.

A schema's URL may come from an artifact, and an artifact may come from a stranger's pull request.
So requests are bounded in time and size and never leave the scheme that was asked for, and a token
never leaves the server that it is for. For URLs that artifacts supply, `Trust` also says which
hosts may answer.
"""

from __future__ import annotations

import http.client
import ipaddress
import queue
import socket
import threading
import time
import urllib.error
import urllib.request
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import SplitResult, urldefrag, urljoin, urlsplit

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.schemas.loader import MAX_BYTES, too_large

TIMEOUT = 10.0
"""Seconds that an answer may take altogether, redirects and the second attempt included."""

MAX_REDIRECTS = 5
"""How often an answer may lead on to another URL."""

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_PAUSE = 0.25
_CHUNK = 1 << 16


_HEADERS = {
    "Accept": "application/schema+json, application/json, application/yaml, */*;q=0.1",
    "User-Agent": "manni",
}


@dataclass(frozen=True, slots=True)
class Trust:
    """Who may be asked.

    Attributes:
        hosts: the only hosts that may be asked, in lower case, as `host` or `host:port`; None for
            any host. It holds for redirects too.
        public_only: refuse hosts at private, link-local and reserved addresses unless `hosts`
            names them. Such addresses reach a self-hosted runner's own network, or the metadata
            service of a cloud, on behalf of whoever wrote the URL. Loopback stays allowed: in a
            container it holds nothing, and elsewhere any web page can ask it as much.
    """

    hosts: frozenset[str] | None = None
    public_only: bool = False

    def names(self, host: str, port: int | None) -> bool:
        """Whether `hosts` lists this host."""
        return self.hosts is not None and bool(self.hosts & {host, f"{host}:{port}"})


ANYONE = Trust()
"""For URLs that the user wrote on the command line or in the config."""


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked, of whom, and until when."""

    url: str
    label: str
    trust: Trust
    token: str | None
    deadline: float

    @property
    def left(self) -> float:
        """Seconds until the deadline; above 0, since a socket takes no less."""
        return max(self.deadline - time.monotonic(), 0.001)


class _RetryableError(Exception):
    """A fault that another attempt may not meet: the network's, or the server's own (5xx)."""


def fetch(
    url: str, *, trust: Trust = ANYONE, token: str | None = None, timeout: float = TIMEOUT
) -> bytes:
    """The bytes that a GET request for `url` is answered with.

    A network error or a 5xx status is tried once more.

    Args:
        url: an absolute http or https URL.
        trust: who may be asked.
        token: goes as a bearer token (RFC 6750) to the server of `url`, and to no other that it
            redirects to. No message holds it.
        timeout: seconds for everything together.

    Raises:
        SchemaError: the URL is malformed or not trusted, or the answer is none: a failure, another
            status than 2xx, more than 5 MB, or too late.
    """
    label = shorten(visible(url), 200)
    check_url(url, trust, label)
    if token is not None and not (token.isascii() and token.isprintable()):
        raise SchemaError("the token for it holds characters that no header can", where=label)
    question = _Question(url, label, trust, token, time.monotonic() + timeout)
    # The total time cannot be bounded from within: looking up a name has no timeout, and a socket's
    # own starts again with every byte. So the caller waits for a thread, and not for the network.
    answer: queue.SimpleQueue[bytes | SchemaError] = queue.SimpleQueue()
    threading.Thread(target=_work, args=(question, answer), daemon=True, name="fetch").start()
    try:
        result = answer.get(timeout=timeout)
    except queue.Empty:
        raise SchemaError(
            f"there was no complete answer within {timeout:g} seconds", where=label
        ) from None
    if isinstance(result, SchemaError):
        raise result
    return result


def _work(question: _Question, answer: queue.SimpleQueue[bytes | SchemaError]) -> None:
    try:
        answer.put(_attempts(question))
    except SchemaError as error:
        answer.put(error)


def _attempts(question: _Question) -> bytes:
    try:
        return _attempt(question)
    except _RetryableError:
        time.sleep(_PAUSE)
    try:
        return _attempt(question)
    except _RetryableError as error:
        raise SchemaError(f"this cannot be fetched: {error}", where=question.label) from None


def _attempt(question: _Question) -> bytes:
    url = question.url
    for _ in range(MAX_REDIRECTS + 1):
        try:
            with _opener(question).open(_request(url, question), timeout=question.left) as response:
                return _body(response, question)
        except urllib.error.HTTPError as error:
            # Its body is never read: nobody needs it, and it might have no end.
            with closing(error):
                url = _next(url, error, question)
        except urllib.error.URLError as error:
            raise _RetryableError(shorten(visible(str(error.reason)), 200)) from None
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
            raise _RetryableError(shorten(visible(reason), 200)) from None
        except ValueError:
            raise SchemaError(
                "this is not a URL that can be asked for", where=question.label
            ) from None
    raise SchemaError(f"the server redirects more than {MAX_REDIRECTS} times", where=question.label)


def _request(url: str, question: _Question) -> urllib.request.Request:
    request = urllib.request.Request(url, headers=_HEADERS)  # noqa: S310 - the scheme was checked
    if question.token is not None and _server(url) == _server(question.url):
        request.add_header("Authorization", f"Bearer {question.token}")
    return request


def _server(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _next(url: str, error: urllib.error.HTTPError, question: _Question) -> str:
    """The URL that an answer redirects to; raises when it is no redirect to be followed."""
    location = error.headers.get("Location")
    label = question.label
    if error.code not in _REDIRECTS or not location:
        status = f"{error.code} {shorten(visible(str(error.reason)), 100)}"
        if error.code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise _RetryableError(f"the server answered {status}")
        raise SchemaError(f"the server answered {status}", where=label)
    target = shorten(visible(location), 200)
    try:
        following = urldefrag(urljoin(url, location)).url
    except ValueError:
        raise SchemaError(f"it redirects to what is no URL: {target}", where=label) from None
    if urlsplit(following).scheme != urlsplit(url).scheme:
        raise SchemaError(
            f"it redirects to another scheme ({target}); name that URL instead", where=label
        )
    check_url(following, question.trust, f"{label} redirects to {target}")
    return following


def _body(response: http.client.HTTPResponse, question: _Question) -> bytes:
    parts: list[bytes] = []
    size = 0
    while chunk := response.read1(_CHUNK):
        parts.append(chunk)
        size += len(chunk)
        if size > MAX_BYTES:
            raise too_large(question.label)
        if time.monotonic() > question.deadline:
            raise TimeoutError("the answer takes too long")
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(parts)


def check_url(url: str, trust: Trust, label: str) -> SplitResult:
    """Refuse a URL that is malformed or whose host is not trusted, without asking anyone.

    Returns:
        Its parts.

    Raises:
        SchemaError: it says what is wrong with the URL.
    """
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise SchemaError("this is not a URL", where=label) from None
    if parts.scheme not in {"http", "https"}:
        raise SchemaError("only http and https URLs are fetched", where=label)
    if not host or not url.isascii() or not url.isprintable() or " " in url:
        raise SchemaError(
            "this is not a URL; percent-encode spaces and letters beyond ASCII", where=label
        )
    if parts.username is not None or parts.password is not None:
        raise SchemaError(
            "the URL must hold no user name or password, since reports show it", where=label
        )
    if parts.fragment:
        raise SchemaError(
            "a URL names a whole file here; leave out the part after '#'", where=label
        )
    named = trust.names(host, port)
    if trust.hosts is not None and not named:
        raise SchemaError(
            f"schemaTrust.hosts does not name the host '{visible(host)}'", where=label
        )
    if trust.public_only and not named:
        _check_address(host, label)
    return parts


def _check_address(host: str, label: str) -> None:
    """Refuse an address that is not public; a name passes, until it is looked up."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return
    mapped = getattr(address, "ipv4_mapped", None)
    address = mapped or address
    if address.is_loopback or (address.is_global and not address.is_multicast):
        return
    raise SchemaError(
        "the host is at a private address; name it in schemaTrust.hosts to allow it", where=label
    )


def _opener(question: _Question) -> urllib.request.OpenerDirector:
    """An opener that knows http and https alone, and follows no redirect by itself."""
    opener = urllib.request.OpenerDirector()
    handlers: tuple[urllib.request.BaseHandler, ...] = (
        urllib.request.ProxyHandler(),
        _Handler(question),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.UnknownHandler(),
    )
    for handler in handlers:
        opener.add_handler(handler)
    return opener


class _Handler(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Opens connections, and closes those that turn out to reach an untrusted address."""

    def __init__(self, question: _Question) -> None:
        urllib.request.HTTPHandler.__init__(self)
        urllib.request.HTTPSHandler.__init__(self)
        self._question = question

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._guarded(http.client.HTTPConnection, req), req)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._guarded(http.client.HTTPSConnection, req), req)

    def _guarded(
        self, kind: type[http.client.HTTPConnection], req: urllib.request.Request
    ) -> type[http.client.HTTPConnection]:
        """The class of connection to use: one that checks its peer where that matters.

        The peer is looked at after connecting and before anything is asked, because a name may
        resolve to another address each time. Behind a proxy the peer is the proxy, which decides.
        """
        parts = urlsplit(req.full_url)
        host = (parts.hostname or "").lower()
        trust = self._question.trust
        named = trust.names(host, parts.port)
        proxied = req.has_proxy() or getattr(req, "_tunnel_host", None)
        if not trust.public_only or named or proxied:
            return kind
        label = self._question.label

        class Guarded(kind):  # type: ignore[misc, valid-type]
            def connect(self) -> None:
                super().connect()
                peer: socket.socket = self.sock
                address: Any = peer.getpeername()
                try:
                    _check_address(str(address[0]), label)
                except SchemaError:
                    self.close()
                    raise

        return Guarded
