"""Counts what happens, for whoever asks how much of it there was."""

from bisect import bisect_left
from collections.abc import Sequence

from loopx.domain.metrics import Family, Measured, Sample


class Meter:
    """Measurements of this process since it started."""

    def __init__(self, families: Sequence[Family]) -> None:
        self._values: dict[Family, dict[tuple[str, ...], float]] = {family: {} for family in families}
        self._buckets: dict[tuple[Family, tuple[str, ...]], list[int]] = {}

    def count(self, family: Family, *labels: str) -> None:
        """One more of it."""
        self._add(family, labels, 1.0)

    def observe(self, family: Family, value: float, *labels: str) -> None:
        """One observation for a histogram."""
        self._add(family, labels, value)
        buckets = self._buckets.setdefault((family, labels), [0] * (len(family.bounds) + 1))
        for place in range(bisect_left(family.bounds, value), len(buckets)):
            buckets[place] += 1

    def read(self) -> tuple[Measured, ...]:
        """Everything so far."""
        return tuple(
            (
                family,
                tuple(
                    Sample(labels, value, tuple(self._buckets.get((family, labels), ())))
                    for labels, value in sorted(values.items())
                ),
            )
            for family, values in self._values.items()
        )

    def _add(self, family: Family, labels: tuple[str, ...], value: float) -> None:
        values = self._values[family]
        values[labels] = values.get(labels, 0.0) + value
