"""Where a request may go: which URLs are called at all, and which two share an origin."""

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from loopx.domain.errors import LoopXError
from loopx.domain.http.address import is_link_local, is_loopback, is_private

_DEFAULT_PORTS: Final = {"https": 443, "http": 80}
_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMERIC_LABEL: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_UNSAFE: Final = re.compile(r"[\x00-\x20\x7f\\]")
_PATH_SAFE: Final = "/:@!$&'()*+,;=-._~%"
_QUERY_SAFE: Final = _PATH_SAFE + "?[]|^`{}"
_MAXIMUM_URL: Final = 8192
_MAXIMUM_HOST: Final = 253


@dataclass(frozen=True, slots=True)
class Target:
    """A checked address: scheme, lower-case ASCII host, explicit port and encoded path."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> tuple[str, str, int]:
        """What two addresses must share for a credential to follow (RFC 6454)."""
        return (self.scheme, self.host, self.port)

    @property
    def authority(self) -> str:
        """Host and port as the ``Host`` header names them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The address in full."""
        return f"{self.scheme}://{self.authority}{self.path}"

    @property
    def is_loopback(self) -> bool:
        """Whether the host is this machine by its literal name, without asking any resolver."""
        return is_loopback(self.host)

    @property
    def is_private(self) -> bool:
        """Whether the host is no public one by its literal name, without asking any resolver."""
        return is_private(self.host)


def read_target(url: str) -> Target:
    """Check an address and bring it into its one canonical form.

    Raises:
        LoopXError: ``request_invalid`` (``url``, ``host``, ``port``) when it is not usable;
            ``egress_blocked/scheme`` for anything but https, or http on loopback;
            ``egress_blocked/link_local`` for addresses where machines hand out credentials.
    """
    if len(url) > _MAXIMUM_URL or _UNSAFE.search(url):
        raise LoopXError("request_invalid", "url")
    try:
        parts = urlsplit(url)
        hostname, userinfo = parts.hostname, parts.username
    except ValueError:
        raise LoopXError("request_invalid", "url") from None
    if parts.scheme not in _DEFAULT_PORTS:
        reason = ("egress_blocked", "scheme") if parts.scheme and hostname else ("request_invalid", "url")
        raise LoopXError(*reason)
    if not hostname or userinfo is not None:
        raise LoopXError("request_invalid", "url")
    host = _read_host(hostname, bracketed="[" in parts.netloc)
    if is_link_local(host):
        raise LoopXError("egress_blocked", "link_local")
    if parts.scheme == "http" and not is_loopback(host):
        raise LoopXError("egress_blocked", "scheme")
    return Target(parts.scheme, host, _read_port(parts), _read_path(parts))


def resolve_location(base: Target, location: str) -> str:
    """The absolute address a ``Location`` header means (RFC 9110, section 10.2.2).

    Raises:
        LoopXError: ``provider_redirect_error/bad_location``.
    """
    try:
        return urljoin(base.url, location.strip())
    except ValueError:
        raise LoopXError("provider_redirect_error", "bad_location") from None


def _read_port(parts: SplitResult) -> int:
    # The ``port`` property also takes digits of other scripts, so the text is read here.
    _, colon, text = parts.netloc.rpartition("@")[2].rpartition("]")[2].rpartition(":")
    if not colon:
        return _DEFAULT_PORTS[parts.scheme]
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 1 <= int(text) <= 65_535:  # noqa: PLR2004 - RFC 9293
        raise LoopXError("request_invalid", "port")
    return int(text)


def _read_host(hostname: str, *, bracketed: bool) -> str:
    if bracketed:
        return _read_ipv6(hostname)
    labels = _to_ascii(hostname).split(".")
    name = ".".join(labels)
    if len(name) > _MAXIMUM_HOST or not all(_LABEL.fullmatch(label) for label in labels):
        raise LoopXError("request_invalid", "host")
    # "127.1", "0x7f.1" and "2130706433" would be dialled as addresses by the resolver.
    if _NUMERIC_LABEL.fullmatch(labels[-1]):
        try:
            return str(IPv4Address(name))
        except AddressValueError:
            raise LoopXError("request_invalid", "host") from None
    return name


def _read_ipv6(text: str) -> str:
    try:
        address = IPv6Address(text)
    except AddressValueError:
        raise LoopXError("request_invalid", "host") from None
    # A zone names an interface of one machine and has no place in a URL (RFC 9844).
    if address.scope_id is not None:
        raise LoopXError("request_invalid", "host")
    return str(address)


def _to_ascii(hostname: str) -> str:
    try:
        return hostname.lower().encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise LoopXError("request_invalid", "host") from None


def _read_path(parts: SplitResult) -> str:
    try:
        path = quote(parts.path or "/", safe=_PATH_SAFE)
        query = quote(parts.query, safe=_QUERY_SAFE)
    except UnicodeError:
        raise LoopXError("request_invalid", "url") from None
    return f"{path}?{query}" if query else path
