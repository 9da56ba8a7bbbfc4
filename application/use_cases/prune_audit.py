"""Drop the oldest rows."""

from dataclasses import dataclass

from loopx.application.ports.audit_pruner import AuditPruner
from loopx.application.ports.audit_reader import AuditReader
from loopx.application.ports.clock import Clock
from loopx.application.ports.consent import Consent
from loopx.application.ports.entropy import Entropy
from loopx.application.steps.audit_reading import check_chain
from loopx.domain.audit.chain import Anchor
from loopx.domain.audit.pruning import CAPABILITY, Retention, choose
from loopx.domain.audit.row import Subject
from loopx.domain.consent import Question
from loopx.domain.context import CallContext
from loopx.domain.redaction import Redactor

_ID_BYTES = 8


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was dropped, and the head that counts from now on."""

    rows: int
    through: Anchor | None
    head: Anchor


class PruneAudit:
    """Drops whole segments from the start of a log that is whole, after a person agreed; the log says so."""

    def __init__(
        self, *, reader: AuditReader, pruner: AuditPruner, consent: Consent, clock: Clock, entropy: Entropy
    ) -> None:
        self._reader = reader
        self._pruner = pruner
        self._consent = consent
        self._clock = clock
        self._entropy = entropy

    async def __call__(self, retention: Retention, context: CallContext) -> Pruned:
        """Drop what need not be kept; a broken chain is left alone, so that its traces stay.

        Raises:
            LoopXError: ``consent_required``; ``audit_error``; ``state_error``.
        """
        verdict = await check_chain(self._reader, self._clock)
        through = choose(self._reader.segments(), verdict.head, retention)
        if through is None:
            return Pruned(0, None, verdict.head)
        rows = through.sequence - verdict.start.sequence
        left = verdict.head.sequence - through.sequence
        facts = (
            f"rows {verdict.start.sequence + 1} to {through.sequence}, for good",
            f"{left} newer rows stay, and a row says that these were dropped",
            "heads kept of dropped rows vouch for nothing any more",
        )
        self._consent.ask(Question(f"drop the {rows} oldest rows of the audit log", facts), context)
        self._pruner.drop(through, self._subject(context))
        return Pruned(rows, through, self._reader.head())

    def _subject(self, context: CallContext) -> Subject:
        redactor = Redactor()
        return Subject(
            id=self._entropy.hex(_ID_BYTES),
            trace_id=context.trace.trace_id,
            agent_id=None if context.agent_id is None else redactor.text(context.agent_id),
            turn_id=None if context.turn_id is None else redactor.text(context.turn_id),
            capability=CAPABILITY,
        )
