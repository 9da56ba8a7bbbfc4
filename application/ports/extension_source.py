"""The folder in which an author writes an extension."""

from collections.abc import Mapping
from typing import Protocol


class ExtensionSource(Protocol):
    """Reads what would be packed, and starts new folders."""

    async def read(self, folder: str) -> Mapping[str, bytes]:
        """Exactly the files that an archive of the folder would hold, by path with slashes.

        Raises:
            LoopXError: ``archive_error`` for what cannot be packed; ``state_error/unreadable``;
                ``extension_error/tree`` when there is too much of it.
        """
        ...

    async def create(self, folder: str, files: Mapping[str, bytes]) -> None:
        """Make a folder with these files, as a whole or not at all.

        Raises:
            LoopXError: ``extension_error/directory`` when something is there already;
                ``state_error/unwritable``.
        """
        ...
