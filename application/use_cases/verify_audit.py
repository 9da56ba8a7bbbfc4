"""Prove that nobody changed the log."""

from loopx.application.ports.audit_reader import AuditReader
from loopx.application.ports.clock import Clock
from loopx.application.steps.audit_reading import check_chain
from loopx.domain.audit.chain import Anchor
from loopx.domain.audit.verification import Verdict


class VerifyAudit:
    """Reads every row and recomputes the chain."""

    def __init__(self, *, reader: AuditReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def __call__(self, kept: Anchor | None = None) -> Verdict:
        """The verdict on a chain that is whole; without a kept head its end is not proven.

        Raises:
            LoopXError: ``audit_error/chain_broken`` or ``audit_error/head_pruned``, with the first row that
                does not fit; ``state_error`` when the log cannot be read.
        """
        return await check_chain(self._reader, self._clock, kept)
