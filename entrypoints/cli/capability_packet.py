"""Run what a request packet asks for."""

import sys
from dataclasses import replace
from io import FileIO
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final

from loopx.domain.errors import LoopXError
from loopx.entrypoints.cli.capability_run import run_capability
from loopx.entrypoints.cli.session import Session
from loopx.entrypoints.presentation.packet import Packet, read_packet

_MOST_BYTES: Final = 1_000_000
_STANDARD_INPUT: Final = "-"


def load_packet(source: str, patience: float) -> Packet:
    """Read a packet from a file or from standard input, before any event loop notes signals only.

    ``patience`` is how long it may take to come, in seconds.

    Raises:
        LoopXError: ``usage_error/packet``; ``deadline_exceeded/run``.
    """
    # In a thread of its own, as a pipe may never be written to; here a signal ends the wait at once.
    came: SimpleQueue[bytes | None] = SimpleQueue()
    Thread(target=lambda: came.put(_read(source)), daemon=True).start()
    try:
        content = came.get(timeout=patience)
    except Empty:
        raise LoopXError("deadline_exceeded", "run", detail=f"no packet from {source[:80]!r}") from None
    if content is None:
        raise LoopXError("usage_error", "packet", detail=f"{source[:80]!r} cannot be read")
    if len(content) > _MOST_BYTES:
        raise LoopXError("usage_error", "packet", detail=f"it is longer than {_MOST_BYTES} bytes")
    return read_packet(content)


async def run_packet(packet: Packet, session: Session) -> int:
    """Run the capability of a packet.

    Raises:
        LoopXError: ``usage_error``, or as the run.
    """
    within = _within(packet, session)
    return await run_capability(packet.capability, packet.params, within, typed=True)


def _read(source: str) -> bytes | None:
    """At most one byte too many; unbuffered, as a thread that still waits at the end must hold no lock."""
    content = bytearray()
    try:
        with _open(source) as file:
            while len(content) <= _MOST_BYTES and (piece := file.read(_MOST_BYTES + 1 - len(content))):
                content += piece
    except (OSError, ValueError):
        return None
    return bytes(content)


def _open(source: str) -> FileIO:
    if source != _STANDARD_INPUT:
        return FileIO(source)
    if sys.stdin is None:  # whatever has its number by now is something else
        raise ValueError("standard input is closed")
    return FileIO(sys.stdin.fileno(), closefd=False)


def _within(packet: Packet, session: Session) -> Session:
    """The session with the packet's trace; what was given on the line or in the environment wins."""
    choices = session.choices
    return session.with_trace(
        replace(
            choices,
            agent_id=choices.agent_id or packet.trace.agent_id,
            turn_id=choices.turn_id or packet.trace.turn_id,
        ),
        packet.trace.traceparent,
    )
