"""Time that passes only when someone waits."""


class MemoryClock:
    """A clock that tests set; sleeping moves it at once."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self._now = now
        self._monotonic = 0.0

    def now(self) -> float:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    async def sleep(self, seconds: float) -> None:
        self.advance(max(seconds, 0.0))

    def advance(self, seconds: float) -> None:
        """Let time pass, in seconds."""
        self._now += seconds
        self._monotonic += seconds
