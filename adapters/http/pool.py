"""Connections that are kept for the next request.

httpcore's own pool keeps a slot for ever when a request is cancelled between the choice of its
connection and the first byte (encode/httpcore#1093), with or without a queue. Here a slot belongs to
exactly one lease, and giving it back never waits.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Final

import httpcore

from loopx.adapters.http.channel import Channel
from loopx.adapters.http.dialing import CONNECT_TIMEOUT, Dialer
from loopx.adapters.http.exchange import Exchange
from loopx.adapters.http.tls import TrustStore
from loopx.domain.errors import LoopXError

MAXIMUM_CONNECTIONS: Final = 20
KEEPALIVE_SECONDS: Final = 15.0


@dataclass(slots=True)
class Connection:
    """An open channel and httpcore's state of the HTTP/1.1 conversation over it."""

    origin: httpcore.Origin
    channel: Channel
    http: httpcore.AsyncHTTP11Connection
    home: "_LoopState"


@dataclass(slots=True)
class _LoopState:
    """What belongs to the event loop in which the pool works."""

    loop: asyncio.AbstractEventLoop
    slots: asyncio.Semaphore
    idle: list[Connection] = field(default_factory=list[Connection])
    leased: int = 0


class ConnectionPool:
    """Leases one connection to one exchange at a time, at most ``limit`` at once."""

    def __init__(self, *, dialer: Dialer, trust: TrustStore, limit: int = MAXIMUM_CONNECTIONS) -> None:
        self._dialer = dialer
        self._trust = trust
        self._limit = limit
        self._state: _LoopState | None = None
        self._closed = False

    async def acquire(self, origin: httpcore.Origin, exchange: Exchange) -> Connection:
        """A connection to an origin, kept or new; it must be given back with ``release``."""
        state = self._enter()
        await state.slots.acquire()
        state.leased += 1
        try:
            await _look_around()
            connection = self._reuse(state, origin) or await self._open(state, origin)
        except BaseException:  # whatever it is passes on; the slot must not stay taken
            self._give_back(state)
            raise
        connection.channel.exchange = exchange
        exchange.connected = True
        return connection

    def release(self, connection: Connection, *, keep: bool) -> None:
        """Take a connection back; without ``keep`` it is closed."""
        if keep and not self._closed and connection.http.is_idle():
            connection.home.idle.append(connection)
        else:
            connection.channel.abort()
        self._give_back(connection.home)

    def close(self) -> None:
        """Close what is idle, and what is leased when it comes back."""
        self._closed = True
        if self._state is not None:
            for connection in self._state.idle:
                connection.channel.abort()
            self._state.idle.clear()

    def _enter(self) -> _LoopState:
        if self._closed:
            raise LoopXError("transport_misuse", "closed")
        loop = asyncio.get_running_loop()
        if self._state is None:
            self._state = _LoopState(loop, asyncio.Semaphore(self._limit))
        if self._state.loop is not loop:
            raise LoopXError("transport_misuse", "mode", detail="one transport serves one event loop")
        return self._state

    def _give_back(self, state: _LoopState) -> None:
        state.leased -= 1
        state.slots.release()

    def _reuse(self, state: _LoopState, origin: httpcore.Origin) -> Connection | None:
        """The connection that was idle for the shortest time; those that died meanwhile are dropped."""
        for connection in reversed(state.idle.copy()):
            if connection.http.has_expired():
                state.idle.remove(connection)
                connection.channel.abort()
            elif connection.origin == origin:
                state.idle.remove(connection)
                return connection
        return None

    async def _open(self, state: _LoopState, origin: httpcore.Origin) -> Connection:
        while state.idle and len(state.idle) + state.leased > self._limit:
            state.idle.pop(0).channel.abort()
        host = origin.host.decode("ascii")
        # Asked first: without trust there is nothing to connect for.
        context = self._trust.context if origin.scheme == b"https" else None
        channel = await self._dialer.connect_tcp(host, origin.port)
        if context is not None:
            await channel.start_tls(context, host, CONNECT_TIMEOUT)
        http = httpcore.AsyncHTTP11Connection(origin, channel, keepalive_expiry=KEEPALIVE_SECONDS)
        return Connection(origin, channel, http, state)


async def _look_around() -> None:
    """Let the loop poll and act on it once, so that a connection closed meanwhile is seen as closed."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)
