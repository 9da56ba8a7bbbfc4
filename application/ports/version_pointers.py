"""Which version is started."""

from typing import Protocol


class VersionPointers(Protocol):
    """Two names, each replaced at once: whoever reads them finds the old or the new."""

    def switch(self, name: str) -> None:
        """Start this version from now on.

        Raises:
            LoopXError: ``update_error/vanished`` if it is not whole; ``state_error/unwritable``.
        """
        ...

    def drop(self) -> None:
        """Start none from now on.

        Raises:
            LoopXError: ``state_error/unwritable``.
        """
        ...

    def remember(self, name: str) -> None:
        """Go back to this version if asked to.

        Raises:
            LoopXError: ``state_error/unwritable``.
        """
        ...
