"""LoopX: the one audited border between an agent runtime and the outside world."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loopx.domain.errors import LoopXError as LoopXError

__version__ = "0.1.0"

__all__ = ["LoopXError", "__version__"]


def __getattr__(name: str) -> object:
    """Load public names on first use, so that ``import loopx`` costs nothing (PEP 562)."""
    if name == "LoopXError":
        from loopx.domain.errors import LoopXError

        return LoopXError
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
