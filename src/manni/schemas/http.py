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
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urldefrag, urljoin, urlsplit

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.schemas.loader import MAX_BYTES, too_large

TIMEOUT = 10.0
"""Seconds that an answer may take altogether, redirects and the second attempt included."""

MAX_REDIRECTS = 5
"""How often an answer may lead on to another URL."""

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_PORTS = {"http": 80, "https": 443}
_PAUSE = 0.25
_CHUNK = 1 << 16


_HEADERS = {
    "Accept": "application/schema+json, application/json, application/yaml, */*;q=0.1",
    "User-Agent": "manni",
}


@dataclass(frozen=True, slots=True)
class Trust:
    """Who may be asked; redirects included.

    Hosts are in lower case, `host` or `host:port`, an IPv6 address with or without brackets.

    Attributes:
        hosts: the only hosts that may be asked, as a config says; None for any host.
        allowed: hosts that may be asked whatever their addresses are, as whoever runs this tool
            says. Any other host must be at a public address: the rest reach a runner's own
            network, or the metadata service of a cloud, on behalf of whoever wrote the URL.
    """

    hosts: frozenset[str] | None = None
    allowed: frozenset[str] = frozenset()

    def allows(self, parts: SplitResult) -> bool:
        """Whether the host of a URL may be at any address."""
        return bool(self.allowed & _names(parts))


PUBLIC = Trust()
"""Any host at a public address."""


def server_of(url: str) -> str:
    """The host of a URL with its port, as `Trust` takes it; empty where it is no URL."""
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""


def _names(parts: SplitResult) -> frozenset[str]:
    """How lists of hosts may name the host of a URL."""
    host = (parts.hostname or "").lower()
    port = parts.port or _PORTS.get(parts.scheme)
    return frozenset({host, f"[{host}]", f"{host}:{port}", f"[{host}]:{port}"})


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
        names = _names(parts)
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
        _check_literal(parts.hostname, label)
    return parts


def _check_literal(host: str, label: str) -> None:
    """Refuse a host that is spelled as an address which is not public; names pass."""
    with suppress(OSError, ValueError):
        host = socket.inet_ntoa(socket.inet_aton(host))  # such as 127.1 and 0x7f000001
    with suppress(ValueError):
        _check_address(ip_address(host.partition("%")[0]), label)


def _check_address(address: IPv4Address | IPv6Address, label: str) -> None:
    if not is_public(address):
        raise SchemaError(
            "the host is not at a public address; --allow-host, or the action's input "
            "allow-hosts, allows it",
            where=label,
        )


_NAT64 = ip_network("64:ff9b::/96")
_COMPATIBLE = ip_network("::/96")
_SPECIAL = tuple(
    ip_network(network)
    for network in (
        "192.0.0.0/24",  # IETF protocol assignments, some of which `ipaddress` calls global
        "168.63.129.16/32",  # the host of a virtual machine in Azure
        "64:ff9b:1::/48",  # NAT64 of a network's own (RFC 8215)
        "fec0::/10",  # site-local (RFC 3879)
    )
)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address, and each IPv4 address that a gateway would take it for, is public."""
    inner = _embedded(address) if isinstance(address, IPv6Address) else ()
    if inner:
        return all(map(is_public, inner))
    if address.is_multicast or address.is_reserved or not address.is_global:
        return False
    return not any(address in network for network in _SPECIAL)


def _embedded(address: IPv6Address) -> tuple[IPv4Address, ...]:
    """The IPv4 addresses inside of one (RFC 4291 section 2.5.5, RFC 6052, 3056 and 4380)."""
    if address.teredo is not None:
        return address.teredo
    if address in _NAT64 or address in _COMPATIBLE:
        return (IPv4Address(int(address) & 0xFFFFFFFF),)
    found = address.ipv4_mapped or address.sixtofour
    return (found,) if found is not None else ()


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
        _check_address(ip_address(str(place[0]).partition("%")[0]), label)
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
