"""httpx's transport interface over the pool: one request out, the head of its answer back."""

from collections.abc import AsyncIterable, AsyncIterator, Mapping
from typing import cast

import httpcore
import httpx

from loopx.adapters.http.exchange import Exchange
from loopx.adapters.http.pool import Connection, ConnectionPool

EXCHANGE: str = "loopx.exchange"
"""The request extension under which a caller may pass an ``Exchange`` to be filled in."""

_PORTS = {"https": 443, "http": 80}
_VERSIONS = frozenset({b"HTTP/1.1", b"HTTP/1.0"})
_LAST_CHUNK = b"0\r\n\r\n"


class PooledTransport(httpx.AsyncBaseTransport):
    """Raises what httpcore, h11, ssl and asyncio raise; the wire translates it."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        exchange = request.extensions.get(EXCHANGE) or Exchange()
        exchange.watched = True
        onward = _onward(request)
        connection = await self._pool.acquire(onward.url.origin, exchange)
        try:
            answer = await connection.http.handle_async_request(onward)
            _check(answer, exchange)
        except BaseException:  # whatever it is passes on; the connection is of no more use
            self._pool.release(connection, keep=False)
            raise
        exchange.answered = True
        body = LeasedBody(self._pool, connection, exchange, answer)
        return httpx.Response(answer.status, headers=answer.headers, stream=body)

    async def aclose(self) -> None:
        self._pool.close()


class LeasedBody(httpx.AsyncByteStream):
    """The raw body; closing it gives the connection back, always."""

    def __init__(
        self, pool: ConnectionPool, connection: Connection, exchange: Exchange, answer: httpcore.Response
    ) -> None:
        self._pool = pool
        self._connection = connection
        self._exchange = exchange
        self._answer = answer
        self._read = 0
        self._closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in cast("AsyncIterable[bytes]", self._answer.stream):
            self._read += len(piece)
            yield piece

    async def aclose(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            await self._answer.aclose()
        finally:
            self._pool.release(self._connection, keep=self._is_spent())

    def _is_spent(self) -> bool:
        """Whether the server sent exactly its answer.

        What it sent beyond it, such as a body behind a 204, sits in h11's buffer out of sight and
        would be taken for the next answer.
        """
        names = {name.lower() for name, _ in self._answer.headers}
        if b"transfer-encoding" in names:
            return self._exchange.tail == _LAST_CHUNK
        return self._exchange.received == _size_of_head(self._answer) + self._read


def _size_of_head(answer: httpcore.Response) -> int:
    """Bytes of a head written in the usual way; another spelling only costs a new connection."""
    first = len(b"HTTP/1.1 200 ") + len(_said(answer, "reason_phrase")) + 2
    return first + sum(len(name) + len(value) + 4 for name, value in answer.headers) + 2


def _check(answer: httpcore.Response, exchange: Exchange) -> None:
    """What h11 lets pass: an HTTP of another major version, and an answer to nothing.

    A head that was read without reading lay in the buffer before the request was sent.
    """
    if not exchange.received or _said(answer, "http_version") not in _VERSIONS:
        raise httpcore.RemoteProtocolError


def _said(answer: httpcore.Response, part: str) -> bytes:
    extensions = cast("Mapping[str, bytes]", answer.extensions)  # pyright: ignore[reportUnknownMemberType] - httpcore leaves it untyped
    return extensions.get(part, b"")


def _onward(request: httpx.Request) -> httpcore.Request:
    url = httpcore.URL(
        scheme=request.url.raw_scheme,
        host=request.url.raw_host,
        port=request.url.port or _PORTS[request.url.scheme],
        target=request.extensions.get("target", request.url.raw_path),
    )
    return httpcore.Request(
        method=request.method.encode("ascii"),
        url=url,
        headers=request.headers.raw,
        content=cast("AsyncIterable[bytes]", request.stream),
    )
