"""The versions that are installed."""

from typing import Protocol

from loopx.domain.updates.found import Found
from loopx.domain.updates.seal import BadMark


class VersionStore(Protocol):
    """Keeps every version whole, in a folder of its own that is never changed."""

    def found(self) -> Found:
        """What is there now; a folder whose seal does not fit is one without a seal.

        Raises:
            LoopXError: ``state_error/unreadable``.
        """
        ...

    def add(self, root: str, name: str) -> None:
        """Take in a sealed tree, at once and as a whole; what had the name before is gone.

        Raises:
            LoopXError: ``state_error/unwritable``.
        """
        ...

    def remove(self, name: str) -> bool:
        """Remove a version, unless a process runs from it.

        Raises:
            LoopXError: ``state_error/unwritable``.
        """
        ...

    def mark_bad(self, name: str, mark: BadMark) -> None:
        """Remember that a release did not work here, also when its folder is gone.

        Raises:
            LoopXError: ``state_error/unwritable``.
        """
        ...
