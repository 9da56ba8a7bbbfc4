"""Update this program."""

from loopx.application.ports.consent import Consent
from loopx.application.ports.install_owner import InstallOwner
from loopx.application.steps.bring_release import Order
from loopx.application.steps.install_release import InstallRelease
from loopx.domain.consent import Question
from loopx.domain.context import CallContext
from loopx.domain.updates.change import Change, Deed
from loopx.domain.updates.owner import find_owner, require_own
from loopx.domain.versions import Version


class SelfUpdate:
    """Replaces the version that is started, if this copy is one of LoopX's own."""

    def __init__(
        self, *, owner: InstallOwner, consent: Consent, install: InstallRelease, running: Version
    ) -> None:
        self._owner = owner
        self._consent = consent
        self._install = install
        self._running = running

    async def __call__(self, url: str, sha256: str, context: CallContext) -> Change:
        """Install a release by its address and checksum.

        Raises:
            LoopXError: ``update_error/owner`` with the command to use instead; ``consent_required``;
                otherwise as ``InstallRelease``.
        """
        require_own(find_owner(self._owner.evidence()))
        question = Question(
            "update LoopX itself", (f"from {url}", f"with sha256 {sha256}", f"in place of {self._running}")
        )
        self._consent.ask(question, context)
        order = Order(url=url, sha256=sha256, running=self._running)
        return await self._install(order, Deed.UPDATED, context)
