"""How long a call may take."""

from loopx.domain.http.outcome import FaultKind


def time_left(timeout: float, deadline: float | None, now: float) -> tuple[float, FaultKind]:
    """Seconds from ``now`` until the call, or the run it belongs to, is over; and which of the two.

    ``deadline`` and ``now`` are readings of the same monotonic clock.
    """
    if deadline is not None and deadline - now < timeout:
        return deadline - now, FaultKind.RUN_DEADLINE
    return timeout, FaultKind.CALL_DEADLINE
