"""Read a body within its limits; gzip is the only compression that is asked for or read."""

import zlib
from typing import Final

from loopx.domain.errors import LoopXError
from loopx.domain.http.message import BodySink, Headers, Limits

EXCERPT_SOURCE: Final = 64 * 1024
"""Bytes that are read of an answer nobody asked for, to quote its explanation."""

_MAXIMUM_DIGITS: Final = 18
_STEP: Final = 256 * 1024
_GZIP: Final = zlib.MAX_WBITS | 16
"""zlib's way to say: expect a gzip header, and check the sum and length behind the data."""

_BODILESS: Final = frozenset({204, 304})


def has_body(method: str, status: int) -> bool:
    """Whether an answer can have a body at all (RFC 9112, section 6.3)."""
    return method != "HEAD" and status not in _BODILESS and status >= 200  # noqa: PLR2004 - 1xx is interim


class BodyReader:
    """Collects a body piece by piece and refuses it as soon as it passes a limit.

    Raises:
        LoopXError: ``provider_response_invalid/encoding`` for any compression but gzip.
    """

    def __init__(self, headers: Headers, limits: Limits, sink: BodySink | None = None) -> None:
        self._limits = limits
        self._sink = sink
        self._wire = 0
        self._decoded = bytearray()
        packed = sink is None and _is_gzip(headers)
        self._member = zlib.decompressobj(_GZIP) if packed else None
        if sink is not None:
            sink.restart()

    @property
    def wire(self) -> int:
        """Bytes taken in so far."""
        return self._wire

    def expect(self, content_length: str | None) -> None:
        """Refuse a body by the length it announces, before the first byte of it.

        Raises:
            LoopXError: ``provider_response_too_large/wire``.
        """
        announced = (content_length or "").strip()
        # Python refuses to convert thousands of digits, so they are counted first.
        if announced.isdecimal() and (len(announced) > _MAXIMUM_DIGITS or int(announced) > self._limits.wire):
            raise LoopXError("provider_response_too_large", "wire")

    def feed(self, piece: bytes) -> None:
        """Take the next bytes as they came over the wire.

        Raises:
            LoopXError: ``provider_response_too_large``, ``provider_response_invalid/encoding``.
        """
        self._wire += len(piece)
        if self._wire > self._limits.wire:
            raise LoopXError("provider_response_too_large", "wire")
        if self._sink is not None:
            # A file is wanted as its publisher made it: its checksum is of these bytes.
            self._sink.write(piece)
        elif self._member is None:
            self._keep(piece)
        while piece and self._member is not None:
            if self._member.eof:
                # Several members in a row are one body (RFC 1952, section 2.2); junk is no member.
                self._member = zlib.decompressobj(_GZIP)
            try:
                decoded = self._member.decompress(piece, _STEP)
            except zlib.error:
                raise LoopXError("provider_response_invalid", "encoding") from None
            piece = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            self._keep(decoded)

    def finish(self) -> bytes:
        """The whole decoded body; empty when it went to a sink.

        Raises:
            LoopXError: ``provider_response_invalid/encoding`` when the compressed data is cut short.
        """
        if self._member is not None and self._wire and not self._member.eof:
            raise LoopXError("provider_response_invalid", "encoding")
        return bytes(self._decoded)

    def _keep(self, piece: bytes) -> None:
        self._decoded += piece
        size = len(self._decoded)
        if size > self._limits.decoded:
            raise LoopXError("provider_response_too_large", "decoded")
        if size > self._limits.ratio_from and size > self._wire * self._limits.ratio:
            raise LoopXError("provider_response_too_large", "ratio")


def read_start(headers: Headers, start: bytes) -> bytes:
    """What can be read of the first bytes of a body; never an error, for it only explains one."""
    try:
        if not _is_gzip(headers):
            return start
        return zlib.decompressobj(_GZIP).decompress(start, EXCERPT_SOURCE)
    except (LoopXError, zlib.error):
        return b""


def _is_gzip(headers: Headers) -> bool:
    """Read ``Content-Encoding`` (RFC 9110, section 8.4)."""
    named = ",".join(headers.all("Content-Encoding")).lower().split(",")
    codings = [coding.strip() for coding in named if coding.strip() not in {"", "identity"}]
    if not codings:
        return False
    if codings not in (["gzip"], ["x-gzip"]):
        raise LoopXError("provider_response_invalid", "encoding")
    return True
