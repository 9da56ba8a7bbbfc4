"""Where every call is written down."""

from typing import Protocol

from loopx.domain.audit.row import Outcome, Subject


class AuditSink(Protocol):
    """Appends rows at once, in microseconds; what returned survives the death of this process.

    Every method raises LoopXError: ``audit_error/unwritable``, ``state_error/corrupt`` or
    ``state_error/newer_version`` when the row was not written.
    """

    def intent(self, subject: Subject) -> None:
        """Write that something is about to be sent; only then may it be."""
        ...

    def outcome(self, subject: Subject, outcome: Outcome) -> None:
        """Write how it ended."""
        ...

    def note(self, subject: Subject, outcome: Outcome, text: str | None = None) -> None:
        """Write how a call ended of which nothing was sent."""
        ...
