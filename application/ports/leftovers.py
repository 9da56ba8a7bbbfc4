"""What processes leave behind that were killed."""

from typing import Protocol


class Leftovers(Protocol):
    """Knows which half-done things belong to nobody any more."""

    def sweep(self) -> None:
        """Remove them; what a living process is at work on stays.

        Raises:
            LoopXError: ``state_error/unwritable`` or ``state_error/locked``.
        """
        ...
