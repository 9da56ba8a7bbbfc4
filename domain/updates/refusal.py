"""How an update that does not happen is reported."""

from loopx.domain.errors import LoopXError


def refused(reason: str, detail: str = "", *, hint: str = "") -> LoopXError:
    """The error for an update that leaves everything as it was."""
    return LoopXError("update_error", reason, detail=detail, hint=hint)
