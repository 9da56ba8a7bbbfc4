"""Exactly one gzip member, unpacked in bounded steps (RFC 1952)."""

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from loopx.domain.archives.formats import SNIFFED_BYTES, describe_bytes, is_gzip
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.refusal import refused

PIECE: Final = 1 << 16
"""Bytes that are unpacked at a time, whatever a bomb would like."""

_GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS


def gunzip(chunks: Iterable[bytes], limits: ArchiveLimits) -> Iterator[bytes]:
    """The unpacked content, in pieces of at most ``PIECE`` bytes and never an empty one.

    Its end means that the check sum fits, and that nothing but zero bytes stands behind it.

    Raises:
        LoopXError: ``archive_error`` with reason ``format``, ``empty``, ``corrupt``, ``truncated``,
            ``trailing_data``, ``too_large`` or ``ratio``.
    """
    source = _bounded(chunks, limits)
    start = _read_start(source)
    _check_format(start)
    member = _Member(limits)
    yield from member.unpack(start)
    for chunk in source:
        yield from member.unpack(chunk)
    if not member.is_complete:
        raise refused("truncated", "the gzip data is cut off")


def _bounded(chunks: Iterable[bytes], limits: ArchiveLimits) -> Iterator[bytes]:
    total = 0
    for chunk in chunks:
        total += len(chunk)
        if total > limits.archive_bytes:
            raise refused("too_large", f"it has more than {limits.archive_bytes} bytes")
        yield chunk


def _read_start(source: Iterator[bytes]) -> bytes:
    start = b""
    while len(start) < SNIFFED_BYTES:
        chunk = next(source, None)
        if chunk is None:
            break
        start += chunk
    return start


def _check_format(start: bytes) -> None:
    if not start:
        raise refused("empty", "the file has no bytes")
    if not is_gzip(start):
        raise refused("format", f"it looks like {describe_bytes(start)}")


class _Member:
    def __init__(self, limits: ArchiveLimits) -> None:
        self._limits = limits
        self._decoder = zlib.decompressobj(_GZIP_WINDOW)
        self._packed = 0
        self._unpacked = 0

    @property
    def is_complete(self) -> bool:
        return self._decoder.eof

    def unpack(self, data: bytes) -> Iterator[bytes]:
        if self._decoder.eof:
            _check_trailing(data)
        else:
            self._packed += len(data)
            yield from self._pieces(data)
            _check_trailing(self._decoder.unused_data)

    def _pieces(self, data: bytes) -> Iterator[bytes]:
        is_full = True
        while (data or is_full) and not self._decoder.eof:
            piece = self._step(data)
            data = self._decoder.unconsumed_tail
            is_full = len(piece) == PIECE
            if piece:
                self._count(len(piece), len(data))
                yield piece

    def _step(self, data: bytes) -> bytes:
        try:
            return self._decoder.decompress(data, PIECE)
        except zlib.error:
            raise refused("corrupt", "the gzip data or its check sum is wrong") from None

    def _count(self, unpacked: int, waiting: int) -> None:
        self._unpacked += unpacked
        if self._unpacked > self._limits.content_bytes:
            raise refused("too_large", f"it unpacks to more than {self._limits.content_bytes} bytes")
        allowed = self._limits.ratio * (self._packed - waiting)
        if self._unpacked > max(allowed, self._limits.ratio_from_bytes):
            raise refused("ratio", f"it unpacks to more than {self._limits.ratio} times its size")


def _check_trailing(data: bytes) -> None:
    if data.strip(b"\0"):
        kind = "a second gzip member" if is_gzip(data) else describe_bytes(data[:SNIFFED_BYTES])
        raise refused("trailing_data", f"behind the gzip data stands {kind}")
