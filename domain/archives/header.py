"""The 512-byte block in front of every member (POSIX.1-2017, pax, "ustar Interchange Format")."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from loopx.domain.archives.refusal import quoted, refused

BLOCK: Final = 512
ZERO_BLOCK: Final = bytes(BLOCK)

FILE: Final = b"0"
DIRECTORY: Final = b"5"
EXTENDED: Final = b"x"
GLOBAL: Final = b"g"

_NAME: Final = slice(0, 100)
_MODE: Final = slice(100, 108)
_SIZE: Final = slice(124, 136)
_CHECKSUM: Final = slice(148, 156)
_TYPE: Final = slice(156, 157)
_MAGIC: Final = slice(257, 265)
_PREFIX: Final = slice(345, 500)
_REST: Final = slice(500, 512)

# Base-256 numbers, signs, leading blanks and unterminated fields are read differently by different tools.
_NUMBER: Final = re.compile(rb"([0-7]+)[ \x00]+")
# Owners, times and devices are not used. Big ones and early ones are written in base 256, and that is fine.
_UNUSED: Final = (slice(108, 116), slice(116, 124), slice(136, 148), slice(329, 337), slice(337, 345))
_ANY_NUMBER: Final = re.compile(rb" *[0-7]*[ \x00]*|[\x80\xff].*", re.DOTALL)
_REFUSED_TYPES: Final = {
    b"1": "a hard link",
    b"2": "a symbolic link",
    b"3": "a character device",
    b"4": "a block device",
    b"6": "a named pipe",
    b"7": "a contiguous file",
    b"S": "a sparse file",
}
_LONG_NAME_HINT: Final = "Pack it with `loopx extension pack`, or with tar --format=posix."


class Dialect(Enum):
    """Whose tar it is; the value is magic and version as they stand in the header.

    GNU tar writes its own by default. Without extensions its blocks say the same as POSIX ones.
    """

    POSIX = b"ustar\x0000"
    GNU = b"ustar  \x00"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The fields that say what follows."""

    dialect: Dialect
    type: bytes
    name: bytes
    size: int
    mode: int


def read_header(block: bytes) -> Header:
    """Read a block that is not all zero.

    Raises:
        LoopXError: ``archive_error/header``, or ``archive_error/member_type`` for anything but
            files, directories and extended headers.
    """
    if not has_checksum(block):
        raise refused("header", "a checksum does not fit")
    dialect = _read_dialect(block)
    name = _read_text(block[_NAME])
    header_type = block[_TYPE]
    if header_type not in (FILE, DIRECTORY, EXTENDED, GLOBAL):
        raise _refused_type(header_type, name)
    if not all(_ANY_NUMBER.fullmatch(block[field]) for field in _UNUSED):
        raise refused("header", f"owner, time or device of {quoted(name)} is no number")
    prefix = _read_prefix(block, dialect)
    return Header(
        dialect=dialect,
        type=header_type,
        name=b"/".join((prefix, name)) if prefix else name,
        size=_read_number(block[_SIZE], "size", name),
        mode=_read_number(block[_MODE], "mode", name),
    )


def has_checksum(block: bytes) -> bool:
    """Whether the block's own sum is right, which other data hits by chance only."""
    number = _NUMBER.fullmatch(block[_CHECKSUM])
    blanked = sum(block) - sum(block[_CHECKSUM]) + 8 * ord(" ")
    return len(block) == BLOCK and number is not None and int(number[1], 8) == blanked


def _read_dialect(block: bytes) -> Dialect:
    try:
        return Dialect(block[_MAGIC])
    except ValueError:
        raise refused("header", "it is older than POSIX, or no tar") from None


def _read_text(field: bytes) -> bytes:
    text, _, rest = field.partition(b"\0")
    if rest.strip(b"\0"):
        raise refused("header", f"bytes are hidden behind the name {quoted(text)}")
    return text


def _read_prefix(block: bytes, dialect: Dialect) -> bytes:
    if dialect is Dialect.GNU and block[_PREFIX].strip(b"\0"):
        raise refused("header", "it is an incremental or sparse GNU archive")
    if block[_REST].strip(b"\0"):
        raise refused("header", "it uses a private extension of the tar format")
    return _read_text(block[_PREFIX])


def _read_number(field: bytes, label: str, name: bytes) -> int:
    number = _NUMBER.fullmatch(field)
    if number is None:
        raise refused("header", f"the {label} of {quoted(name)} is no octal number")
    return int(number[1], 8)


def _refused_type(header_type: bytes, name: bytes) -> Exception:
    if header_type in (b"L", b"K"):
        return refused("header", "it uses GNU long names", hint=_LONG_NAME_HINT)
    kind = _REFUSED_TYPES.get(header_type, f"of the unknown type {quoted(header_type)}")
    return refused("member_type", f"{quoted(name)} is {kind}")
