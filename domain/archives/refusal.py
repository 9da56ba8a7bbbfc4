"""How a refused archive is reported."""

from typing import Final

from loopx.domain.errors import LoopXError

_QUOTED_LENGTH: Final = 80


def refused(reason: str, detail: str = "", *, hint: str = "") -> LoopXError:
    """The error for an archive that is not extracted or not written, whole as it is."""
    return LoopXError("archive_error", reason, detail=detail, hint=hint)


def quoted(name: str | bytes) -> str:
    """A name out of an archive as printable ASCII, shortened: it may hold anything."""
    text = name.decode("utf-8", "backslashreplace") if isinstance(name, bytes) else name
    shown = ascii(text[:_QUOTED_LENGTH])
    cut = len(shown) > _QUOTED_LENGTH or len(text) > _QUOTED_LENGTH
    return f"{shown[:_QUOTED_LENGTH]}…" if cut else shown
