"""Sends answers as ASGI messages, and reads bodies from them."""

import asyncio
from contextlib import suppress
from typing import Final

from loopx.domain.errors import LoopXError
from loopx.entrypoints.http.asgi import Receive, Send
from loopx.entrypoints.http.headers import complete
from loopx.entrypoints.http.messages import Fields, Response, Stream

MOST_BODY: Final = 64 * 1024
_NO_BODY: Final = frozenset({204, 304})


async def read_body(receive: Receive) -> bytes:
    """The whole body of a request.

    Raises:
        LoopXError: ``payload_too_large/body``, or ``bad_request/body`` when the client left before its end.
    """
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise LoopXError("bad_request", "body", detail="it ends early")
        body += message.get("body", b"")
        if len(body) > MOST_BODY:
            raise LoopXError("payload_too_large", "body")
        if not message.get("more_body", False):
            return bytes(body)


class Answering:
    """Gives one answer; the stream behind it is closed whatever happens."""

    def __init__(self, method: str, receive: Receive, send: Send) -> None:
        self._method = method
        self._receive = receive
        self._send = send

    async def give(self, response: Response) -> None:
        """Send the answer, or as much of it as the client stays for."""
        if isinstance(response.body, bytes):
            await self._give_whole(response, response.body)
            return
        try:
            await self._start(response, ())
            if self._method != "HEAD":
                await self._stream(response.body)
        finally:
            await response.body.aclose()
        await self._send({"type": "http.response.body", "body": b""})

    async def _give_whole(self, response: Response, body: bytes) -> None:
        length: Fields = () if response.status in _NO_BODY else (("Content-Length", str(len(body))),)
        await self._start(response, length)
        await self._send({"type": "http.response.body", "body": b"" if self._method == "HEAD" else body})

    async def _start(self, response: Response, more: Fields) -> None:
        fields = complete((*response.headers, *more), self._method)
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields]
        await self._send({"type": "http.response.start", "status": response.status, "headers": headers})

    async def _stream(self, body: Stream) -> None:
        """Send the pieces until there are no more; an idle stream, too, ends when its client leaves."""
        sending = asyncio.ensure_future(self._send_pieces(body))
        leaving = asyncio.ensure_future(self._wait_until_gone())
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)
        if sending.cancelled():
            raise ConnectionResetError
        sending.result()

    async def _send_pieces(self, body: Stream) -> None:
        # The head leaves at once: it says where the run is, whenever its first line comes.
        await self._send({"type": "http.response.body", "body": b"", "more_body": True})
        async for piece in body:
            await self._send({"type": "http.response.body", "body": piece, "more_body": True})

    async def _wait_until_gone(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass


async def live(receive: Receive, send: Send) -> None:
    """Answer what an ASGI server asks at its start and its end."""
    with suppress(ConnectionError):
        while True:
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return
