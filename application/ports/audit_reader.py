"""The log, read."""

from collections.abc import Iterator
from typing import Protocol

from loopx.domain.audit.chain import Anchor
from loopx.domain.audit.filters import AuditFilter
from loopx.domain.audit.pruning import Segment
from loopx.domain.audit.row import AuditRow


class AuditReader(Protocol):
    """Reads rows as a stream, however many there are; a log that was never written has none.

    Every method raises LoopXError: ``state_error`` with reason ``corrupt``, ``unreadable`` or
    ``newer_version``, and ``audit_error/chain_broken`` for a row that LoopX cannot have written.
    """

    def read(self, wanted: AuditFilter, *, newest_first: bool = False) -> Iterator[AuditRow]:
        """The rows that match, in the order of the chain or against it."""
        ...

    def chain(self) -> tuple[Anchor, Iterator[AuditRow]]:
        """The place where the chain begins, and all rows behind it, as they are at one moment."""
        ...

    def segments(self) -> Iterator[Segment]:
        """What can be dropped as a whole, oldest first."""
        ...

    def head(self) -> Anchor:
        """The place behind the last row."""
        ...
