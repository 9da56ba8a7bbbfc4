"""A clock that stands still until the test lets it go on; who sleeps really waits."""

import asyncio


class ManualClock:
    """Time is what the test says it is."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self._now = now
        self._monotonic = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []
        self.sleeping = asyncio.Event()
        """Set once anybody sleeps."""

    def now(self) -> float:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    async def sleep(self, seconds: float) -> None:
        waking = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._monotonic + seconds, waking))
        self.sleeping.set()
        await waking

    def advance(self, seconds: float) -> None:
        """Let time pass; whoever's time has come wakes up."""
        self._now += seconds
        self._monotonic += seconds
        for due, waking in self._sleepers:
            if due <= self._monotonic and not waking.done():
                waking.set_result(None)
