"""Asks a server to stop, by a call or by the signals that end a program."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

_ENDING = (signal.SIGTERM, signal.SIGINT)


class Stop:
    """Asks a server to stop; asked again, to hurry."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.hurried = asyncio.Event()
        self.number = int(signal.SIGTERM)

    def __call__(self, number: int = signal.SIGTERM) -> None:
        """Ask."""
        (self.hurried if self.asked.is_set() else self.asked).set()
        self.number = number

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Be asked by the signals that end a program; behind the block they mean what they meant before."""
        loop = asyncio.get_running_loop()
        with ExitStack() as stack:
            # Off the main thread no signal arrives; whoever started the server there stops it.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                for number in _ENDING:
                    restore = _restoring(loop, number)
                    loop.add_signal_handler(number, self, number)
                    stack.callback(restore)
            yield


def _restoring(loop: asyncio.AbstractEventLoop, number: int) -> Callable[[], None]:
    """What puts back how a signal is handled now."""
    before = signal.getsignal(number)
    # A loop tells nobody what it would do at a signal, and forgets it when that is replaced: without this
    # look into asyncio's own table the program around would be deaf afterwards.
    handlers: dict[int, Any] = getattr(loop, "_signal_handlers", {})
    theirs = handlers.get(number)

    def restore() -> None:
        if theirs is not None:
            handlers[number] = theirs
            return
        loop.remove_signal_handler(number)
        if before is not None:
            signal.signal(number, before)

    return restore
