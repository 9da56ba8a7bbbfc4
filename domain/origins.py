"""Hosts and origins as a server compares them: exact values, never pieces of text.

Sources: RFC 9110, section 7.2 (Host); RFC 6454 (origins); RFC 5952 (the one spelling of an IPv6 address).
"""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final
from urllib.parse import urlsplit

from loopx.domain.errors import LoopXError
from loopx.domain.http.address import is_loopback

HTTP_PORT: Final = 80
_DEFAULT_PORTS: Final = {"http": HTTP_PORT, "https": 443}
_MAXIMUM_PORT: Final = 65_535
_MAXIMUM_HOST: Final = 253
_AUTHORITY: Final = re.compile(
    r"(?P<host>\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,254})(?::(?P<port>[1-9][0-9]{0,4}))?"
)
_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMERIC_LABEL: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")


@dataclass(frozen=True, slots=True)
class Authority:
    """A host, lower-case and canonical, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a page comes from: scheme, host and effective port."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"


def read_authority(text: str, default_port: int = HTTP_PORT) -> Authority | None:
    """The value of a ``Host`` field; ``None`` unless it is exactly host or host:port.

    A trailing dot stays part of the name, so that it is equal to nothing but itself.
    """
    match = _AUTHORITY.fullmatch(text.lower()) if text.isascii() else None
    if match is None:
        return None
    host = _read_host(match["host"])
    port = int(match["port"]) if match["port"] else default_port
    return Authority(host, port) if host is not None and port <= _MAXIMUM_PORT else None


def read_origin(text: str) -> Origin | None:
    """The value of an ``Origin`` field; ``None`` for anything but the one spelling browsers use."""
    scheme, separator, rest = text.partition("://")
    if not separator or scheme not in _DEFAULT_PORTS:
        return None
    authority = read_authority(rest, _DEFAULT_PORTS[scheme])
    if authority is None:
        return None
    origin = Origin(scheme, authority.host, authority.port)
    return origin if str(origin) == text else None


def check_allowed_origin(text: str) -> Origin:
    """An origin that the person who starts the server lets in.

    Raises:
        LoopXError: ``usage_error/origin``, with the spelling that would work if there is one.
    """
    origin = read_origin(text)
    if origin is not None:
        return origin
    error = LoopXError("usage_error", "origin", detail=f"{text[:80]!r}")
    corrected = _corrected(text)
    raise error.with_hint(f"Write it as {corrected}") if corrected else error


def check_allowed_host(text: str, bound_port: int) -> frozenset[Authority]:
    """A host that the person who starts the server lets in, with the ports it is asked for at.

    Without a port it is meant both as it stands (a proxy in front) and at the bound port.

    Raises:
        LoopXError: ``usage_error/allowed_host``.
    """
    with_default, with_bound = read_authority(text), read_authority(text, bound_port)
    if with_default is None or with_bound is None:
        raise LoopXError("usage_error", "allowed_host", detail=f"{text[:80]!r}")
    # https ends at the proxy, and its default port is then what a browser leaves out.
    return frozenset({with_default, with_bound})


def _read_host(host: str) -> str | None:
    if host.startswith("["):
        return _read_ipv6(host[1:-1])
    name = host.removesuffix(".")
    labels = name.split(".")
    if len(name) > _MAXIMUM_HOST or not all(_LABEL.fullmatch(label) for label in labels):
        return None
    # "127.1" and "0x7f.1" are addresses to a resolver; only the plain spelling is one here.
    if _NUMERIC_LABEL.fullmatch(labels[-1]) and not _is_ipv4(host):
        return None
    return host


def _is_ipv4(host: str) -> bool:
    try:
        return str(IPv4Address(host)) == host
    except AddressValueError:
        return False


def _read_ipv6(text: str) -> str | None:
    try:
        return str(IPv6Address(text))
    except AddressValueError:
        return None


def _corrected(text: str) -> str | None:
    """What was probably meant, if one origin was; a pattern and ``null`` stand for many."""
    wanted = text.strip()
    if "*" in wanted or wanted.lower() in {"", "null"}:
        return None
    if "://" not in wanted:
        wanted = f"{_likely_scheme(wanted)}://{wanted}"
    try:
        parts = urlsplit(wanted)
        host = (parts.hostname or "").encode("idna").decode("ascii")
        port = f":{parts.port}" if parts.port not in {None, _DEFAULT_PORTS.get(parts.scheme)} else ""
    except ValueError:
        return None
    origin = f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}"
    return origin if read_origin(origin) is not None else None


def _likely_scheme(text: str) -> str:
    authority = read_authority(text.partition("/")[0])
    return "http" if authority is not None and is_loopback(authority.host) else "https"
