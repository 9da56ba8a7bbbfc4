"""One request and its answer, between the connection and the application."""

import asyncio
from email.utils import formatdate
from http import HTTPStatus
from typing import Final, Protocol, cast
from urllib.parse import unquote

import h11

from loopx.entrypoints.http.asgi import Message, Scope

Address = object
"""Host and port, or whatever the kind of socket has."""
_CONTINUE: Final = 100


class Wire(Protocol):
    """The connection, as an exchange needs it."""

    @property
    def is_last(self) -> bool:
        """Whether the connection ends with this answer."""
        ...

    def write(self, data: bytes) -> None:
        """Send bytes."""
        ...

    async def drain(self) -> None:
        """Wait until the client has read enough.

        Raises:
            ConnectionResetError: it is gone.
        """
        ...


class Exchange:
    """Hands the request to the application and its answer to the wire."""

    def __init__(self, http: h11.Connection, request: h11.Request, wire: Wire) -> None:
        self._http = http
        self._request = request
        self._wire = wire
        self._chunks: list[bytes] = []
        self._handed_over = False
        self._start: Message | None = None
        self._changed = asyncio.Event()
        self.received = 0
        self.is_whole = False
        self.is_gone = False

    @property
    def method(self) -> str:
        """The method of the request."""
        return self._request.method.decode("ascii")

    @property
    def has_started(self) -> bool:
        """Whether any part of the answer is on its way."""
        return self._http.our_state is not h11.IDLE and self._http.our_state is not h11.SEND_RESPONSE

    def feed(self, data: bytes) -> None:
        """Take a part of the body."""
        self.received += len(data)
        self._chunks.append(data)
        self._wake()

    def complete(self) -> None:
        """The request is whole."""
        self.is_whole = True
        self._wake()

    def leave(self) -> None:
        """The client is gone."""
        self.is_gone = True
        self._wake()

    def scope(self, client: Address, server: Address) -> Scope:
        """The request as ASGI has it; ``raw_path`` is the target as it was sent, without its query."""
        target, _, query = self._request.target.partition(b"?")
        path = target.decode("ascii")
        if not path.startswith("/") and "://" in path:
            path = "/" + path.partition("://")[2].partition("/")[2]
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": self._request.http_version.decode("ascii"),
            "method": self.method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": target,
            "query_string": query,
            "root_path": "",
            "headers": [(name, value) for name, value in self._request.headers],
            "client": client,
            "server": server,
        }

    async def receive(self) -> Message:
        """The next part of the body, then the news that the client is gone."""
        while True:
            if self._chunks or (self.is_whole and not self._handed_over):
                body = b"".join(self._chunks)
                self._chunks.clear()
                self._handed_over = self.is_whole
                return {"type": "http.request", "body": body, "more_body": not self.is_whole}
            if self.is_gone:
                return {"type": "http.disconnect"}
            if self._http.they_are_waiting_for_100_continue:
                self._send(h11.InformationalResponse(status_code=_CONTINUE, headers=[]))
            await self._changed.wait()

    async def send(self, message: Message) -> None:
        """Send a part of the answer.

        Raises:
            ConnectionResetError: the client is gone.
        """
        if message["type"] == "http.response.start":
            # Kept until the first part of the body: small answers leave in one piece.
            self._start = message
            return
        head, self._start = self._start, None
        body = message.get("body", b"")
        events: list[h11.Event] = [self._response(head)] if head is not None else []
        if body:
            events.append(h11.Data(data=body))
        if not message.get("more_body", False):
            events.append(h11.EndOfMessage())
        self._send(*events)
        await self._wire.drain()

    def _response(self, message: Message) -> h11.Response:
        headers = [*cast("list[tuple[bytes, bytes]]", message["headers"])]
        headers.append((b"Date", formatdate(usegmt=True).encode("ascii")))
        if self._wire.is_last or not self.is_whole:
            headers.append((b"Connection", b"close"))
        status = HTTPStatus(message["status"])
        return h11.Response(status_code=status, headers=headers, reason=status.phrase.encode())

    def _send(self, *events: h11.Event) -> None:
        self._wire.write(b"".join(self._http.send(event) or b"" for event in events))

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


def declared_length(request: h11.Request) -> int:
    """How long the body is, as far as the headers say."""
    return next((int(value) for name, value in request.headers if name == b"content-length"), 0)
