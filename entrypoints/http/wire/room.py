"""What the connections of a server share: the places, and who waits for one."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from loopx.entrypoints.http.asgi import App
from loopx.entrypoints.http.messages import Response
from loopx.entrypoints.http.wire.limits import ServerLimits


class Guest(Protocol):
    """A connection, as the room sees it."""

    def abort(self) -> None:
        """Hang up, whatever is under way."""
        ...

    def retire(self) -> None:
        """Hang up as soon as nothing is under way."""
        ...


class Room:
    """Counts connections and requests; who has not asked for anything yet makes room for others."""

    def __init__(self, *, app: App, limits: ServerLimits, refuse: Callable[[str, str], Response]) -> None:
        """``refuse`` gives the answer for a code and reason."""
        self.app = app
        self.limits = limits
        self.refuse = refuse
        self.is_stopping = False
        self._guests: set[Guest] = set()
        # In the order in which they began to wait.
        self._waiting: dict[Guest, None] = {}
        self._served = 0
        self._empty = asyncio.Event()
        self._empty.set()

    def enter(self, guest: Guest) -> None:
        """A connection waits for its next whole request, or for its end."""
        self._guests.add(guest)
        self._empty.clear()
        self._waiting.pop(guest, None)
        self._waiting[guest] = None
        if len(self._guests) > self.limits.connections:
            oldest = next(iter(self._waiting))
            self.leave(oldest)
            oldest.abort()

    def admit(self, guest: Guest) -> bool:
        """Take a place for a whole request, if there is one."""
        if self._served >= self.limits.requests:
            return False
        self._served += 1
        self._waiting.pop(guest, None)
        return True

    def release(self) -> None:
        """Give the place back."""
        self._served -= 1

    def leave(self, guest: Guest) -> None:
        """The connection is closed."""
        self._guests.discard(guest)
        self._waiting.pop(guest, None)
        if not self._guests:
            self._empty.set()

    def retire(self) -> None:
        """Let nobody in any more, and let go who has nothing under way."""
        self.is_stopping = True
        for guest in [*self._guests]:
            guest.retire()

    async def empty(self) -> None:
        """Wait until all are gone."""
        await self._empty.wait()

    def abort(self) -> None:
        """Hang up on everybody."""
        for guest in [*self._guests]:
            guest.abort()
