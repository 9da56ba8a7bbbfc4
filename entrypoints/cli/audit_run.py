"""What the commands of ``loopx audit`` do."""

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Any

from loopx.application.capabilities.capability import Item, Record
from loopx.domain.audit.chain import Anchor
from loopx.domain.audit.data import (
    AUDIT_HEAD,
    AUDIT_ROW,
    AUDIT_VERDICT,
    AUDITED_HOST,
    figures_data,
    head_data,
    row_data,
    verdict_data,
)
from loopx.domain.audit.filters import AuditFilter, read_code
from loopx.domain.audit.place import AuditPlace
from loopx.domain.audit.pruning import Retention
from loopx.domain.audit.row import MICROSECONDS, AuditRow
from loopx.domain.moments import read_moment
from loopx.domain.results import Completeness, Status, Summary
from loopx.entrypoints.cli import session as sessions
from loopx.entrypoints.cli.options import Given
from loopx.entrypoints.cli.outcome import exit_code
from loopx.entrypoints.cli.session import Deed, Session
from loopx.entrypoints.presentation.audit import AuditLineSink, call_page, head_page, verdict_page
from loopx.entrypoints.presentation.lists import page_renderer
from loopx.entrypoints.presentation.output import Output
from loopx.entrypoints.presentation.present import present
from loopx.entrypoints.presentation.style import Tone


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterOptions:
    """Which rows, as it was typed."""

    since: str | None = None
    until: str | None = None
    agent: str | None = None
    turn: str | None = None
    capability: str | None = None
    host: str | None = None
    code: str | None = None

    def read(self, now: float) -> AuditFilter:
        """Understand it; ``now`` is Unix time in seconds.

        Raises:
            LoopXError: ``usage_error/parameter``.
        """
        exact: dict[str, Any] = read_code(self.code) if self.code is not None else {}
        return AuditFilter(
            since=_moment(self.since, now),
            until=_moment(self.until, now),
            agent_id=self.agent,
            turn_id=self.turn,
            capability=self.capability,
            host=self.host.lower() if self.host is not None else None,
            **exact,
        )


@dataclass(frozen=True, slots=True)
class PruneOptions:
    """What is to be kept, as it was typed."""

    before: str | None
    keep: int | None


def run(given: Given, deed: Deed) -> int:
    """Run a deed on the log in its file, also where calls are not written down at the moment."""
    return sessions.run(given, deed, audit=AuditPlace.FILE)


async def list_rows(options: FilterOptions, limit: int, session: Session) -> int:
    """Show the newest rows that match."""
    rows = session.container.audits().query(_read(options, session), limit=limit, newest_first=True)
    return await session.show(_records(rows), AUDIT_ROW)


async def export_rows(options: FilterOptions, session: Session) -> int:
    """Write all rows that match."""
    rows = session.container.audits().query(_read(options, session))
    return await session.show(_records(rows), AUDIT_ROW)


async def tail_rows(options: FilterOptions, session: Session, *, last: int, follow: bool) -> int:
    """Show the last rows that match, and those that come."""
    rows = session.container.audits().follow(_read(options, session), last=last, follow=follow)
    items = _with_summary(rows, session)
    if session.choices.output is not Output.TABLE:
        return await session.show(items, AUDIT_ROW)
    sink = AuditLineSink(session.frame(AUDIT_ROW))
    return exit_code(await present(items, sink, session.container.clock().monotonic, session.redactor))


async def show_call(name: str, session: Session) -> int:
    """Show the rows of one attempt, or of a trace."""
    items = _with_summary(session.container.audits().read_call(name), session)
    return await session.show(items, AUDIT_ROW, page=page_renderer(call_page))


async def count_rows(options: FilterOptions, session: Session) -> int:
    """Show figures by host."""
    found = await session.container.audits().summarize(_read(options, session))
    records = [Record(AUDITED_HOST.type, figures_data(figures)) for figures in found]
    return await session.show(_stream(records), AUDITED_HOST)


async def show_head(session: Session) -> int:
    """Print the head alone."""
    records = [Record(AUDIT_HEAD.type, head_data(session.container.audits().anchor()))]
    return await session.show(_stream(records), AUDIT_HEAD, page=page_renderer(head_page))


async def verify_log(against: str | None, session: Session) -> int:
    """Check the chain.

    Raises:
        LoopXError: ``audit_error/chain_broken`` or ``audit_error/head_pruned``.
    """
    kept = Anchor.parse(against) if against is not None else None
    verdict = await session.container.audits().verify(kept)
    records = [Record(AUDIT_VERDICT.type, verdict_data(verdict, against))]
    return await session.show(_stream(records), AUDIT_VERDICT, page=page_renderer(verdict_page))


async def prune_log(options: PruneOptions, session: Session) -> int:
    """Drop what need not be kept, and print the head that counts from now on."""
    now = session.container.clock().now()
    retention = Retention(since=_moment(options.before, now), rows=options.keep)
    pruned = await session.container.audits().prune(retention, session.context())
    if pruned.through is None:
        session.say("Nothing was dropped: no hundred rows in a row are old enough.", Tone.QUIET)
    else:
        session.say(f"{pruned.rows} rows were dropped. The head to keep from now on:", Tone.QUIET)
    records = [Record(AUDIT_HEAD.type, head_data(pruned.head))]
    return await session.show(_stream(records), AUDIT_HEAD, page=page_renderer(head_page))


def _read(options: FilterOptions, session: Session) -> AuditFilter:
    return options.read(session.container.clock().now())


def _moment(text: str | None, now: float) -> int | None:
    return None if text is None else round(read_moment(text, now) * MICROSECONDS)


async def _records(rows: AsyncIterator[AuditRow | Summary]) -> AsyncIterator[Item]:
    async for row in rows:
        yield row if isinstance(row, Summary) else Record(AUDIT_ROW.type, row_data(row))


async def _with_summary(rows: AsyncIterator[AuditRow], session: Session) -> AsyncIterator[Item]:
    clock = session.container.clock()
    started = clock.monotonic()
    count = 0
    async for row in rows:
        count += 1
        yield Record(AUDIT_ROW.type, row_data(row))
    yield _summary(count, clock.monotonic() - started)


async def _stream(records: Iterable[Record]) -> AsyncIterator[Item]:
    count = 0
    for record in records:
        count += 1
        yield record
    yield _summary(count, 0.0)


def _summary(count: int, duration: float) -> Summary:
    return Summary(
        status=Status.OK if count else Status.EMPTY,
        completeness=Completeness(complete=True),
        records=count,
        requests=0,
        duration=duration,
    )
