"""How long a call may take."""

from loopx.domain.context import CallContext
from loopx.domain.http.outcome import FaultKind


def time_left(timeout: float, deadline: float | None, now: float) -> tuple[float, FaultKind]:
    """Seconds from ``now`` until the call, or the run it belongs to, is over; and which of the two.

    ``deadline`` and ``now`` are readings of the same monotonic clock.
    """
    if deadline is not None and deadline - now < timeout:
        return deadline - now, FaultKind.RUN_DEADLINE
    return timeout, FaultKind.CALL_DEADLINE


def deadline_passed(context: CallContext, now: float) -> FaultKind | None:
    """Which deadline a call has met by then, the earlier one of two; ``None`` while it has time left.

    A call that its deadline ends and one that its caller ends look alike from inside.
    """
    passed = [
        (deadline, kind)
        for deadline, kind in (
            (context.call_deadline, FaultKind.CALL_DEADLINE),
            (context.deadline, FaultKind.RUN_DEADLINE),
        )
        if deadline is not None and deadline <= now
    ]
    return min(passed, key=lambda each: each[0])[1] if passed else None
