"""One TCP or TLS connection as httpcore wants it, measured and abortable at any instant."""

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final

import httpcore

from loopx.adapters.http.exchange import Exchange

MAXIMUM_HEAD: Final = 256 * 1024
"""Bytes before the answer proper begins; httpcore itself would read interim answers for ever."""

_HIGH_WATER: Final = 256 * 1024


class HeadTooLargeError(Exception):
    """The answer's head, or the interim answers before it, do not end."""


class Channel(asyncio.Protocol, httpcore.AsyncNetworkStream):
    """Bytes out, bytes in, and what is known about both in ``exchange``.

    Closing never waits, so that no cancellation can interrupt it and leave a socket open.
    """

    def __init__(self) -> None:
        self.exchange = Exchange()
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._failure: Exception | None = None
        self._ended = False
        self._lost = False
        self._congested = False
        self._waiter: asyncio.Future[None] | None = None

    @property
    def is_quiet(self) -> bool:
        """Whether the other side neither closed nor said anything that nobody asked for."""
        return not (self._buffer or self._ended or self._lost)

    def abort(self) -> None:
        """Close at once."""
        if self._transport is not None:
            self._transport.abort()

    # What httpcore calls.

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        async with _translated(timeout, httpcore.ReadTimeout, httpcore.ReadError):
            while self.is_quiet:
                await self._change()
        if not self._buffer:
            self.exchange.ended = True
            if self._failure is not None:
                raise httpcore.ReadError from self._failure
            return b""
        data = bytes(self._buffer[:max_bytes])
        del self._buffer[:max_bytes]
        if self._transport is not None and len(self._buffer) < _HIGH_WATER:
            self._transport.resume_reading()
        self.exchange.note(data)
        if not self.exchange.answered and self.exchange.received > MAXIMUM_HEAD:
            raise HeadTooLargeError
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        if self._lost or self._transport is None:
            raise httpcore.WriteError from self._failure
        self.exchange.written += len(buffer)
        self._transport.write(buffer)
        async with _translated(timeout, httpcore.WriteTimeout, httpcore.WriteError):
            while self._congested and not self._lost:
                await self._change()
        if self._lost:
            raise httpcore.WriteError from self._failure

    async def aclose(self) -> None:
        self.abort()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> "Channel":
        loop = asyncio.get_running_loop()
        async with _translated(timeout, httpcore.ConnectTimeout, httpcore.ConnectError):
            if self._transport is None or not self.is_quiet:
                # What came before the handshake is not protected by it and must not be read after it.
                self.abort()
                raise ssl.SSLError
            raw = self._transport
            try:
                self._transport = await loop.start_tls(
                    raw, self, ssl_context, server_hostname=server_hostname
                )
            except BaseException:  # whatever it is passes on; the socket must not stay behind
                raw.abort()
                raise
        return self

    def get_extra_info(self, info: str) -> Any:
        return not self.is_quiet if info == "is_readable" else None

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - TCP has no other
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if self._transport is not None and len(self._buffer) >= _HIGH_WATER:
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self._ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        self._failure = exc
        self._wake()

    def pause_writing(self) -> None:
        self._congested = True

    def resume_writing(self) -> None:
        self._congested = False
        self._wake()

    async def _change(self) -> None:
        """Wait for the next event; requests follow one another, so only one side waits at a time."""
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


@asynccontextmanager
async def _translated(
    timeout: float | None, late: type[httpcore.TimeoutException], failed: type[httpcore.NetworkError]
) -> AsyncGenerator[None]:
    """Raise what httpcore expects of a stream; the cause stays attached for the one translation."""
    scope = asyncio.timeout(timeout)
    try:
        async with scope:
            yield
    except OSError as exc:
        raise (late if scope.expired() else failed) from exc
