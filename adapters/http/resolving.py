"""Host names through the operating system's resolver, without ever waiting for it in vain."""

import asyncio
import socket
from contextlib import suppress
from threading import Thread

from loopx.domain.errors import LoopXError
from loopx.domain.http.address import LOCALHOST, is_address

_LOOPBACK = ("::1", "127.0.0.1")


class SystemResolver:
    """Asks ``getaddrinfo`` in a thread of its own for each name.

    The call cannot be interrupted. A daemon thread keeps neither a deadline nor the end of the
    program waiting for it, as a pool of threads would.
    """

    async def resolve(self, host: str) -> tuple[str, ...]:
        if host == LOCALHOST:
            return _LOOPBACK
        addresses = (host,) if is_address(host) else await _look_up(host)
        if not addresses:
            raise LoopXError("provider_network_error", "dns")
        return addresses


async def _look_up(host: str) -> tuple[str, ...]:
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[tuple[str, ...]] = loop.create_future()

    def deliver(addresses: tuple[str, ...]) -> None:
        if not answer.done():
            answer.set_result(addresses)

    def ask() -> None:
        addresses = _ask(host)
        with suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits any more
            loop.call_soon_threadsafe(deliver, addresses)

    Thread(target=ask, name="loopx-resolver", daemon=True).start()
    return await answer


def _ask(host: str) -> tuple[str, ...]:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return ()
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))
