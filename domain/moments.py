"""Points in time as people type them."""

import re
from datetime import UTC, datetime
from typing import Final

from loopx.domain.errors import LoopXError

_AGO: Final = re.compile(r"([0-9]{1,6})([smhdw])")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def read_moment(text: str, now: float) -> float:
    """A date or time (ISO 8601, UTC where it names no zone), or how long ago: ``90s``, ``2h``, ``3d``.

    ``now`` and the result are Unix time in seconds.

    Raises:
        LoopXError: ``usage_error/parameter``.
    """
    ago = _AGO.fullmatch(text.strip())
    if ago is not None:
        return now - int(ago[1]) * _SECONDS[ago[2]]
    try:
        moment = datetime.fromisoformat(text.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise LoopXError(
            "usage_error",
            "parameter",
            detail=f"{text[:40]!r} is no point in time",
            hint="Write 2h, 3d, 2026-01-31 or 2026-01-31T12:00:00Z.",
        ) from None
