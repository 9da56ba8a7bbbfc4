"""Read a .tar.gz member by member, and refuse it at the first thing that is not as it should be."""

from collections.abc import Iterable, Iterator
from hashlib import sha256

from loopx.domain.archives.gzip_member import gunzip
from loopx.domain.archives.header import DIRECTORY, Header
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.member import ArchiveSummary, Entry, Member, is_executable
from loopx.domain.archives.member_headers import MemberHeaders, choose_size
from loopx.domain.archives.member_table import MemberTable
from loopx.domain.archives.names import read_path
from loopx.domain.archives.pax import Extension
from loopx.domain.archives.refusal import quoted, refused
from loopx.domain.archives.tar_stream import TarStream


class ArchiveReading:
    """Iterates once over the entries; a content is to be taken before the next entry, or is skipped.

    Only the end of the iteration says that the archive is whole: what came before is to be thrown
    away when an error ends it.

    Raises:
        LoopXError: ``archive_error``, any reason but ``changed``.
    """

    def __init__(self, chunks: Iterable[bytes], limits: ArchiveLimits) -> None:
        self._limits = limits
        self._digest = sha256()
        self._archive_bytes = 0
        self._table = MemberTable(limits)
        self._stream = TarStream(gunzip(self._observed(chunks), limits))

    def __iter__(self) -> Iterator[Entry]:
        headers = MemberHeaders(self._stream, self._limits)
        while (found := headers.next()) is not None:
            member = self._read_member(*found)
            if member is not None:
                self._table.admit(member)
                content = self._stream.content(member.size)
                yield Entry(member, content)
                for _ in content:
                    pass
        if not self._table.top:
            raise refused("empty", "it has no members")

    def summary(self) -> ArchiveSummary:
        """What the archive held, once the iteration has come to its end."""
        return ArchiveSummary(
            top=self._table.top,
            files=self._table.files,
            directories=self._table.directories,
            content_bytes=self._table.content_bytes,
            archive_bytes=self._archive_bytes,
            sha256=self._digest.hexdigest(),
        )

    def _observed(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            self._digest.update(chunk)
            self._archive_bytes += len(chunk)
            yield chunk

    def _read_member(self, header: Header, extension: Extension) -> Member | None:
        is_directory = header.type == DIRECTORY
        raw = header.name if extension.path is None else extension.path
        path = read_path(raw, is_directory=is_directory, limits=self._limits)
        size = choose_size(header, extension)
        if is_directory and size:
            raise refused("header", f"the directory {quoted(raw)} has a content")
        if not path:
            return None  # the root is where the archive is extracted to
        executable = not is_directory and is_executable(header.mode)
        return Member(path=path, is_directory=is_directory, is_executable=executable, size=size)


def inspect_archive(chunks: Iterable[bytes], limits: ArchiveLimits) -> ArchiveSummary:
    """Read an archive to its end without keeping anything.

    Raises:
        LoopXError: ``archive_error``, any reason but ``changed``.
    """
    reading = ArchiveReading(chunks, limits)
    for _ in reading:
        pass
    return reading.summary()
