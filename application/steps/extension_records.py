"""The three places where an extension is written down, and the order in which they change."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace

from loopx.application.ports.approvals_file import ApprovalsFile
from loopx.application.ports.artifact_store import ArtifactStore
from loopx.application.ports.clock import Clock
from loopx.application.ports.registry_file import RegistryFile
from loopx.application.ports.staging import StagingArea
from loopx.domain.errors import LoopXError
from loopx.domain.registry.approvals import Approvals
from loopx.domain.registry.document import Entry, Registry, Source
from loopx.domain.registry.installation import KEPT, Candidate, iso_time
from loopx.domain.registry.status import ExtensionStatus, State, all_statuses, status_of


class ExtensionRecords:
    """What the project declares, what was approved, and what is stored.

    The approvals are what counts: a tree that is stored before is not used, and an entry that is
    pinned after only says what is so already. Every method raises ``state_error``.
    """

    def __init__(
        self, *, registry: RegistryFile, approvals: ApprovalsFile, store: ArtifactStore, clock: Clock
    ) -> None:
        self._registry = registry
        self._approvals = approvals
        self._store = store
        self._clock = clock

    @property
    def project(self) -> str:
        """The absolute path of the project's folder."""
        return self._registry.project

    @property
    def store(self) -> ArtifactStore:
        """Where trees are staged and kept."""
        return self._store

    def recover(self) -> None:
        """Clear away what killed processes left behind; where there is nothing, nothing is written."""
        self._registry.recover()
        self._approvals.recover()
        self._store.collect(self._kept)

    def recover_if_possible(self) -> None:
        """The same before a deed that only reads: on a disk that cannot be written it goes on."""
        with suppress(LoopXError):
            self.recover()

    def statuses(self) -> tuple[ExtensionStatus, ...]:
        """How far every extension of the project is, in order of name."""
        return all_statuses(self._registry.read(), self._approvals.read(), self.project)

    def status(self, name: str) -> ExtensionStatus:
        """How far one extension is.

        Raises:
            LoopXError: ``registry_error/unknown``.
        """
        return status_of(self._registry.read().find(name), self._approvals.read(), self.project)

    def declare(self, name: str, source: Source) -> tuple[Entry | None, Entry]:
        """Want an extension; gives its entry before and after."""
        approvals = self._approvals.read()
        before: Entry | None = None

        def change(registry: Registry) -> Registry:
            nonlocal before
            before = registry.entries.get(name)
            status = status_of(before, approvals, self.project) if before is not None else None
            in_use = status is not None and status.approval is not None
            return registry.declare(name, source, in_use=in_use)

        after = self._registry.update(change).entries[name]
        return before, after

    def is_approved(self, candidate: Candidate) -> bool:
        """Whether a person agreed to exactly this before.

        Raises:
            LoopXError: ``integrity_error/republished`` with both digests.
        """
        now = iso_time(self._clock.now())
        approvals = self._approvals.read()
        approvals.check_pin(candidate.pin(now))
        return approvals.is_approved(candidate.approval(self.project, now))

    async def put_in_force(self, area: StagingArea, candidate: Candidate) -> None:
        """Store a tree, then approve it, then pin it; the second of these is what makes it count.

        Raises:
            LoopXError: ``registry_error/changed`` before anything was done; ``integrity_error/republished``.
        """
        name = candidate.manifest.id
        if not self._registry.read().wants(name, candidate.fetched):
            raise LoopXError("registry_error", "changed", detail=name)
        await self._store.commit(area, candidate.artifact)
        now = iso_time(self._clock.now())
        approval, pin = candidate.approval(self.project, now), candidate.pin(now)
        self._approvals.update(lambda old: old.approve(approval, pin).keep_newest(name, self.project, KEPT))
        self.settle(name, candidate.fetched, candidate.version)

    def settle(self, name: str, fetched: Source, version: str) -> None:
        """Pin in the registry what is in force."""
        self._registry.update(lambda registry: registry.settle(name, fetched, version))

    def withdraw(self, name: str, *, forget: bool) -> ExtensionStatus:
        """Take back what was approved, then the entry, then the tree; gives the status as it was.

        Raises:
            LoopXError: ``registry_error/unknown``.
        """
        before = self.status(name)
        self._approvals.update(lambda old: _revoke(old, name, self.project, forget=forget))
        self._registry.update(lambda registry: registry.without(name))
        self._store.collect(self._kept)
        return replace(before, approval=None, state=State.NOT_INSTALLED)

    def _kept(self) -> Collection[str]:
        return self._approvals.read().digests


def _revoke(approvals: Approvals, name: str, project: str, *, forget: bool) -> Approvals:
    left = approvals.revoke(name, project)
    return left.forget(name) if forget else left
