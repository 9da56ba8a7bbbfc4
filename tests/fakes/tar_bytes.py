"""Tar and gzip byte by byte, right or wrong as a test wants it, and independent of what is tested."""

import struct
import zlib
from typing import Final

BLOCK: Final = 512
POSIX: Final = b"ustar\x0000"
GNU: Final = b"ustar  \x00"
V7: Final = bytes(8)
END: Final = bytes(2 * BLOCK)

FIELDS: Final = {
    "name": (0, 100),
    "mode": (100, 8),
    "uid": (108, 8),
    "gid": (116, 8),
    "size": (124, 12),
    "mtime": (136, 12),
    "checksum": (148, 8),
    "type": (156, 1),
    "link": (157, 100),
    "magic": (257, 8),
    "uname": (265, 32),
    "gname": (297, 32),
    "devmajor": (329, 8),
    "devminor": (337, 8),
    "prefix": (345, 155),
    "rest": (500, 12),
}


def octal(number: int, width: int) -> bytes:
    return b"%0*o\0" % (width - 1, number)


def seal(block: bytes) -> bytes:
    """The same block with its checksum right."""
    total = sum(block[:148]) + 8 * 32 + sum(block[156:])
    return block[:148] + b"%06o\0 " % total + block[156:]


def header(name: bytes, *, size: int | bytes = 0, **fields: bytes) -> bytes:
    """A header block; ``fields`` are raw values of ``FIELDS``, the right checksum is the default."""
    values = {
        "name": name,
        "mode": octal(0o644, 8),
        "uid": octal(0, 8),
        "gid": octal(0, 8),
        "size": size if isinstance(size, bytes) else octal(size, 12),
        "mtime": octal(0, 12),
        "type": b"0",
        "magic": POSIX,
    } | fields
    block = bytearray(BLOCK)
    for field, value in values.items():
        start, width = FIELDS[field]
        assert len(value) <= width, field
        block[start : start + len(value)] = value
    return bytes(block) if "checksum" in fields else seal(bytes(block))


def pad(data: bytes) -> bytes:
    return data + bytes(-len(data) % BLOCK)


def file(name: bytes, content: bytes = b"content\n", **fields: bytes) -> bytes:
    return header(name, size=len(content), **fields) + pad(content)


def directory(name: bytes, **fields: bytes) -> bytes:
    values = {"type": b"5", "mode": octal(0o755, 8)} | fields
    return header(name, size=0, **values)


def link(name: bytes, target: bytes, kind: bytes = b"2", **fields: bytes) -> bytes:
    return header(name, size=0, type=kind, link=target, **fields)


def record(key: bytes, value: bytes) -> bytes:
    body = b" " + key + b"=" + value + b"\n"
    length = len(body) + 1
    while len(b"%d" % length) + len(body) != length:
        length += 1
    return b"%d" % length + body


def extended(data: bytes, kind: bytes = b"x", **fields: bytes) -> bytes:
    """An extended header with these records as they are."""
    return file(b"PaxHeader", data, type=kind, **fields)


def pax(kind: bytes = b"x", **records: bytes) -> bytes:
    """An extended header; ``__`` in a key stands for a dot."""
    data = b"".join(record(key.replace("__", ".").encode(), value) for key, value in records.items())
    return extended(data, kind)


def tar(*parts: bytes) -> bytes:
    return b"".join(parts) + END


def gz(data: bytes, level: int = 6) -> bytes:
    squeeze = zlib.compressobj(level, zlib.DEFLATED, -15)
    body = squeeze.compress(data) + squeeze.flush()
    return (
        b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + body + struct.pack("<LL", zlib.crc32(data), len(data) & 0xFFFFFFFF)
    )


def targz(*parts: bytes) -> bytes:
    return gz(tar(*parts))


def gz_repeating(start: bytes, unit: bytes, times: int, end: bytes = b"") -> bytes:
    """``gz(start + unit * times + end)`` for large numbers: the unit is compressed once."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    front = squeeze.compress(start) + squeeze.flush(zlib.Z_FULL_FLUSH)
    one = squeeze.compress(unit) + squeeze.flush(zlib.Z_FULL_FLUSH)
    check = zlib.crc32(start)
    for _ in range(times):
        check = zlib.crc32(unit, check)
    trailer = struct.pack(
        "<LL", zlib.crc32(end, check), (len(start) + times * len(unit) + len(end)) & 0xFFFFFFFF
    )
    back = squeeze.compress(end) + squeeze.flush()
    return b"".join((b"\x1f\x8b\x08\0\0\0\0\0\0\xff", front, one * times, back, trailer))
