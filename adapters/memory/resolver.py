"""Names and addresses that are whatever a test says."""

from collections.abc import Mapping

from loopx.domain.errors import LoopXError
from loopx.domain.http.address import LOCALHOST, is_address

_LOOPBACK = ("::1", "127.0.0.1")


class MemoryResolver:
    """Knows the given names, and what needs no one to know it: addresses and this machine's own name."""

    def __init__(self, addresses: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self._addresses = {LOCALHOST: _LOOPBACK, **(addresses or {})}

    async def resolve(self, host: str) -> tuple[str, ...]:
        found = (host,) if is_address(host) else self._addresses.get(host, ())
        if not found:
            raise LoopXError("provider_network_error", "dns")
        return found
