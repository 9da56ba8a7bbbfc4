"""Bring what an interrupted update left to a good end."""

from collections.abc import Sequence

from loopx.application.ports.leftovers import Leftovers
from loopx.application.steps.versions_home import VersionsHome
from loopx.domain.updates.seal import BadMark
from loopx.domain.updates.settlement import INTERRUPTED, Settlement, settle

_UNSEALED = "0" * 64


class SettleVersions:
    """Does what ``settle`` decides, under the lock of updates; interrupted itself, it is done again."""

    def __init__(self, *, home: VersionsHome, leftovers: Sequence[Leftovers]) -> None:
        self._home = home
        self._leftovers = leftovers

    def __call__(self) -> Settlement:
        """Settle, sweep and clear the journal; tells what was done.

        Raises:
            LoopXError: ``state_error``; it will be tried again at the next start.
        """
        entry = self._home.journal.pending()
        settlement = settle(entry or INTERRUPTED, self._home.store.found())
        self._apply(settlement)
        for each in self._leftovers:
            each.sweep()
        if entry is not None:
            self._home.journal.clear()
        return settlement

    def unfinished(self) -> bool:
        """Whether there is anything to settle, for the price of one look.

        Raises:
            LoopXError: ``state_error``.
        """
        return self._home.journal.pending() is not None

    def _apply(self, settlement: Settlement) -> None:
        if settlement.bad is not None:
            seal = self._home.store.found().seal(settlement.bad)
            mark = BadMark(seal.sha256 if seal else _UNSEALED, "it failed its check")
            self._home.store.mark_bad(settlement.bad, mark)
        if settlement.current is not None:
            self._home.pointers.switch(settlement.current)
        elif settlement.unpoint:
            self._home.pointers.drop()
        if settlement.previous is not None:
            self._home.pointers.remember(settlement.previous)
        if settlement.discard is not None:
            self._home.store.remove(settlement.discard)
