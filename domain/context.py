"""On whose behalf a call is made, and how long it may take."""

import re
from dataclasses import dataclass
from typing import Final, Self

from loopx.domain.errors import LoopXError

NAME_PATTERN: Final = r"[A-Za-z0-9._:@/+-]{1,128}"
"""What the id of an agent or a turn looks like, so that it fits in a header."""

_NAME: Final = re.compile(NAME_PATTERN)
_TRACE_ID: Final = re.compile(r"(?!0{32})[0-9a-f]{32}")
_SPAN_ID: Final = re.compile(r"(?!0{16})[0-9a-f]{16}")
_FLAGS: Final = re.compile(r"[0-9a-f]{2}")
_TRACEPARENT: Final = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")


@dataclass(frozen=True, slots=True)
class TraceContext:
    """A position in a distributed trace (W3C Trace Context, level 1).

    Raises:
        LoopXError: ``usage_error/trace`` when an id has the wrong length or is all zero.
    """

    trace_id: str
    span_id: str
    flags: str = "01"

    def __post_init__(self) -> None:
        parts = ((_TRACE_ID, self.trace_id), (_SPAN_ID, self.span_id), (_FLAGS, self.flags))
        if not all(pattern.fullmatch(value) for pattern, value in parts):
            raise LoopXError("usage_error", "trace", detail="the trace is not valid")

    def header(self) -> str:
        """The value of the ``traceparent`` header."""
        return f"00-{self.trace_id}-{self.span_id}-{self.flags}"

    @classmethod
    def parse(cls, value: str) -> Self | None:
        """Read a ``traceparent``; ``None`` if it is invalid, which starts a new trace."""
        match = _TRACEPARENT.fullmatch(value.strip())
        if match is None:
            return None
        version, trace_id, span_id, flags, more = match.groups()
        # Only a later version may add fields, and "ff" is none.
        if version == "ff" or (version == "00" and more is not None):
            return None
        try:
            return cls(trace_id, span_id, flags)
        except LoopXError:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """What every outbound call carries: who, in which turn, within which trace, until when.

    ``timeout`` is the total time of one call, in seconds; ``deadline`` is a reading of the
    monotonic clock, in seconds, after which the whole run is over. ``call_deadline`` is another, set by
    the transport: when the call under way is over.

    Raises:
        LoopXError: ``usage_error/trace`` when an id would not fit in a header.
    """

    trace: TraceContext
    agent_id: str | None = None
    turn_id: str | None = None
    capability: str | None = None
    timeout: float = 30.0
    deadline: float | None = None
    call_deadline: float | None = None

    def __post_init__(self) -> None:
        for option, value in (("agent id", self.agent_id), ("turn id", self.turn_id)):
            if value is not None and _NAME.fullmatch(value) is None:
                raise LoopXError("usage_error", "trace", detail=f"the {option} is not valid")
