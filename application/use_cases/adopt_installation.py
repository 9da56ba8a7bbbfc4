"""Put a copy that another tool installed under its own updates."""

from loopx.application.ports.consent import Consent
from loopx.application.ports.install_owner import InstallOwner
from loopx.application.steps.bring_release import Order
from loopx.application.steps.install_release import InstallRelease
from loopx.domain.consent import Question
from loopx.domain.context import CallContext
from loopx.domain.updates.change import Change, Deed
from loopx.domain.updates.layout import Layout
from loopx.domain.updates.owner import find_owner, require_foreign
from loopx.domain.versions import Version


class AdoptInstallation:
    """Installs a release beside the running copy, whose files stay as they are."""

    def __init__(
        self,
        *,
        owner: InstallOwner,
        consent: Consent,
        install: InstallRelease,
        layout: Layout,
        running: Version,
    ) -> None:
        self._owner = owner
        self._consent = consent
        self._install = install
        self._layout = layout
        self._running = running

    async def __call__(self, url: str, sha256: str, context: CallContext) -> Change:
        """Install a release, none older than the running copy.

        Raises:
            LoopXError: ``update_error/managed``; ``consent_required``; otherwise as ``InstallRelease``.
        """
        require_foreign(find_owner(self._owner.evidence()))
        question = Question(
            "install LoopX beside this copy",
            (f"from {url}", f"with sha256 {sha256}", f"in {self._layout.home}"),
        )
        self._consent.ask(question, context)
        order = Order(url=url, sha256=sha256, running=self._running)
        return await self._install(order, Deed.ADOPTED, context)
