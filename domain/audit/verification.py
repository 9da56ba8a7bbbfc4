"""Whether a chain is whole: one pass over its rows, and the first thing that does not fit."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from loopx.domain.audit.chain import Anchor, seal
from loopx.domain.audit.pruning import read_prune_note
from loopx.domain.audit.row import AuditPhase, AuditRow
from loopx.domain.errors import LoopXError


class BreachKind(StrEnum):
    """What does not fit."""

    CHANGED = "changed"
    REMOVED = "removed"
    MISPLACED = "misplaced"
    CUT_OFF = "cut_off"
    REPLACED = "replaced"
    DROPPED = "dropped"
    PRUNED = "pruned"


_SAYS: Final = {
    BreachKind.CHANGED: "row {0} is not what was written, or not what followed the row before it",
    BreachKind.REMOVED: "row {0} is missing",
    BreachKind.MISPLACED: "row {0} stands in the wrong place",
    BreachKind.CUT_OFF: "row {0} is missing, and so are all from there to the kept head",
    BreachKind.REPLACED: "the rows up to {0} are not those that the kept head vouches for",
    BreachKind.DROPPED: "the rows before {0} are missing, and no row says that they were pruned",
    BreachKind.PRUNED: "row {0}, to which the kept head belongs, was pruned; what is left is whole",
}


@dataclass(frozen=True, slots=True)
class Breach:
    """The first row that does not fit, and why."""

    sequence: int
    kind: BreachKind

    def error(self) -> LoopXError:
        """The breach as the error that a person meets."""
        reason = "head_pruned" if self.kind is BreachKind.PRUNED else "chain_broken"
        return LoopXError("audit_error", reason, detail=_SAYS[self.kind].format(self.sequence))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one pass over a chain found; ``pruned_at`` is Unix time in microseconds.

    ``start`` is the place before the first row that is left, ``head`` the one behind the last that fits.
    ``unfinished`` counts what was about to be sent and has no outcome: the process was killed there,
    or it is still under way.
    """

    start: Anchor
    head: Anchor
    unfinished: int
    pruned_at: int | None = None
    breach: Breach | None = None

    @property
    def rows(self) -> int:
        """How many rows fit."""
        return self.head.sequence - self.start.sequence


class ChainCheck:
    """Takes the rows of a chain one by one; ``start`` and ``kept`` are where it must begin and pass."""

    def __init__(self, start: Anchor, kept: Anchor | None = None) -> None:
        self._start = start
        self._kept = kept
        self._head = start
        self._breach: Breach | None = None
        self._open: set[str] = set()
        self._note: tuple[Anchor, int] | None = None
        self._meet(start)

    def take(self, row: AuditRow) -> None:
        """Check the next row; after the first breach nothing more is learned."""
        if self._breach is not None:
            return
        expected = self._head.sequence + 1
        if row.sequence != expected:
            kind = BreachKind.REMOVED if row.sequence > expected else BreachKind.MISPLACED
            self._breach = Breach(min(row.sequence, expected), kind)
        elif row.hash != seal(self._head, row.sequence, row.entry):
            self._breach = Breach(row.sequence, BreachKind.CHANGED)
        else:
            self._head = Anchor.of(row)
            self._meet(self._head)
            self._remember(row)

    def finish(self) -> Verdict:
        """What was found."""
        return Verdict(
            start=self._start,
            head=self._head,
            unfinished=len(self._open),
            pruned_at=self._note[1] if self._note else None,
            breach=self._breach or self._look_back(),
        )

    def _meet(self, place: Anchor) -> None:
        """Compare a place with the head that was kept of it."""
        if self._kept is not None and self._kept.sequence == place.sequence and self._kept != place:
            self._breach = Breach(place.sequence, BreachKind.REPLACED)

    def _remember(self, row: AuditRow) -> None:
        subject = row.entry.subject
        if row.entry.phase is AuditPhase.INTENT:
            self._open.add(subject.id)
        else:
            self._open.discard(subject.id)
        pruned = read_prune_note(row.entry)
        if pruned is not None:
            self._note = (pruned, row.entry.at)

    def _look_back(self) -> Breach | None:
        """What only the end tells: a chain cut off, or shortened at its start without a word."""
        start, kept = self._start.sequence, self._kept
        if kept is not None and kept.sequence > self._head.sequence:
            return Breach(self._head.sequence + 1, BreachKind.CUT_OFF)
        noted = self._note[0] if self._note else None
        if start and noted != self._start:
            return Breach(start + 1, BreachKind.DROPPED)
        if kept is not None and 0 < kept.sequence < start:
            return Breach(kept.sequence, BreachKind.PRUNED)
        return None


def verify(start: Anchor, rows: Iterable[AuditRow], kept: Anchor | None = None) -> Verdict:
    """Check a whole chain."""
    check = ChainCheck(start, kept)
    for row in rows:
        check.take(row)
    return check.finish()
