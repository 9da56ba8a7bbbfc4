"""Dropping the oldest rows in whole segments, so that what is left still proves itself.

A prune is a row like any other: it says up to which place rows were dropped. What is left begins behind
that place, and its first hash covers it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from loopx.domain.audit.chain import Anchor
from loopx.domain.audit.row import AuditEntry, AuditPhase
from loopx.domain.errors import LoopXError

SEGMENT_ROWS: Final = 100
"""Rows are dropped in steps of so many, by their numbers: 1 to 100, 101 to 200, and so on."""

CAPABILITY: Final = "audit.prune"
_NOTE: Final = "pruned "


@dataclass(frozen=True, slots=True)
class Segment:
    """What is left of so many consecutive rows; times are Unix time in microseconds."""

    first: int
    last: Anchor
    oldest: int
    newest: int

    @property
    def is_full(self) -> bool:
        """Whether no row will be added to it any more."""
        return self.last.sequence % SEGMENT_ROWS == 0


@dataclass(frozen=True, slots=True)
class Retention:
    """What is to be kept: rows from a time on (Unix time in microseconds), or at least so many.

    Raises:
        LoopXError: ``usage_error/parameter`` unless exactly one of the two is given.
    """

    since: int | None = None
    rows: int | None = None

    def __post_init__(self) -> None:
        if (self.since is None) == (self.rows is None):
            raise LoopXError(
                "usage_error",
                "parameter",
                detail="say what to keep, in one of two ways",
                hint="Give --before WHEN or --keep N.",
            )


def segment_of(sequence: int) -> int:
    """The number of the segment that a row belongs to, from 0."""
    return (sequence - 1) // SEGMENT_ROWS


def choose(segments: Iterable[Segment], head: Anchor, retention: Retention) -> Anchor | None:
    """The place up to which rows may be dropped; ``None`` when all are to be kept.

    Segments come oldest first. The first that holds anything to be kept ends it, and so does one
    that is not full.
    """
    chosen: Anchor | None = None
    for segment in segments:
        if not segment.is_full or _keeps(segment, head, retention):
            break
        chosen = segment.last
    return chosen


def _keeps(segment: Segment, head: Anchor, retention: Retention) -> bool:
    if retention.since is not None:
        return segment.newest >= retention.since
    return head.sequence - segment.last.sequence < (retention.rows or 0)


def prune_note(place: Anchor) -> str:
    """What the row of a prune says."""
    return f"{_NOTE}{place}"


def read_prune_note(entry: AuditEntry) -> Anchor | None:
    """Up to which place an entry says that rows were dropped; ``None`` for any other entry."""
    is_prune = entry.phase is AuditPhase.NOTE and entry.subject.capability == CAPABILITY
    if not is_prune or entry.note is None or not entry.note.startswith(_NOTE):
        return None
    try:
        return Anchor.parse(entry.note.removeprefix(_NOTE))
    except LoopXError:
        return None
