"""Whether the program may be started anew once more."""

import re
from typing import Final

from loopx.domain.updates.refusal import refused

GUARD: Final = "LOOPX_RESTARTS"
"""The variable that a program hands to itself: how often it restarted, and when it first did (Unix time)."""
MOST: Final = 3
WITHIN: Final = 60
"""Seconds."""

_GUARD: Final = re.compile(r"([0-9]{1,3})@([0-9]{1,12})", re.ASCII)


def next_guard(guard: str | None, now: float) -> str:
    """The guard to hand on.

    Raises:
        LoopXError: ``update_error/restart_loop``.
    """
    count, since = _read(guard or "")
    # A clock that was set back must not keep an old count alive.
    if not 0 <= now - since <= WITHIN:
        return f"1@{int(now)}"
    if count >= MOST:
        raise refused("restart_loop", f"{count} times within {WITHIN} s")
    return f"{count + 1}@{since}"


def _read(guard: str) -> tuple[int, int]:
    found = _GUARD.fullmatch(guard)
    return (int(found[1]), int(found[2])) if found else (0, 0)
