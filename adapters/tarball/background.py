"""Work that takes long on another thread, and still ends when its caller is cancelled."""

import asyncio
from collections.abc import Callable
from threading import Event
from typing import TypeVar

from loopx.domain.errors import LoopXError

_Result = TypeVar("_Result")


class Stop:
    """Asked by the work at every step."""

    def __init__(self) -> None:
        self._event = Event()

    def request(self) -> None:
        """End the work at its next step."""
        self._event.set()

    def check(self) -> None:
        """Go on, or not.

        Raises:
            LoopXError: ``cancelled/caller``, which only undoes the work: nobody waits for it.
        """
        if self._event.is_set():
            raise LoopXError("cancelled", "caller")


async def in_background(work: Callable[[Stop], _Result]) -> _Result:
    """Run the work; a cancelled caller goes on only after the work has undone what it did."""
    stop = Stop()
    running = asyncio.create_task(asyncio.to_thread(work, stop))
    try:
        await asyncio.wait([running])
    except asyncio.CancelledError:
        stop.request()
        await asyncio.wait([running])
        if not running.cancelled():
            running.exception()  # taken note of: how the undone work ended is of no interest
        raise
    return running.result()
