"""One connection of the fake GitHub: reads requests, delivers answers as well or as badly as told."""

import asyncio
import socket
import struct
from contextlib import suppress
from http.client import responses
from typing import Final, TypeAlias

from fakes.github.faults import Delivery

Request: TypeAlias = tuple[str, str, tuple[tuple[str, str], ...], bytes]

_RESET_ON_CLOSE: Final = struct.pack("ii", 1, 0)  # SO_LINGER with no time to linger


class Wire:
    """The two ends of a connection; ``busy`` while an answer is worked out or sent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._hung_up = asyncio.Event()
        self.busy = False

    async def read(self) -> Request:
        """The next request; raises IncompleteReadError when there is none."""
        head = await self._reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
        method, target, _ = first.split(" ", 2)
        pairs = (line.partition(":") for line in lines)
        headers = tuple((name.lower(), value.strip()) for name, _, value in pairs)
        length = int(dict(headers).get("content-length", 0))
        return method, target, headers, await self._reader.readexactly(length)

    async def deliver(self, delivery: Delivery) -> bool:
        """Send an answer; whether another request may follow."""
        if delivery.delay:
            await self._rest(delivery.delay)
        headers = {"content-length": str(len(delivery.body))} | delivery.headers
        lines = [f"HTTP/1.1 {delivery.status} {responses.get(delivery.status, 'Unknown')}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        wire = "\r\n".join([*lines, "", ""]).encode("latin-1") + delivery.body
        if delivery.stop_after is not None:
            wire = (
                wire[: len(wire) - len(delivery.body) + delivery.stop_after]
                if delivery.stop_after >= 0
                else b""
            )
        await self._send(wire, delivery)
        if delivery.ending == "hang":
            await self._reader.read()  # ends when either side closes
        if delivery.ending == "reset":
            self._reset()
        return delivery.ending == "keep"

    async def _send(self, wire: bytes, delivery: Delivery) -> None:
        if delivery.interval is None:
            self._writer.write(wire)
            await self._writer.drain()
            return
        for start in range(0, len(wire), delivery.chunk):
            self._writer.write(wire[start : start + delivery.chunk])
            await self._writer.drain()
            await self._rest(delivery.interval)

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._hung_up.wait(), seconds)

    def _reset(self) -> None:
        connection: socket.socket = self._writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        self._writer.transport.abort()

    def hang_up(self) -> None:
        """Close from another task."""
        self._hung_up.set()
        self._writer.close()

    async def close(self) -> None:
        """Close and wait until it is done."""
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()
