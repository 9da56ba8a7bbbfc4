"""Fetch an archive and make sure that it is the one that was promised, before anything looks inside."""

import hashlib
import io
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from loopx.application.ports.http_transport import HttpTransport
from loopx.domain.archives.formats import SNIFFED_BYTES, describe_bytes
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import HttpRequest, Limits, Semantics
from loopx.domain.http.target import read_target

LARGEST_ARCHIVE: Final = 64 * 1024 * 1024
"""Bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What is known of an archive beforehand; ``sha256`` is in lower-case hexadecimal digits."""

    sha256: str | None = None
    size: int | None = None
    largest: int = LARGEST_ARCHIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedArchive:
    """What came: its digest in lower-case hexadecimal digits, its size in bytes, and from where."""

    sha256: str
    size: int
    url: str


@dataclass(slots=True)
class _HashingSink:
    """Writes to a file and hashes on the way, so that the file is read only once more."""

    file: BinaryIO
    size: int = 0
    start: bytes = b""
    digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def restart(self) -> None:
        self.file.seek(0)
        self.file.truncate()
        self.size, self.start, self.digest = 0, b"", hashlib.sha256()

    def write(self, piece: bytes) -> None:
        self.digest.update(piece)
        self.size += len(piece)
        self.start = (self.start + piece)[:SNIFFED_BYTES]
        self.file.write(piece)


class FetchArchive:
    """Downloads over https on every hop, hashing what is written."""

    def __init__(self, *, transport: HttpTransport) -> None:
        self._transport = transport

    async def __call__(
        self, url: str, promise: Promise, into: BinaryIO, context: CallContext
    ) -> FetchedArchive:
        """Fill an empty file; on success it is positioned at its start.

        Raises:
            LoopXError: ``egress_blocked/scheme`` for anything but https; ``integrity_error`` with
                reason ``checksum`` or ``size``; otherwise as the transport.
        """
        if read_target(url).scheme != "https":
            raise LoopXError("egress_blocked", "scheme", detail="code is fetched over https only")
        sink = _HashingSink(into)
        request = HttpRequest(
            method="GET",
            url=url,
            timeout=context.timeout,
            semantics=Semantics.SAFE,
            limits=Limits(wire=promise.largest),
            sink=sink,
        )
        response = await self._transport.send(request, context)
        found = FetchedArchive(sha256=sink.digest.hexdigest(), size=sink.size, url=response.url)
        _compare(promise, found, sink.start)
        into.flush()
        into.seek(0, io.SEEK_SET)
        return found


def _compare(promise: Promise, found: FetchedArchive, start: bytes) -> None:
    """Both digests are shown, and what the bytes look like: most often it is a page or another file."""
    looks = f"{found.size} bytes that look like {describe_bytes(start)}"
    if promise.sha256 is not None and promise.sha256 != found.sha256:
        detail = f"expected {promise.sha256}, got {found.sha256}: {looks}"
        raise LoopXError("integrity_error", "checksum", detail=detail)
    if promise.size is not None and promise.size != found.size:
        raise LoopXError("integrity_error", "size", detail=f"expected {promise.size} bytes, got {looks}")
