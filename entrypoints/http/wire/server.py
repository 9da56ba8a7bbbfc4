"""Listens, and stops without cutting anybody off who is nearly done."""

import asyncio
import resource
import socket
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Final, Self

from loopx.entrypoints.http.asgi import App
from loopx.entrypoints.http.messages import Response
from loopx.entrypoints.http.wire.connection import Connection
from loopx.entrypoints.http.wire.limits import ServerLimits
from loopx.entrypoints.http.wire.room import Room

_OTHER_FILES: Final = 128
"""Open files that the rest of the process may need."""


class HttpServer:
    """Serves an application on a bound socket."""

    def __init__(self, listener: asyncio.Server, room: Room, unix: Path | None) -> None:
        self._listener = listener
        self._room = room
        self._unix = unix

    @classmethod
    async def start(
        cls,
        bound: socket.socket,
        app: App,
        *,
        refuse: Callable[[str, str], Response],
        limits: ServerLimits,
    ) -> Self:
        """Start to accept connections."""
        loop = asyncio.get_running_loop()
        room = Room(app=app, limits=_within_open_files(limits), refuse=refuse)
        is_unix = bound.family == socket.AF_UNIX
        create = loop.create_unix_server if is_unix else loop.create_server
        listener = await create(lambda: Connection(room), sock=bound, backlog=limits.backlog)
        return cls(listener, room, Path(bound.getsockname()) if is_unix else None)

    async def stop(self, *, cut: Callable[[], Awaitable[None]], hurry: asyncio.Event) -> bool:
        """Accept no more and let answers that are under way be finished; gives whether all were.

        When their time is over, or somebody is in a hurry, ``cut`` ends them, so that they can still
        say how far they came.
        """
        self._retire()
        finished = await self._emptied(self._room.limits.stop_seconds, hurry)
        if not finished:
            await cut()
            if not await self._emptied(self._room.limits.last_words_seconds, asyncio.Event()):
                self._room.abort()
                await self._room.empty()
        await self._listener.wait_closed()
        return finished

    async def aclose(self) -> None:
        """Hang up on everybody now; after a stop nobody is left."""
        self._retire()
        self._room.abort()
        await self._room.empty()
        await self._listener.wait_closed()

    def _retire(self) -> None:
        if self._unix is not None:
            self._unix.unlink(missing_ok=True)
            self._unix = None
        self._listener.close()
        self._room.retire()

    async def _emptied(self, seconds: float, hurry: asyncio.Event) -> bool:
        emptying = asyncio.ensure_future(self._room.empty())
        hurrying = asyncio.ensure_future(hurry.wait())
        waiting = {emptying, hurrying}
        try:
            done, _ = await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
        return emptying in done


def _within_open_files(limits: ServerLimits) -> ServerLimits:
    """Fewer connections where the system allows fewer files: running out would stop all new ones."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY:
        return limits
    return replace(limits, connections=max(limits.requests, min(limits.connections, allowed - _OTHER_FILES)))
