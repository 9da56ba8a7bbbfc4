"""Run what a request packet asks for."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

from loopx.domain.errors import LoopXError
from loopx.entrypoints.cli.capability_run import run_capability
from loopx.entrypoints.cli.session import Session
from loopx.entrypoints.presentation.packet import Packet, read_packet

_MOST_BYTES: Final = 1_000_000
_STANDARD_INPUT: Final = "-"


async def run_packet(source: str, session: Session) -> int:
    """Read a packet from a file or from standard input, and run its capability.

    Raises:
        LoopXError: ``usage_error/packet``, or as the run.
    """
    packet = read_packet(_read(source))
    return await run_capability(packet.capability, packet.params, _within(packet, session))


def _read(source: str) -> bytes:
    try:
        if source == _STANDARD_INPUT:
            content = sys.stdin.buffer.read(_MOST_BYTES + 1)
        else:
            with Path(source).open("rb") as file:
                content = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError):
        raise LoopXError("usage_error", "packet", detail=f"{source[:80]!r} cannot be read") from None
    if len(content) > _MOST_BYTES:
        raise LoopXError("usage_error", "packet", detail=f"it is longer than {_MOST_BYTES} bytes")
    return content


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
