"""Start the program anew, in the version that is current by now."""

from collections.abc import Mapping, Sequence
from typing import NoReturn

from loopx.application.ports.clock import Clock
from loopx.application.ports.install_owner import InstallOwner
from loopx.application.ports.restarter import Restarter
from loopx.domain.updates.layout import Layout
from loopx.domain.updates.owner import OwnerKind, find_owner
from loopx.domain.updates.release import ENTRY
from loopx.domain.updates.restarts import GUARD, next_guard


class RestartProgram:
    """Leads through the pointer, never back to the concrete path of the version that is running."""

    def __init__(
        self,
        *,
        owner: InstallOwner,
        layout: Layout,
        restarter: Restarter,
        clock: Clock,
        environment: Mapping[str, str],
    ) -> None:
        self._owner = owner
        self._layout = layout
        self._restarter = restarter
        self._clock = clock
        self._environment = environment

    def __call__(self, original: Sequence[str], arguments: Sequence[str]) -> NoReturn:
        """Become the current version with these arguments; a copy of another tool becomes itself again.

        ``original`` is the whole command line of this process, interpreter included.

        Raises:
            LoopXError: ``update_error`` with reason ``restart_loop`` or ``restart_failed``.
        """
        guard = next_guard(self._environment.get(GUARD), self._clock.now())
        is_own = find_owner(self._owner.evidence()).kind is OwnerKind.OWN
        program = (f"{self._layout.current}/{ENTRY}", *arguments) if is_own else tuple(original)
        self._restarter.restart(program, (GUARD, guard))
