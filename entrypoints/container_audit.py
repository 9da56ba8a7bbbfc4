"""The part of the composition root about the audit log: assignments, each made when asked for."""

from dataclasses import dataclass
from typing import Protocol

from loopx.application.ports.audit_pruner import AuditPruner
from loopx.application.ports.audit_reader import AuditReader
from loopx.application.ports.audit_sink import AuditSink
from loopx.application.ports.clock import Clock
from loopx.application.ports.consent import Consent
from loopx.application.ports.entropy import Entropy
from loopx.application.use_cases.anchor_audit import AnchorAudit
from loopx.application.use_cases.follow_audit import FollowAudit
from loopx.application.use_cases.prune_audit import PruneAudit
from loopx.application.use_cases.query_audit import QueryAudit
from loopx.application.use_cases.read_audited_call import ReadAuditedCall
from loopx.application.use_cases.summarize_audit import SummarizeAudit
from loopx.application.use_cases.verify_audit import VerifyAudit


class AuditLog(AuditSink, AuditReader, AuditPruner, Protocol):
    """What one adapter is to three ports."""

    def close(self) -> None:
        """Give back what is open; the next row opens it again."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Audits:
    """Every deed that is about the audit log itself."""

    log: AuditLog
    clock: Clock
    entropy: Entropy
    consent: Consent

    @property
    def query(self) -> QueryAudit:
        return QueryAudit(reader=self.log, clock=self.clock)

    @property
    def read_call(self) -> ReadAuditedCall:
        return ReadAuditedCall(reader=self.log, clock=self.clock)

    @property
    def follow(self) -> FollowAudit:
        return FollowAudit(reader=self.log, clock=self.clock)

    @property
    def summarize(self) -> SummarizeAudit:
        return SummarizeAudit(reader=self.log, clock=self.clock)

    @property
    def anchor(self) -> AnchorAudit:
        return AnchorAudit(reader=self.log)

    @property
    def verify(self) -> VerifyAudit:
        return VerifyAudit(reader=self.log, clock=self.clock)

    @property
    def prune(self) -> PruneAudit:
        return PruneAudit(
            reader=self.log, pruner=self.log, consent=self.consent, clock=self.clock, entropy=self.entropy
        )
