"""The token of the status server."""

from typing import Protocol

from loopx.domain.secrets import Secret


class ServeToken(Protocol):
    """Keeps the one secret that opens the status server."""

    @property
    def place(self) -> str:
        """Where it is kept, for people; the token itself is shown to nobody."""
        ...

    def load_or_create(self) -> Secret:
        """The token; made at the first call, the same at every other one, from whatever process.

        Raises:
            LoopXError: ``credential_error/exposed`` when others can read or change it,
                ``credential_error/malformed`` or ``credential_error/too_short`` when it cannot be used,
                ``state_error/unreadable`` or ``state_error/unwritable``.
        """
        ...
