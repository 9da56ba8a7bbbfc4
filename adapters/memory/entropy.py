"""Chance that can be foretold."""

from itertools import count


class MemoryEntropy:
    """Counts upwards from 1, so that every identifier is new and every run the same."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def hex(self, size: int) -> str:
        return f"{next(self._numbers):0{2 * size}x}"
