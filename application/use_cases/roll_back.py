"""Go back to the version before."""

from loopx.application.ports.consent import Consent
from loopx.application.ports.install_owner import InstallOwner
from loopx.application.steps.one_update import OneUpdate
from loopx.application.steps.switch_version import SwitchVersion
from loopx.application.steps.versions_home import VersionsHome
from loopx.domain.consent import Question
from loopx.domain.context import CallContext
from loopx.domain.updates.change import Change, Deed
from loopx.domain.updates.found import Found
from loopx.domain.updates.journal import JournalEntry
from loopx.domain.updates.owner import find_owner, require_own
from loopx.domain.updates.refusal import refused
from loopx.domain.updates.release import ENTRY
from loopx.domain.updates.seal import Seal
from loopx.domain.updates.settlement import newest_first
from loopx.domain.updates.steps import Step
from loopx.domain.updates.succession import Candidate, check_state, choose_way_back


class RollBack:
    """Starts the previous version again; the present one stays, to return to."""

    def __init__(
        self,
        *,
        owner: InstallOwner,
        consent: Consent,
        home: VersionsHome,
        exclusively: OneUpdate,
        switch: SwitchVersion,
    ) -> None:
        self._owner = owner
        self._consent = consent
        self._home = home
        self._exclusively = exclusively
        self._switch = switch

    async def __call__(self, context: CallContext) -> Change:
        """Switch back.

        Raises:
            LoopXError: ``update_error`` with reason ``owner``, ``no_version``, ``state``, ``unhealthy``
                or ``returned``; ``consent_required``; ``state_error``.
        """
        require_own(find_owner(self._owner.evidence()))
        present = self._home.store.found()
        target = _choose(present)
        facts = (f"from {present.pointers.current}", f"to {target.name}")
        self._consent.ask(Question("go back to another version of LoopX", facts), context)
        with self._exclusively() as found:
            seal = _choose(found)
            if seal.name != target.name:
                # Another update came between the question and the deed: the answer was about something else.
                raise refused("no_version", f"{target.name} is no longer the one to go back to")
            entry = JournalEntry(old=found.pointers.current)
            self._home.journal.write(entry)
            self._home.progress.reached(Step.BEGUN)
            await self._switch(seal, entry)
            self._home.journal.clear()
            self._home.progress.reached(Step.DONE)
        return Change(
            deed=Deed.ROLLED_BACK,
            old=found.pointers.current,
            new=seal.name,
            version=str(seal.version),
            sha256=seal.sha256,
            launcher=f"{self._home.layout.current}/{ENTRY}",
        )


def _choose(found: Found) -> Seal:
    seal = found.seal(choose_way_back(found, newest_first(found)))
    if seal is None:  # choose_way_back gives only what is whole
        raise refused("no_version")
    check_state(Candidate(seal.version, seal.sha256, seal.state), found)
    return seal
