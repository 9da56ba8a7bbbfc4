"""Extraction without tarfile: nothing is written before the whole archive has been checked."""

from typing import Final

from loopx.adapters.tarball.background import Stop, in_background
from loopx.adapters.tarball.descriptors import read_chunks
from loopx.adapters.tarball.staging import staged
from loopx.application.ports.byte_source import ByteSource
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.member import ArchiveSummary
from loopx.domain.archives.reading import ArchiveReading, inspect_archive
from loopx.domain.archives.refusal import refused

_SOURCE: Final = "the archive"


class TarballReader:
    """Reads twice: once to check everything, once to write it.

    Checking costs a fraction of writing, and a refused archive never touches the disk. Both
    passes are equally strict, so that even a file that changes in between cannot get past.
    """

    async def inspect(self, source: ByteSource, limits: ArchiveLimits) -> ArchiveSummary:
        return await in_background(lambda stop: inspect_archive(read_chunks(source, _SOURCE, stop), limits))

    async def extract(self, source: ByteSource, destination: str, limits: ArchiveLimits) -> ArchiveSummary:
        return await in_background(lambda stop: _extract(source, destination, limits, stop))


def _extract(source: ByteSource, destination: str, limits: ArchiveLimits, stop: Stop) -> ArchiveSummary:
    checked = inspect_archive(read_chunks(source, _SOURCE, stop), limits)
    entries = ArchiveReading(read_chunks(source, _SOURCE, stop), limits)
    with staged(destination) as tree:
        for entry in entries:
            tree.add(entry)
        summary = entries.summary()
        if summary != checked:
            raise refused("changed", "the archive itself")
    return summary
