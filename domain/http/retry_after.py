"""How long a server asks to be left alone."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from loopx.domain.http.message import Headers

LONGEST_WAIT: Final = 86_400.0
"""Seconds; a longer wish is read as this much."""

_NUMBER: Final = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,9})?")
_MILLISECONDS_FROM: Final = 100_000_000_000
"""An epoch time above this (the year 5138) can only be meant in milliseconds."""


def retry_after(headers: Headers, now: float) -> float | None:
    """Seconds to wait, from ``Retry-After`` or else a used-up ``X-RateLimit-Reset``.

    ``now`` is the Unix time in seconds. Sources: RFC 9110 section 10.2.3; GitHub's REST
    documentation on rate limits, which puts ``Retry-After`` first.
    """
    asked = headers.get("Retry-After")
    wait = _read_wait(asked.strip(), now) if asked is not None else None
    if wait is None and is_used_up(headers):
        wait = _until_reset(headers, now)
    return None if wait is None else min(max(wait, 0.0), LONGEST_WAIT)


def is_used_up(headers: Headers) -> bool:
    """Whether the rate limit that these headers report has nothing left."""
    return (headers.get("X-RateLimit-Remaining") or "").strip() == "0"


def _read_wait(text: str, now: float) -> float | None:
    if _NUMBER.fullmatch(text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
        # An HTTP-date is always GMT, also where a sloppy server leaves the zone out.
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return (aware - datetime.fromtimestamp(now, UTC)).total_seconds()
    except (ValueError, OverflowError):
        return None


def _until_reset(headers: Headers, now: float) -> float | None:
    for value in _numbers(headers.all("X-RateLimit-Reset")):
        return (value / 1000 if value >= _MILLISECONDS_FROM else value) - now
    return None


def _numbers(values: tuple[str, ...]) -> Iterator[float]:
    return (float(value.strip()) for value in values if _NUMBER.fullmatch(value.strip()))
