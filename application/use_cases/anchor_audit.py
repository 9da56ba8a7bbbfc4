"""Tell what to keep elsewhere."""

from loopx.application.ports.audit_reader import AuditReader
from loopx.domain.audit.chain import Anchor


class AnchorAudit:
    """Gives the head of the log: kept where nobody who can write the log can change it, it vouches for it."""

    def __init__(self, *, reader: AuditReader) -> None:
        self._reader = reader

    def __call__(self) -> Anchor:
        """The place behind the last row.

        Raises:
            LoopXError: ``state_error`` when the log cannot be read.
        """
        return self._reader.head()
