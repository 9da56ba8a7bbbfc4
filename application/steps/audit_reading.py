"""Reading the whole log without keeping everybody else waiting."""

from collections.abc import AsyncIterator, Iterator

from loopx.application.ports.audit_reader import AuditReader
from loopx.application.ports.clock import Clock
from loopx.domain.audit.chain import Anchor
from loopx.domain.audit.row import AuditRow
from loopx.domain.audit.verification import ChainCheck, Verdict

_PIECE = 256


async def paced(rows: Iterator[AuditRow], clock: Clock) -> AsyncIterator[AuditRow]:
    """The same rows, with a turn for other tasks in between, Ctrl-C among them."""
    for number, row in enumerate(rows, 1):
        yield row
        if number % _PIECE == 0:
            await clock.sleep(0)


async def check_chain(reader: AuditReader, clock: Clock, kept: Anchor | None = None) -> Verdict:
    """Check the log from its start to its end.

    Raises:
        LoopXError: ``audit_error/chain_broken`` or ``audit_error/head_pruned``, with the first row that
            does not fit; ``state_error`` when it cannot be read.
    """
    start, rows = reader.chain()
    check = ChainCheck(start, kept)
    async for row in paced(rows, clock):
        check.take(row)
    verdict = check.finish()
    if verdict.breach is not None:
        raise verdict.breach.error()
    return verdict
