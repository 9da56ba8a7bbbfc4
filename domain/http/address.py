"""Which hosts are this machine or its own network, told from the literal name alone."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

LOCALHOST: Final = "localhost"
"""Always this machine (RFC 6761, section 6.3); no resolver is asked for it."""

_NAT64: Final = IPv6Network("64:ff9b::/96")
_SIX_TO_FOUR: Final = IPv6Network("2002::/16")
"""Given up by its inventors (RFC 7526); Python's own tables call it public or not by their age."""

_METADATA: Final = frozenset({"100.100.100.200", "fd00:ec2::254"})
"""Metadata services outside the link-local ranges (Alibaba Cloud, AWS over IPv6)."""

_Address = IPv4Address | IPv6Address


def is_address(host: str) -> bool:
    """Whether a host is an IP address and not a name."""
    return _read(host) is not None


def is_loopback(host: str) -> bool:
    """Whether a host names this machine literally: 127.0.0.0/8, ::1 or localhost."""
    address = _read(host)
    return host == LOCALHOST if address is None else address.is_loopback


def is_private(host: str) -> bool:
    """Whether a host is no public one by its literal name: loopback, private, link-local, reserved."""
    address = _read(host)
    if address is None:
        return host == LOCALHOST
    if isinstance(address, IPv6Address):
        if address in _SIX_TO_FOUR:
            return True
        if address in _NAT64:
            # A gateway dials the IPv4 address in the last 32 bits (RFC 6052).
            address = IPv4Address(int(address) & 0xFFFF_FFFF)
    return not address.is_global or address.is_multicast


def is_link_local(host: str) -> bool:
    """Whether a host is an address of the link itself, where clouds hand out their credentials."""
    address = _read(host)
    return address is not None and (address.is_link_local or str(address) in _METADATA)


def _read(host: str) -> _Address | None:
    try:
        address = ip_address(host)
    except ValueError:
        return None
    # The kernel dials a mapped address as the IPv4 address it holds.
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
