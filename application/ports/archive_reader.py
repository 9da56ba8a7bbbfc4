"""Archives that came from outside."""

from typing import Protocol

from loopx.application.ports.byte_source import ByteSource
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.member import ArchiveSummary


class ArchiveReader(Protocol):
    """Unpacks a ``.tar.gz``, or refuses it as a whole.

    The source is read from its start, whatever was read from it before: hash an open file, then
    hand in the same one. The summary's ``sha256`` is taken of the very bytes that were unpacked.
    """

    async def inspect(self, source: ByteSource, limits: ArchiveLimits) -> ArchiveSummary:
        """What the archive holds; nothing is written.

        Raises:
            LoopXError: ``archive_error``; ``state_error/unreadable``.
        """
        ...

    async def extract(self, source: ByteSource, destination: str, limits: ArchiveLimits) -> ArchiveSummary:
        """Unpack into an existing, empty directory that nobody else writes to.

        The whole archive is checked before the first file is written. After any error, and after
        a cancellation, the directory is empty again. Nothing is synced to the disk: one sync of
        everything is cheaper, and the caller's.

        Raises:
            LoopXError: ``archive_error``; ``state_error/unreadable``; ``state_error/unwritable``
                with the path, also when the directory is not empty.
        """
        ...
