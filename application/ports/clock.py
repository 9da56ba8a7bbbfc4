"""Time."""

from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits."""

    def now(self) -> float:
        """Unix time in seconds."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start that never run backwards."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait; other tasks go on."""
        ...
