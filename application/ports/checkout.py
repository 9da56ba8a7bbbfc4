"""The git checkout that a person stands in."""

from typing import Protocol

from loopx.domain.remotes import Remote


class Checkout(Protocol):
    """Knows where the code around the working directory came from."""

    async def remotes(self) -> tuple[Remote, ...]:
        """The git remotes, none outside a checkout or where git does not answer."""
        ...
