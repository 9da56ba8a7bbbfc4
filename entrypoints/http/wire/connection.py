"""One connection: requests one after the other, each within its limits (RFC 9112)."""

import asyncio
from collections.abc import Callable
from enum import Enum, auto
from typing import Final, cast

import h11

from loopx.domain.http.request_head import HeadFault, WholeHead, read_head
from loopx.entrypoints.http.wire.exchange import Exchange, declared_length
from loopx.entrypoints.http.wire.refusal import render
from loopx.entrypoints.http.wire.room import Room

_LINE_END: Final = b"\r\n"
_MOST_LINGERING: Final = 1024 * 1024


class _Phase(Enum):
    IDLE = auto()
    HEAD = auto()
    BODY = auto()
    ANSWER = auto()
    LINGER = auto()


class Connection(asyncio.Protocol):
    """Reads requests, has them answered, and hangs up on who takes too long or too much."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._loop = asyncio.get_running_loop()
        self._phase = _Phase.HEAD
        self._buffer = bytearray()
        self._http = h11.Connection(h11.SERVER)
        self._exchange: Exchange | None = None
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._stall: asyncio.TimerHandle | None = None
        self._writable = asyncio.Event()
        self._started = 0.0
        self._is_lost = False
        self._is_half_closed = False
        self._is_admitted = False
        self._lingered = 0

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=self._room.limits.write_buffer)
        self._writable.set()
        self._started = self._loop.time()
        self._room.enter(self)
        self._await(self._room.limits.head_seconds, self._head_is_late)
        if self._room.is_stopping:
            # It was accepted before the listener closed, and is known only now.
            self._close()

    def data_received(self, data: bytes) -> None:
        match self._phase:
            case _Phase.LINGER:
                self._lingered += len(data)
                if self._lingered > _MOST_LINGERING:
                    self.abort()
            case _Phase.BODY:
                self._read_body(data)
            case _Phase.ANSWER:
                self._buffer += data
                if len(self._buffer) > self._room.limits.head.headers:
                    self._transport.pause_reading()
            case _Phase.IDLE | _Phase.HEAD:
                self._buffer += data
                self._read_head()

    def eof_received(self) -> bool:
        """Keep the connection while it owes an answer: who said all it had to say may still listen."""
        self._is_half_closed = True
        if self._phase is not _Phase.ANSWER or self._exchange is None:
            return False
        self._exchange.leave()
        return True

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self._is_lost = True
        for timer in (self._timer, self._stall):
            if timer is not None:
                timer.cancel()
        self._writable.set()
        if self._exchange is not None:
            self._exchange.leave()
        if self._task is not None and self._phase is _Phase.BODY:
            self._task.cancel()
        self._room.leave(self)

    def pause_writing(self) -> None:
        self._writable.clear()
        self._stall = self._loop.call_later(self._room.limits.stalled_seconds, self.abort)

    def resume_writing(self) -> None:
        self._writable.set()
        if self._stall is not None:
            self._stall.cancel()

    # What the exchange calls

    @property
    def is_last(self) -> bool:
        """Whether the connection ends with this answer."""
        return self._room.is_stopping

    def write(self, data: bytes) -> None:
        """Send bytes."""
        if not self._is_lost:
            self._transport.write(data)

    async def drain(self) -> None:
        """Wait until the client has read enough.

        Raises:
            ConnectionResetError: it is gone.
        """
        await self._writable.wait()
        if self._is_lost:
            raise ConnectionResetError

    # What the server calls

    def abort(self) -> None:
        """Hang up, whatever is under way."""
        if self._task is not None:
            self._task.cancel()
        self._transport.abort()

    def retire(self) -> None:
        """Hang up as soon as nothing is under way."""
        if self._phase is not _Phase.ANSWER:
            self._close()

    @property
    def task(self) -> asyncio.Task[None] | None:
        """What answers the request that is under way."""
        return self._task

    # Reading

    def _read_head(self) -> None:
        while self._buffer.startswith(_LINE_END):
            del self._buffer[:2]
        if not self._buffer:
            return
        if self._phase is _Phase.IDLE:
            self._phase = _Phase.HEAD
            self._started = self._loop.time()
            self._await(self._room.limits.head_seconds, self._head_is_late)
        match read_head(bytes(self._buffer), self._room.limits.head):
            case HeadFault(code, reason):
                self._refuse(code, reason)
            case WholeHead(size):
                head = bytes(self._buffer[:size])
                del self._buffer[:size]
                self._open(head)
            case None:
                pass

    def _open(self, head: bytes) -> None:
        # A new parser for each request: what it would keep of the next one must be judged here first.
        self._http = h11.Connection(h11.SERVER)
        try:
            self._http.receive_data(head)
            request = cast("h11.Request", self._http.next_event())
        except h11.RemoteProtocolError:
            self._refuse("bad_request", "syntax")
            return
        if declared_length(request) > self._room.limits.body:
            self._refuse("payload_too_large", "body")
            return
        self._phase = _Phase.BODY
        self._await(self._started + self._room.limits.request_seconds - self._loop.time(), self._body_is_late)
        exchange = self._exchange = Exchange(self._http, request, self)
        rest = bytes(self._buffer)
        self._buffer.clear()
        self._read_body(rest)
        if self._exchange is exchange and self._phase in {_Phase.BODY, _Phase.ANSWER}:
            self._answer(exchange)

    def _read_body(self, data: bytes) -> None:
        exchange = self._exchange
        if exchange is None:
            return
        try:
            if data:
                self._http.receive_data(data)
            while isinstance(event := self._http.next_event(), h11.Data):
                exchange.feed(bytes(event.data))
        except h11.RemoteProtocolError:
            self._refuse("bad_request", "framing")
            return
        if exchange.received > self._room.limits.body:
            self._refuse("payload_too_large", "body")
        elif isinstance(event, h11.EndOfMessage):
            self._buffer[:0] = self._http.trailing_data[0]
            self._admit(exchange)

    def _admit(self, exchange: Exchange) -> None:
        """A whole request takes one of the places; half a request has none to keep from others."""
        if not self._room.admit(self):
            self._refuse("too_many_connections", "requests")
            return
        self._is_admitted = True
        self._phase = _Phase.ANSWER
        if self._timer is not None:
            self._timer.cancel()
        exchange.complete()

    # Answering

    def _answer(self, exchange: Exchange) -> None:
        self._task = self._loop.create_task(self._run(exchange))
        self._task.add_done_callback(self._answered)

    async def _run(self, exchange: Exchange) -> None:
        client, server = (self._transport.get_extra_info(name) for name in ("peername", "sockname"))
        await self._room.app(exchange.scope(client, server), exchange.receive, exchange.send)

    def _answered(self, task: asyncio.Task[None]) -> None:
        failed = task.cancelled() or task.exception() is not None
        self._task = None
        if self._is_admitted:
            self._is_admitted = False
            self._room.release()
        if self._is_lost or self._phase is _Phase.LINGER:
            return
        ours, theirs = self._http.our_state, self._http.their_state
        if failed or ours not in {h11.DONE, h11.MUST_CLOSE, h11.CLOSED}:
            self._transport.abort()
        elif theirs is h11.SEND_BODY:
            self._linger()
        elif ours is h11.DONE and theirs is h11.DONE and not (self._is_half_closed or self._room.is_stopping):
            self._begin_again()
        else:
            self._close()

    def _begin_again(self) -> None:
        self._exchange = None
        self._phase = _Phase.IDLE
        self._room.enter(self)
        self._await(self._room.limits.idle_seconds, self._close)
        self._transport.resume_reading()
        self._read_head()

    # Ending

    def _head_is_late(self) -> None:
        if self._buffer:
            self._refuse("request_timeout", "headers")
        else:
            self._close()

    def _body_is_late(self) -> None:
        self._refuse("request_timeout", "body")

    def _refuse(self, code: str, reason: str) -> None:
        """Answer in the place of the application, which may wait for the rest of a body, and hang up."""
        exchange = self._exchange
        self._phase = _Phase.LINGER
        if self._task is not None:
            self._task.cancel()
        refusal = self._room.refuse(code, reason)
        if exchange is not None and exchange.has_started:
            self._transport.abort()
            return
        self.write(render(refusal, with_body=exchange is None or exchange.method != "HEAD"))
        self._linger()

    def _linger(self) -> None:
        """Let the client read the answer although it still talks: hanging up at once would destroy it."""
        self._phase = _Phase.LINGER
        if self._is_half_closed:
            self._close()
            return
        self._room.enter(self)
        self._await(self._room.limits.linger_seconds, self._close)
        self._transport.resume_reading()
        self._transport.write_eof()

    def _close(self) -> None:
        """Hang up once what was written is read, but do not wait for ever."""
        self._phase = _Phase.LINGER
        self._room.enter(self)
        self._await(self._room.limits.stalled_seconds, self.abort)
        self._transport.close()

    def _await(self, seconds: float, then: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(max(0.0, seconds), then)
