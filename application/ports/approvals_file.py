"""What a person allowed on this machine."""

from collections.abc import Callable
from typing import Protocol

from loopx.domain.registry.approvals import Approvals


class ApprovalsFile(Protocol):
    """The approvals of one user, read and replaced as a whole."""

    def read(self) -> Approvals:
        """The approvals as they are; none where there is no file.

        Raises:
            LoopXError: ``state_error`` with reason ``corrupt``, ``newer_version`` or ``unreadable``.
        """
        ...

    def update(self, change: Callable[[Approvals], Approvals]) -> Approvals:
        """Replace them by what the function makes of them, while nobody else can; nothing is lost.

        Nothing is written where nothing changes, or where the function or the reading fails.

        Raises:
            LoopXError: as ``read``; ``state_error`` with reason ``unwritable`` or ``locked``; or what
                the function raises.
        """
        ...

    def recover(self) -> None:
        """Remove what a writer that was killed left behind.

        Raises:
            LoopXError: ``state_error/unwritable`` or ``state_error/locked``.
        """
        ...
