"""What an update would do."""

from loopx.application.ports.install_owner import InstallOwner
from loopx.application.ports.update_place import UpdatePlace
from loopx.application.steps.versions_home import VersionsHome
from loopx.domain.updates.owner import find_owner
from loopx.domain.updates.plan import PlannedStep, Situation, Wish, plan_update


class PlanSelfUpdate:
    """Reads what is here; fetches nothing, writes nothing and takes no lock."""

    def __init__(self, *, owner: InstallOwner, place: UpdatePlace, home: VersionsHome) -> None:
        self._owner = owner
        self._place = place
        self._home = home

    def __call__(self, wish: Wish) -> tuple[PlannedStep, ...]:
        """The steps in their order.

        Raises:
            LoopXError: ``state_error`` with reason ``unreadable`` or ``corrupt``.
        """
        situation = Situation(
            owner=find_owner(self._owner.evidence()),
            place=self._place.inspect(),
            found=self._home.store.found(),
            bad_marks=self._home.layout.bad,
            journal=self._home.journal.pending(),
        )
        return tuple(plan_update(wish, situation))
