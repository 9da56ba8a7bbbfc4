"""Host names."""

from typing import Protocol


class Resolver(Protocol):
    """Knows the addresses behind a host name."""

    async def resolve(self, host: str) -> tuple[str, ...]:
        """The IP addresses of a host, the one to try first in front; a literal address is its own.

        Raises:
            LoopXError: ``provider_network_error/dns`` when there is none.
        """
        ...
