"""Where something new is put together before anybody can see it."""

from contextlib import AbstractContextManager
from typing import BinaryIO, Protocol


class StagingArea(Protocol):
    """A private folder on the file system of the final place."""

    @property
    def archive(self) -> BinaryIO:
        """An empty private file, open for writing and reading: what is hashed is what is parsed."""
        ...

    @property
    def tree(self) -> str:
        """The absolute path of an empty folder into which the archive is extracted."""
        ...


class Staging(Protocol):
    """Opens staging areas."""

    def stage(self) -> AbstractContextManager[StagingArea]:
        """An area for the block; whatever was not committed from it is gone afterwards.

        Raises:
            LoopXError: ``state_error/unwritable``.
        """
        ...
