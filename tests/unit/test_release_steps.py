"""What stands between the bytes of a release and a version that is started."""

from dataclasses import replace

import pytest

from fakes.releases import pack
from fakes.update_bench import Bench, in_memory
from loopx.adapters.memory.machine import MemoryProcessRunner
from loopx.application.ports.archive_reader import ArchiveReader
from loopx.application.ports.byte_source import ByteSource
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.member import ArchiveSummary
from loopx.domain.errors import LoopXError
from loopx.domain.processes import Command

RELEASE = pack("0.2.0")


class SwappedWhileReading:
    """Unpacks what somebody has put in the place of the archive after it was hashed."""

    def __init__(self, real: ArchiveReader) -> None:
        self._real = real

    async def inspect(self, source: ByteSource, limits: ArchiveLimits) -> ArchiveSummary:
        return await self._real.inspect(source, limits)

    async def extract(self, source: ByteSource, destination: str, limits: ArchiveLimits) -> ArchiveSummary:
        return replace(await self._real.extract(source, destination, limits), sha256="0" * 64)


def test_a_release_is_refused_when_other_bytes_were_unpacked_than_fetched() -> None:
    parts = in_memory()
    parts = replace(parts, reader=SwappedWhileReading(parts.reader))
    with pytest.raises(LoopXError) as caught:
        Bench(parts).update(RELEASE)
    assert (caught.value.code, caught.value.reason) == ("archive_error", "changed")
    assert not parts.store.found().installed


def test_no_program_of_an_update_starts_in_the_folder_of_whoever_asked() -> None:
    parts = in_memory()
    Bench(parts).update(RELEASE)
    assert isinstance(parts.runner, MemoryProcessRunner)
    assert {command.directory for command in parts.runner.commands} == {"/"}


@pytest.mark.parametrize("directory", ["", ".", "a/b"])
def test_a_command_starts_in_a_folder_that_is_named_in_full(directory: str) -> None:
    with pytest.raises(ValueError, match="absolute"):
        Command(arguments=("/bin/true",), directory=directory)
