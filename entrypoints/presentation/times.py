"""Times as people say them."""

from datetime import UTC, datetime
from typing import Final

_UNITS: Final = ((365 * 86_400, "y"), (7 * 86_400, "w"), (86_400, "d"), (3_600, "h"), (60, "m"))
_WEEKS_FROM: Final = 14 * 86_400


def age(since: object, now: float) -> str:
    """How long ago a record's time was, in one unit: ``5m``, ``3h``, ``12d``, ``7w``, ``2y``."""
    if not isinstance(since, str):
        return ""
    seconds = now - datetime.fromisoformat(since).timestamp()
    for size, unit in _UNITS:
        if seconds >= size and (unit != "w" or seconds >= _WEEKS_FROM):
            return f"{int(seconds // size)}{unit}"
    return "now"


def iso(unix_time: float) -> str:
    """Unix time, in seconds, as ISO 8601 in UTC."""
    return datetime.fromtimestamp(unix_time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def duration(seconds: float) -> str:
    """A duration in seconds, no more exact than a person wants it."""
    return f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds // 60)} min {int(seconds % 60)} s"  # noqa: PLR2004 - a minute
