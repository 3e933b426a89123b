"""JSON over HTTP, within limits.

A schema's URL may come from an artifact or a config, and those from a stranger's pull request. So
requests are bounded in time and size, never leave the scheme that was asked for, and reach public
addresses only, unless whoever runs this tool allows a host. A token never leaves the server that it
is for.
"""

from __future__ import annotations

import http.client
import queue
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from ipaddress import ip_address
from urllib.parse import SplitResult, urldefrag, urljoin, urlsplit

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.schemas.addresses import PUBLIC, Trust, check_address, check_literal, names_of, server_of
from manni.schemas.loader import MAX_BYTES, too_large

TIMEOUT = 10.0
"""Seconds that an answer may take altogether, redirects and the second attempt included."""

DOCUMENT_BUDGET = 60.0
"""Seconds that all URLs supplied by artifacts may take together in one run."""

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
class _Question:
    """What is asked, of whom, and until when."""

    url: str
    label: str
    trust: Trust
    token: str | None
    deadline: float

    @property
    def left(self) -> float:
        """Seconds until the deadline and one more: the caller, who waits less, tells of it."""
        return max(self.deadline - time.monotonic(), 0.0) + 1.0


class Fetcher:
    """Fetches what the schemas of one run name.

    Args:
        allow_hosts: hosts that may be at any address; see `manni.schemas.addresses.Trust`.
    """

    def __init__(self, allow_hosts: Iterable[str]) -> None:
        self._allowed = frozenset(host.lower() for host in allow_hosts)
        self._budget = DOCUMENT_BUDGET

    def fetch(self, url: str, *, anywhere: bool) -> bytes:
        """See `fetch`; `anywhere` says that the URL's own host may be at any address."""
        own = {server_of(url)} if anywhere else set()
        return fetch(url, trust=Trust(allowed=self._allowed | own))

    def fetch_for_artifact(self, url: str, hosts: Iterable[str] | None) -> bytes:
        """See `fetch`; artifacts share one budget, and may be held to certain hosts."""
        if self._budget <= 0:
            raise SchemaError(
                f"the URLs in artifacts took {DOCUMENT_BUDGET:g} seconds, so no more are fetched",
                where=shorten(visible(url), 200),
            )
        trust = Trust(None if hosts is None else frozenset(hosts), self._allowed)
        start = time.monotonic()
        try:
            return fetch(url, trust=trust, timeout=min(TIMEOUT, self._budget))
        finally:
            self._budget -= time.monotonic() - start


class _RetryableError(Exception):
    """A fault that another attempt may not meet: the network's, or the server's own (5xx)."""


def fetch(
    url: str, *, trust: Trust = PUBLIC, token: str | None = None, timeout: float = TIMEOUT
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
    parts = check_url(url, trust, label)
    if token is not None and parts.scheme != "https" and not trust.allows(parts):
        raise SchemaError("a token is sent over https only", where=label)
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
        names = names_of(parts)
    except ValueError:
        raise SchemaError("this is not a URL", where=label) from None
    if parts.scheme not in {"http", "https"}:
        raise SchemaError("only http and https URLs are fetched", where=label)
    if not parts.hostname or not url.isascii() or not url.isprintable() or " " in url:
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
    if trust.hosts is not None and not trust.hosts & names:
        raise SchemaError(
            f"schemaTrust.hosts does not name the host '{visible(parts.hostname.lower())}'",
            where=label,
        )
    if not trust.allows(parts):
        check_literal(parts.hostname, label)
    return parts


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
    """Opens connections to addresses that may be reached."""

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
        """The class of connection to use.

        Behind a proxy the address is the proxy's, which decides what it reaches.
        """
        proxied = req.has_proxy() or getattr(req, "_tunnel_host", None)
        if proxied or self._question.trust.allows(urlsplit(req.full_url)):
            return kind
        label = self._question.label

        class Guarded(kind):  # type: ignore[misc, valid-type]
            def connect(self) -> None:
                self._create_connection = partial(_connect, label)
                super().connect()

        return Guarded


def _connect(
    label: str, address: tuple[str, int], timeout: float, _source: object = None
) -> socket.socket:
    """As `socket.create_connection`, but only to public addresses.

    The name is looked up once, and what it leads to is checked and connected to, because a name may
    lead elsewhere each time that it is looked up.
    """
    problem = OSError("the name leads to no address")
    for family, kind, protocol, _, place in socket.getaddrinfo(*address, type=socket.SOCK_STREAM):
        check_address(ip_address(str(place[0]).partition("%")[0]), label)
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(timeout)
            connection.connect(place)
        except OSError as error:
            connection.close()
            problem = error
        else:
            return connection
    raise problem
