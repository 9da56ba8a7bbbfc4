"""How a fault of an extension is reported."""

from typing import Final

from loopx.domain.errors import LoopXError

_QUOTED_LENGTH: Final = 60


def refused(reason: str, detail: str = "", *, hint: str = "") -> LoopXError:
    """The error for an extension that cannot be used as it is."""
    return LoopXError("extension_error", reason, detail=detail, hint=hint)


def quoted(text: str) -> str:
    """A text out of an extension as printable ASCII, shortened: it may hold anything."""
    shown = ascii(text[:_QUOTED_LENGTH])
    return f"{shown}…" if len(text) > _QUOTED_LENGTH else shown
