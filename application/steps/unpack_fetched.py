"""Unpack an archive that was fetched, and make sure that it is still the same one."""

from loopx.application.ports.archive_reader import ArchiveReader
from loopx.application.ports.staging import StagingArea
from loopx.application.steps.fetch_archive import FetchedArchive
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.member import ArchiveSummary
from loopx.domain.errors import LoopXError


async def unpack_fetched(
    archives: ArchiveReader, area: StagingArea, fetched: FetchedArchive, limits: ArchiveLimits
) -> ArchiveSummary:
    """Fill the area's tree from its archive.

    Raises:
        LoopXError: ``archive_error``, with reason ``changed`` when other bytes were unpacked than
            fetched; ``state_error``.
    """
    summary = await archives.extract(area.archive, area.tree, limits)
    if summary.sha256 != fetched.sha256:
        raise LoopXError("archive_error", "changed", detail="the archive itself")
    return summary
