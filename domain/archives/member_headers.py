"""The headers of a tar, each with what extends it, up to and including the end marks."""

from typing import Final

from loopx.domain.archives.formats import describe_bytes, is_tar
from loopx.domain.archives.header import (
    BLOCK,
    EXTENDED,
    GLOBAL,
    ZERO_BLOCK,
    Dialect,
    Header,
    has_checksum,
    read_header,
)
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.pax import NO_EXTENSION, Extension, check_global, read_extension
from loopx.domain.archives.refusal import quoted, refused
from loopx.domain.archives.tar_stream import TarStream

_LARGEST_OCTAL: Final = 0o77777777777


class MemberHeaders:
    """Reads one header after the other; the content behind each is to be read in between."""

    def __init__(self, stream: TarStream, limits: ArchiveLimits) -> None:
        self._stream = stream
        self._limits = limits
        self._dialect: Dialect | None = None
        self._metadata_bytes = 0
        self._members = 0

    def next(self) -> tuple[Header, Extension] | None:
        """The next member's header and extension; ``None`` once everything is read to the end.

        Raises:
            LoopXError: ``archive_error``.
        """
        header = self._read()
        # git archive names its commit so, once, in front of everything.
        if header is not None and header.type == GLOBAL and not self._members:
            check_global(self._read_metadata(header))
            header = self._read()
        extension = NO_EXTENSION
        if header is not None and header.type == EXTENDED:
            extension = read_extension(self._read_metadata(header))
            header = self._read()
            if header is None:
                raise refused("header", "an extended header without its member")
        if header is None:
            return None
        self._check_member(header)
        return header, extension

    def _check_member(self, header: Header) -> None:
        if header.type in (EXTENDED, GLOBAL):
            raise refused("header", "an extended header where a member should be")
        self._members += 1
        if self._members > self._limits.members:
            raise refused("too_many_members", f"more than {self._limits.members}")

    def _read(self) -> Header | None:
        block = self._stream.read(BLOCK)
        if block == ZERO_BLOCK:
            self._check_end()
            return None
        if self._dialect is None:
            _check_is_tar(block)
        if len(block) < BLOCK:
            raise refused("truncated", "the tar data ends without its end marks")
        header = read_header(block)
        if self._dialect not in (None, header.dialect):
            raise refused("header", "it mixes POSIX and GNU tar")
        self._dialect = header.dialect
        return header

    def _check_end(self) -> None:
        second = self._stream.read(BLOCK)
        if len(second) < BLOCK:
            raise refused("truncated", "the tar data ends with one end mark instead of two")
        if second != ZERO_BLOCK or not self._stream.is_zero_to_the_end():
            raise refused("trailing_data", "behind the end marks of the tar data")

    def _read_metadata(self, header: Header) -> bytes:
        if header.dialect is Dialect.GNU:
            raise refused("header", "it mixes POSIX and GNU tar")
        self._metadata_bytes += header.size
        if header.size > self._limits.metadata_bytes:
            raise refused("metadata_too_large", f"one extended header has {header.size} bytes")
        if self._metadata_bytes > self._limits.all_metadata_bytes:
            raise refused(
                "metadata_too_large",
                f"its extended headers have more than {self._limits.all_metadata_bytes} bytes",
            )
        return b"".join(self._stream.content(header.size))


def choose_size(header: Header, extension: Extension) -> int:
    """How many bytes the content of a member has.

    Raises:
        LoopXError: ``archive_error/header``.
    """
    if extension.size is None or extension.size == header.size:
        return header.size
    # Tools that know no extended headers would go on at another place than we do. That is wanted only
    # where the size does not fit into a header.
    if extension.size <= _LARGEST_OCTAL:
        raise refused("header", f"it says two sizes for {quoted(header.name)}")
    return extension.size


def _check_is_tar(start: bytes) -> None:
    if not start:
        raise refused("empty", "the gzip data unpacks to no bytes")
    if not is_tar(start) and not has_checksum(start):
        raise refused("format", f"the gzip data holds {describe_bytes(start)}")
