"""Install a release and let it be the one that is started."""

from contextlib import suppress
from dataclasses import dataclass

from loopx.application.ports.update_place import UpdatePlace
from loopx.application.steps.bring_release import BringRelease, Order
from loopx.application.steps.one_update import OneUpdate
from loopx.application.steps.switch_version import SwitchVersion
from loopx.application.steps.versions_home import VersionsHome
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.updates.change import Change, Deed
from loopx.domain.updates.collection import choose_garbage
from loopx.domain.updates.found import Found
from loopx.domain.updates.journal import JournalEntry
from loopx.domain.updates.preflight import check_place, check_room
from loopx.domain.updates.release import ENTRY
from loopx.domain.updates.seal import Seal
from loopx.domain.updates.steps import Step
from loopx.domain.updates.succession import Candidate, check_digest, check_update


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """How a version comes in and takes over."""

    exclusively: OneUpdate
    bring: BringRelease
    switch: SwitchVersion


class InstallRelease:
    """Whatever happens on the way, the old version or the new one is the one that is started."""

    def __init__(self, *, home: VersionsHome, ways: Ways, place: UpdatePlace) -> None:
        self._home = home
        self._ways = ways
        self._place = place

    async def __call__(self, order: Order, deed: Deed, context: CallContext) -> Change:
        """Install what is ordered; what is there already is neither fetched nor stored again.

        Raises:
            LoopXError: whatever ``BringRelease`` and ``SwitchVersion`` raise; ``update_error`` with
                reason ``home``, ``space`` or ``bad``; ``state_error``.
        """
        place = self._place.inspect()
        check_place(place)
        with self._ways.exclusively() as found:
            check_digest(order.sha256, found, self._home.layout.bad)
            check_room(place, found.current.size if found.current else 0)
            stored = found.by_digest(order.sha256)
            if stored is not None and stored.name == found.pointers.current:
                return self._tell(Deed.UNCHANGED, found, stored)
            entry = JournalEntry(old=found.pointers.current)
            self._home.journal.write(entry)
            self._home.progress.reached(Step.BEGUN)
            if stored is None:
                stored, entry = await self._ways.bring(order, entry, found, context)
            else:
                check_update(Candidate(stored.version, stored.sha256, stored.state), found, order.running)
            await self._ways.switch(stored, entry)
            removed = self._collect()
            self._home.journal.clear()
            self._home.progress.reached(Step.DONE)
        return self._tell(deed, found, stored, removed)

    def _collect(self) -> tuple[str, ...]:
        removed: list[str] = []
        for name in choose_garbage(self._home.store.found()):
            with suppress(
                LoopXError
            ):  # what stays is only too much, and is tried again after the next update
                if self._home.store.remove(name):
                    removed.append(name)
        self._home.progress.reached(Step.COLLECTED)
        return tuple(removed)

    def _tell(self, deed: Deed, found: Found, seal: Seal, removed: tuple[str, ...] = ()) -> Change:
        return Change(
            deed=deed,
            old=found.pointers.current,
            new=seal.name,
            version=str(seal.version),
            sha256=seal.sha256,
            launcher=f"{self._home.layout.current}/{ENTRY}",
            removed=removed,
        )
