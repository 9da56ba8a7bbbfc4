"""Archives for others."""

from typing import Protocol

from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.member import ArchiveSummary


class ArchiveWriter(Protocol):
    """Packs a directory into a ``.tar.gz`` that every ``ArchiveReader`` accepts."""

    async def pack(self, tree: str, target: str, *, top: str, limits: ArchiveLimits) -> ArchiveSummary:
        """Pack the content of a directory under the name ``top``, the same bytes for the same content.

        Owner, times and permissions other than "may be run" leave no trace, nor does what
        ``domain/archives/writing.py`` lists as left out. The target is replaced as a whole or not
        at all, and is never part of the archive.

        Raises:
            LoopXError: ``archive_error``, as a reader would refuse the result, or with reason
                ``changed``; ``state_error/unreadable`` and ``state_error/unwritable`` with the path.
        """
        ...
