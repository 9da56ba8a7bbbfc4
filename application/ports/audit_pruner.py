"""The log, shortened."""

from typing import Protocol

from loopx.domain.audit.chain import Anchor
from loopx.domain.audit.row import Subject


class AuditPruner(Protocol):
    """Drops the oldest rows."""

    def drop(self, through: Anchor, subject: Subject) -> None:
        """Drop every row up to that place, and write a note of ``subject`` that says so, in one step.

        Raises:
            LoopXError: ``audit_error/chain_broken`` when the chain does not pass that place;
                ``audit_error/unwritable``, ``state_error/corrupt`` or ``state_error/newer_version``.
        """
        ...
