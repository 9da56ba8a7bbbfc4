"""What is right after an update that did not come to its end: old or new, never neither."""

from dataclasses import dataclass

from loopx.domain.updates.found import Found
from loopx.domain.updates.journal import JournalEntry, Phase

INTERRUPTED = JournalEntry()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """What is to be done, in this order; doing it twice is doing it once."""

    bad: str | None = None
    """Mark this version."""
    current: str | None = None
    """Point here."""
    unpoint: bool = False
    """Point nowhere: there was nothing before the candidate."""
    previous: str | None = None
    """Remember this one to go back to."""
    discard: str | None = None
    """Remove this one: nobody ever started it."""

    @property
    def changes_pointer(self) -> bool:
        """Whether another version than before is started from now on."""
        return self.current is not None or self.unpoint


def settle(entry: JournalEntry, found: Found) -> Settlement:
    """Decide from the journal and from what is there.

    The way forward is open once the candidate has answered through the pointer. Before that only
    the way back is safe, for the old version is known to work.
    """
    candidate, at = entry.candidate, found.pointers.current
    failed = entry.phase is Phase.RETURNING
    forward = entry.phase is Phase.CONFIRMED and at == candidate and found.usable(at)
    target = candidate if forward else _way_back(entry, found)
    return Settlement(
        bad=candidate if failed and candidate not in found.bad else None,
        current=target if target != at else None,
        unpoint=target is None and at is not None,
        previous=entry.old if forward and entry.old != found.pointers.previous else None,
        discard=candidate if entry.fresh and target != candidate else None,
    )


def _way_back(entry: JournalEntry, found: Found) -> str | None:
    """The pointer as it is if it leads to what works; else the old version, the one before, or the newest."""
    wanted = (found.pointers.current, entry.old, found.pointers.previous, *newest_first(found))
    return next((name for name in wanted if name != entry.candidate and found.usable(name)), None)


def newest_first(found: Found) -> list[str]:
    """The usable versions, the newest first."""
    seals = [(each.seal, each.name) for each in found.installed if found.usable(each.name)]
    ordered = sorted(
        ((seal.version, seal.installed_at, name) for seal, name in seals if seal is not None), reverse=True
    )
    return [name for _, _, name in ordered]
