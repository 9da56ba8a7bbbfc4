"""Install an extension."""

from dataclasses import dataclass

from loopx.application.ports.consent import Consent
from loopx.application.ports.extension_host import ExtensionHost
from loopx.application.steps.extension_records import ExtensionRecords
from loopx.application.steps.obtain_extension import ObtainExtension
from loopx.domain.context import CallContext
from loopx.domain.registry.approvals import Approval
from loopx.domain.registry.installation import Candidate, InstallPolicy
from loopx.domain.registry.status import ExtensionStatus


@dataclass(frozen=True, slots=True)
class Installed:
    """The extension as it is in force, what was before, and whether anything had to be done."""

    status: ExtensionStatus
    before: Approval | None
    changed: bool


class InstallExtension:
    """Nothing is in force before all of it is certain; whatever fails leaves everything as it was."""

    def __init__(
        self,
        *,
        records: ExtensionRecords,
        obtain: ObtainExtension,
        consent: Consent,
        host: ExtensionHost,
        policy: InstallPolicy,
    ) -> None:
        self._records = records
        self._obtain = obtain
        self._consent = consent
        self._host = host
        self._policy = policy

    async def __call__(self, name: str, context: CallContext) -> Installed:
        """Bring what the registry wants under a name in force; what is there already is not fetched again.

        Raises:
            LoopXError: ``registry_error``; ``consent_required``; ``integrity_error``; ``archive_error``;
                ``extension_error``; ``state_error``; or as the transport.
        """
        self._records.recover()
        status = self._records.status(name)
        if (standing := await self._standing(status)) is not None:
            self._records.settle(name, status.entry.wanted, standing.version)
            return Installed(self._records.status(name), standing, changed=False)
        self._policy.check(name, status.entry.wanted)
        await self._install(status, context)
        return Installed(self._records.status(name), status.approval, changed=True)

    async def _standing(self, status: ExtensionStatus) -> Approval | None:
        """The approval in force, if it is of what is wanted and nothing of that was changed."""
        approval = status.approval
        if approval is None or status.entry.wanted.sha256 != approval.artifact.sha256:
            return None
        examination = await self._records.store.examine(approval.artifact)
        return None if examination.differences else approval

    async def _install(self, status: ExtensionStatus, context: CallContext) -> None:
        with self._records.store.stage() as area:
            candidate = await self._obtain(status.entry.wanted, area, context)
            candidate.check(status.entry)
            await self._admit(candidate, status.approval, context)
            await self._records.put_in_force(area, candidate)

    async def _admit(self, candidate: Candidate, old: Approval | None, context: CallContext) -> None:
        if not self._records.is_approved(candidate):
            self._consent.ask(candidate.question(self._records.project, old), context)
        await self._host.try_load(candidate.code, context)
