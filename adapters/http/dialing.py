"""Open connections: names through the resolver, then one address after the other."""

import asyncio
import errno
import socket
from collections.abc import Iterable
from typing import Final

import httpcore

from loopx.adapters.http.channel import Channel
from loopx.application.ports.resolver import Resolver

CONNECT_TIMEOUT: Final = 5.0
"""Seconds for one address, and again for its TLS handshake."""

_NO_ROUTE: Final = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})


class Dialer(httpcore.AsyncNetworkBackend):
    """Connects to exactly the addresses that the resolver names, so they can be judged before."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = CONNECT_TIMEOUT,
        local_address: str | None = None,  # noqa: ARG002 - of httpcore's interface, and not offered here
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,  # noqa: ARG002 - the same
    ) -> Channel:
        failures: list[OSError] = []
        for address in await self._resolver.resolve(host):
            try:
                return await _connect(address, port, timeout)
            except OSError as exc:
                failures.append(exc)
        cause = min(failures, key=_says_little, default=socket.gaierror())
        # Only our own timer expires without an error number.
        late = isinstance(cause, TimeoutError) and cause.errno is None
        raise (httpcore.ConnectTimeout if late else httpcore.ConnectError) from cause


def _says_little(failure: OSError) -> bool:
    """That IPv6 has no route here says nothing about a server that refuses over IPv4."""
    return failure.errno in _NO_ROUTE


async def _connect(address: str, port: int, timeout: float | None) -> Channel:
    loop = asyncio.get_running_loop()
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setblocking(False)  # noqa: FBT003 - the standard library takes no keyword here
        async with asyncio.timeout(timeout):
            await loop.sock_connect(opened, (address, port))
        _, channel = await loop.create_connection(Channel, sock=opened)
    except BaseException:  # whatever it is passes on; the socket must not stay behind
        opened.close()
        raise
    return channel
