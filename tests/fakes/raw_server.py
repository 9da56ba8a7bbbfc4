"""A TCP server on loopback that says exactly the bytes a test gives it, and remembers what it heard."""

import asyncio
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from loopx.domain.http.message import Headers

_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


@dataclass(frozen=True, slots=True)
class Heard:
    """One request as it came."""

    method: str
    target: str
    headers: Headers
    body: bytes


class Conversation:
    """One connection, from the server's side."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def request(self) -> Heard | None:
        """The next request; nothing when the client has hung up."""
        try:
            head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.strip().split("\r\n")
            headers = Headers(
                tuple((name, value.strip()) for name, _, value in (x.partition(":") for x in lines))
            )
            body = await self._reader.readexactly(int(headers.get("Content-Length") or 0))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        method, target, _ = first.split(" ", 2)
        return Heard(method, target, headers, body)

    async def read(self, size: int) -> None:
        """Take some bytes, whatever they are."""
        await self._reader.readexactly(size)

    async def say(self, data: bytes) -> None:
        """Send bytes."""
        self._writer.write(data)
        await self._writer.drain()

    async def drip(self, data: bytes, every: float) -> None:
        """Send one byte after the other."""
        for byte in data:
            await self.say(bytes([byte]))
            await asyncio.sleep(every)

    async def flood(self, data: bytes) -> None:
        """Send the same bytes for ever."""
        while True:
            await self.say(data)

    async def hang(self) -> None:
        """Say nothing more, and do not hang up."""
        await asyncio.Event().wait()

    def reset(self) -> None:
        """Drop the connection with RST instead of FIN."""
        opened: socket.socket = self._writer.get_extra_info("socket")
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        self._writer.transport.abort()

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


Script = Callable[[Conversation], Awaitable[None]]


def answers(*texts: bytes) -> Script:
    """Give these answers, one to each request of a connection, then hang up."""

    async def script(conversation: Conversation) -> None:
        for text in texts:
            if await conversation.request() is None:
                return
            await conversation.say(text)

    return script


class RawServer:
    """Plays one script on every connection; the last of several scripts goes on for ever."""

    def __init__(
        self, *scripts: Script, listening: socket.socket | None = None, tls: ssl.SSLContext | None = None
    ) -> None:
        self.connections = 0
        self._scripts = list(scripts)
        self._socket = listening or socket.create_server(("127.0.0.1", 0))
        self._tls = tls
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        port: int = self._socket.getsockname()[1]
        return port

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        """An address of this server."""
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}{path}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._converse, sock=self._socket, ssl=self._tls)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
        conversation = Conversation(reader, writer)
        try:
            with suppress(ConnectionError, asyncio.CancelledError):
                await script(conversation)
        finally:
            if task.cancelling():
                writer.transport.abort()
            conversation.close()
            self._tasks.discard(task)
