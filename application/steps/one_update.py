"""One update at a time, and none that leaves anything half done."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from loopx.application.ports.locks import Locks
from loopx.application.steps.settle_versions import SettleVersions
from loopx.application.steps.versions_home import VersionsHome
from loopx.domain.errors import LoopXError
from loopx.domain.updates.found import Found
from loopx.domain.updates.places import LOCK
from loopx.domain.updates.steps import Step


class OneUpdate:
    """Holds the lock around an update, and settles what came before it and what it leaves."""

    def __init__(self, *, home: VersionsHome, locks: Locks, settle: SettleVersions) -> None:
        self._home = home
        self._locks = locks
        self._settle = settle

    @contextmanager
    def __call__(self) -> Iterator[Found]:
        """The versions at the start of the block; whatever ends it, old or new is in place behind it.

        Raises:
            LoopXError: ``state_error``.
        """
        with self._locks.hold(LOCK):
            self._home.progress.reached(Step.LOCKED)
            self._settle()
            self._home.progress.reached(Step.SETTLED)
            try:
                yield self._home.store.found()
            finally:
                # What cannot be settled now, on a full disk say, is settled by the next start; the
                # error that matters is the one that ended the block.
                with suppress(LoopXError):
                    if self._settle.unfinished():
                        self._settle()
