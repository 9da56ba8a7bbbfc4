"""Mutual exclusion between processes."""

from contextlib import AbstractContextManager
from typing import Protocol


class Locks(Protocol):
    """Makes sure that only one process at a time does a thing."""

    def hold(self, name: str) -> AbstractContextManager[None]:
        """Hold the lock of that name for the block, waiting a bounded time for it.

        Raises:
            LoopXError: ``state_error/locked`` when another process keeps it too long;
                ``state_error/unwritable`` when it cannot be created.
        """
        ...
