"""Which hosts and addresses may be reached over the network."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from manni.base.errors import SchemaError

_PORTS = {"http": 80, "https": 443}


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
        return bool(self.allowed & names_of(parts))


PUBLIC = Trust()
"""Any host at a public address."""


def server_of(url: str) -> str:
    """The host of a URL with its port, as `Trust` takes it; empty where it is no URL."""
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""


def names_of(parts: SplitResult) -> frozenset[str]:
    """How lists of hosts may name the host of a URL."""
    host = (parts.hostname or "").lower()
    port = parts.port or _PORTS.get(parts.scheme)
    return frozenset({host, f"[{host}]", f"{host}:{port}", f"[{host}]:{port}"})


def check_literal(host: str, label: str) -> None:
    """Refuse a host that is spelled as an address which is not public; names pass."""
    with suppress(OSError, ValueError):
        host = socket.inet_ntoa(socket.inet_aton(host))  # such as 127.1 and 0x7f000001
    with suppress(ValueError):
        check_address(ip_address(host.partition("%")[0]), label)


def check_address(address: IPv4Address | IPv6Address, label: str) -> None:
    """Refuse an address that is not public; `label` says what is fetched."""
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
