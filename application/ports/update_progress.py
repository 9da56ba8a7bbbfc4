"""Whoever watches an update."""

from typing import Protocol

from loopx.domain.updates.steps import Step


class UpdateProgress(Protocol):
    """Is told what has been done."""

    def reached(self, step: Step) -> None:
        """A step is over; the next one begins when this returns."""
        ...
