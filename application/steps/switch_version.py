"""Let another version be the one that is started."""

from collections.abc import Mapping

from loopx.application.ports.process_runner import ProcessRunner
from loopx.application.steps.versions_home import VersionsHome
from loopx.domain.updates.health import PATIENCE, find_fault, self_check
from loopx.domain.updates.journal import JournalEntry
from loopx.domain.updates.refusal import refused
from loopx.domain.updates.seal import BadMark, Seal
from loopx.domain.updates.steps import Step


class SwitchVersion:
    """Checks a version by its concrete path, moves the pointer, and checks again through the pointer."""

    def __init__(
        self,
        *,
        home: VersionsHome,
        runner: ProcessRunner,
        environment: Mapping[str, str],
        patience: float = PATIENCE,
    ) -> None:
        """``patience`` is how long a version may take to answer, in seconds."""
        self._home = home
        self._runner = runner
        self._environment = environment
        self._patience = patience

    async def __call__(self, seal: Seal, entry: JournalEntry) -> None:
        """Switch; after a failure ``SettleVersions`` has to bring the old version back.

        Raises:
            LoopXError: ``update_error`` with reason ``unhealthy`` or ``returned``.
        """
        await self._check(seal, entry)
        entry = entry.switching(seal.name)
        self._home.journal.write(entry)
        self._home.progress.reached(Step.ANNOUNCED)
        self._home.pointers.switch(seal.name)
        self._home.progress.reached(Step.SWITCHED)
        fault = await self._fault(self._home.layout.current, seal)
        if fault is not None:
            self._give_up(seal, entry, fault)
            raise refused("returned", f"{seal.name}: {fault}")
        self._home.journal.write(entry.confirmed())
        self._home.progress.reached(Step.CONFIRMED)
        if entry.old is not None:
            self._home.pointers.remember(entry.old)
        self._home.progress.reached(Step.REMEMBERED)

    async def _check(self, seal: Seal, entry: JournalEntry) -> None:
        fault = await self._fault(self._home.layout.version(seal.name), seal)
        if fault is not None:
            if entry.fresh:
                self._give_up(seal, entry, fault)
            raise refused("unhealthy", f"{seal.name}: {fault}")
        self._home.progress.reached(Step.CHECKED)

    async def _fault(self, root: str, seal: Seal) -> str | None:
        command = self_check(root, self._environment, self._patience)
        return find_fault(await self._runner.run(command), seal.version)

    def _give_up(self, seal: Seal, entry: JournalEntry, fault: str) -> None:
        self._home.journal.write(entry.returning())
        self._home.progress.reached(Step.RETURNING)
        self._home.store.mark_bad(seal.name, BadMark(seal.sha256, fault))
