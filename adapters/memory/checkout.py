"""A checkout without git."""

from loopx.domain.remotes import Remote


class MemoryCheckout:
    """Has exactly the given remotes."""

    def __init__(self, *remotes: Remote) -> None:
        self._remotes = remotes

    async def remotes(self) -> tuple[Remote, ...]:
        return self._remotes
