"""Write a .tar.gz whose bytes depend on the tree alone."""

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from loopx.domain.archives.header import BLOCK, DIRECTORY, EXTENDED, FILE
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.member import Entry, Member
from loopx.domain.archives.member_table import MemberTable
from loopx.domain.archives.refusal import quoted, refused

LEFT_OUT: Final = frozenset(
    {
        *("__pycache__", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".venv"),
        *(".git", ".hg", ".svn", ".DS_Store"),
    }
)
"""Never packed, wherever they lie: what tools leave behind, different on every machine."""

MODIFIED: Final = 315_532_800
"""The time of every member, 1980-01-01: the first that each archive format and tool can hold."""

# RFC 1952: deflate, no name, no time, best compression, on an unknown system.
_GZIP_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
_LEVEL: Final = 9
_MEMORY: Final = 9
_NAME_LENGTH: Final = 100
_PREFIX_LENGTH: Final = 155
_LARGEST_OCTAL: Final = 0o77777777777
_EXTENDED_NAME: Final = b"././@PaxHeader"


def write_archive(entries: Iterable[Entry], limits: ArchiveLimits) -> Iterator[bytes]:
    """The archive in pieces; the order of the entries is the order in the archive.

    The tar inside is the same everywhere. So are the compressed bytes wherever zlib is the
    original one; drop-in replacements (zlib-ng) find other, equally valid ones.

    Raises:
        LoopXError: ``archive_error`` with reason ``layout``, ``collision``, ``too_many_members``,
            ``too_large``, or ``changed`` when a content is not as long as its member says.
    """
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, _MEMORY)
    check, size = 0, 0
    yield _GZIP_HEADER
    for piece in write_tar(entries, limits):
        check, size = zlib.crc32(piece, check), size + len(piece)
        if packed := deflate.compress(piece):
            yield packed
    yield deflate.flush()
    yield check.to_bytes(4, "little") + (size % (1 << 32)).to_bytes(4, "little")


def write_tar(entries: Iterable[Entry], limits: ArchiveLimits) -> Iterator[bytes]:
    """The tar inside, in pieces.

    Raises:
        LoopXError: ``archive_error``, as ``write_archive``.
    """
    table = MemberTable(limits)
    for entry in entries:
        table.admit(entry.member)
        yield from _headers(entry.member)
        yield from _content(entry)
    yield bytes(2 * BLOCK)


def _content(entry: Entry) -> Iterator[bytes]:
    size = entry.member.size
    missing = size
    for piece in entry.content:
        missing -= len(piece)
        if missing < 0:
            break
        yield piece
    if missing:
        raise refused("changed", f"{quoted(entry.member.name)} is not as long as it was")
    yield bytes(-size % BLOCK)


def _headers(member: Member) -> Iterator[bytes]:
    name = (member.name + "/" if member.is_directory else member.name).encode()
    split = _split(name)
    if split is None:
        records = _record(b"path", name)
        yield _block(_EXTENDED_NAME, b"", EXTENDED, 0o644, len(records))
        yield records + bytes(-len(records) % BLOCK)
        split = b"", name[:_NAME_LENGTH]
    prefix, rest = split
    yield _block(rest, prefix, DIRECTORY if member.is_directory else FILE, member.mode, member.size)


def _split(name: bytes) -> tuple[bytes, bytes] | None:
    """Prefix and name for a plain header, if it can say this name: POSIX means ASCII there."""
    if not name.isascii():
        return None
    if len(name) <= _NAME_LENGTH:
        return b"", name
    # The last slash may be that of a directory: the name behind the prefix must not be empty.
    at = name.rfind(b"/", 0, min(_PREFIX_LENGTH + 1, len(name) - 1))
    if at < 1 or len(name) - at - 1 > _NAME_LENGTH:
        return None
    return name[:at], name[at + 1 :]


def _record(key: bytes, value: bytes) -> bytes:
    """A pax record begins with its own length, the digits of that length included."""
    body = b" " + key + b"=" + value + b"\n"
    length = len(body)
    while len(record := b"%d" % length + body) != length:
        length = len(record)
    return record


def _block(name: bytes, prefix: bytes, header_type: bytes, mode: int, size: int) -> bytes:
    if size > _LARGEST_OCTAL:
        raise refused("too_large", f"{quoted(name)} has {size} bytes")
    front = b"%b%07o\0%07o\0%07o\0%011o\0%011o\0" % (
        name.ljust(_NAME_LENGTH, b"\0"),
        mode,
        0,
        0,
        size,
        MODIFIED,
    )
    back = header_type + bytes(100) + b"ustar\x0000" + bytes(64) + b"%07o\0%07o\0" % (0, 0)
    back += prefix.ljust(_PREFIX_LENGTH, b"\0") + bytes(12)
    return front + b"%06o\0 " % (sum(front) + sum(back) + 8 * ord(" ")) + back
