"""What every form of output is made with."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from loopx.application.capabilities.capability import Record
from loopx.domain.results import Problem, Summary
from loopx.domain.schema import RecordSpec
from loopx.entrypoints.presentation.selection import Selection
from loopx.entrypoints.presentation.streams import TextOut
from loopx.entrypoints.presentation.style import PLAIN_TEXT, Terminal


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Which records go where and how; ``now`` is Unix time in seconds."""

    spec: RecordSpec
    out: TextOut
    talk: TextOut
    terminal: Terminal = PLAIN_TEXT
    talk_terminal: Terminal = PLAIN_TEXT
    now: float = 0.0
    order: str | None = None
    selection: Selection | None = None
    progress: bool = False
    """Whether somebody watches ``talk`` and wants to see that something happens."""


class Sink(Protocol):
    """Takes what a run yields, one at a time, and its summary last."""

    def take(self, item: Record | Problem) -> None:
        """Show one record or problem, or keep it for the end.

        Raises:
            LoopXError: ``output_error/unwritable``.
            ReaderGoneError: nobody reads any more.
        """
        ...

    def finish(self, summary: Summary) -> None:
        """Show what was kept, and how the run ended; raises as ``take`` does."""
        ...


def write_lines(out: TextOut, lines: Iterable[str]) -> None:
    """Write whole lines."""
    for line in lines:
        out.write(f"{line}\n")
