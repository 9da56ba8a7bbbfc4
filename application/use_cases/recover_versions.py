"""At any start: bring an update that was interrupted to its end."""

from loopx.application.ports.locks import Locks
from loopx.application.steps.settle_versions import SettleVersions
from loopx.domain.errors import LoopXError
from loopx.domain.updates.places import LOCK
from loopx.domain.updates.settlement import Settlement


class RecoverVersions:
    """Costs one look when nothing is to be done; ``locks`` must not wait."""

    def __init__(self, *, locks: Locks, settle: SettleVersions) -> None:
        self._locks = locks
        self._settle = settle

    def __call__(self) -> Settlement | None:
        """What was done; nothing while another process is at its update.

        Raises:
            LoopXError: ``state_error``, except ``locked``.
        """
        if not self._settle.unfinished():
            return None
        try:
            with self._locks.hold(LOCK):
                # It may have ended meanwhile.
                return self._settle() if self._settle.unfinished() else None
        except LoopXError as error:
            if (error.code, error.reason) == ("state_error", "locked"):
                return None
            raise
