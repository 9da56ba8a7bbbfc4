"""What is done with the audit log: follow, prune, verify."""

import asyncio
from collections.abc import Callable

import pytest

from fakes.audit import DONE, subject
from fakes.outcomes import pair_of
from loopx.adapters.memory.audit import MemoryAuditLog
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.consent import StandingConsent
from loopx.adapters.memory.entropy import MemoryEntropy
from loopx.application.use_cases.follow_audit import FollowAudit
from loopx.application.use_cases.prune_audit import PruneAudit, Pruned
from loopx.application.use_cases.query_audit import QueryAudit
from loopx.application.use_cases.verify_audit import VerifyAudit
from loopx.domain.audit.chain import Anchor
from loopx.domain.audit.filters import EVERYTHING, AuditFilter
from loopx.domain.audit.pruning import Retention
from loopx.domain.audit.row import AuditRow
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.results import Summary

CONTEXT = CallContext(trace=TraceContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"))


def filled(count: int) -> MemoryAuditLog:
    log = MemoryAuditLog()
    for number in range(count):
        log.intent(subject(number))
    return log


class BusyClock(MemoryClock):
    """While somebody waits, something happens."""

    def __init__(self, *events: Callable[[], None]) -> None:
        super().__init__()
        self._events = list(events)

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        self._events.pop(0)()


def followed(
    log: MemoryAuditLog, clock: MemoryClock, most: int, wanted: AuditFilter = EVERYTHING
) -> list[int]:
    async def main() -> list[int]:
        seen: list[int] = []
        rows = FollowAudit(reader=log, clock=clock)(wanted, last=2, follow=True)
        async for row in rows:
            seen.append(row.sequence)
            if len(seen) == most:
                break
        return seen

    return asyncio.run(main())


def test_rows_that_come_are_shown_once_and_in_order() -> None:
    log = filled(5)

    def write(rows: int) -> None:
        for _ in range(rows):
            log.intent(subject(9))

    clock = BusyClock(lambda: write(1), lambda: write(0), lambda: write(2))
    assert followed(log, clock, 5) == [4, 5, 6, 7, 8]


def test_only_what_is_wanted_is_followed() -> None:
    log = filled(3)

    def write(agent: str) -> None:
        log.outcome(subject(7, agent_id=agent), DONE)

    clock = BusyClock(*[lambda: write("agent-8")] * 2, lambda: write("agent-9"))
    assert followed(log, clock, 1, AuditFilter(agent_id="agent-9")) == [6]


def test_another_log_in_the_same_place_is_shown_from_its_start() -> None:
    log, other = filled(5), filled(2)

    def exchange() -> None:
        log.__dict__.update(other.__dict__)

    assert followed(log, BusyClock(exchange), 4) == [4, 5, 1, 2]


def test_a_long_log_lets_others_have_their_turn() -> None:
    turns: list[int] = []
    clock = BusyClock(*[lambda: turns.append(1)] * 10)

    async def main() -> list[AuditRow | Summary]:
        return [row async for row in QueryAudit(reader=filled(600), clock=clock)(EVERYTHING)]

    assert len(asyncio.run(main())) == 601
    assert len(turns) == 2


def prune(log: MemoryAuditLog, retention: Retention, consent: StandingConsent) -> Pruned | LoopXError:
    deed = PruneAudit(reader=log, pruner=log, consent=consent, clock=MemoryClock(), entropy=MemoryEntropy())
    try:
        return asyncio.run(deed(retention, CONTEXT))
    except LoopXError as error:
        return error


def test_a_person_is_asked_with_the_facts_before_anything_is_dropped() -> None:
    log, consent = filled(250), StandingConsent(declines=True)
    assert pair_of(prune(log, Retention(rows=10), consent)) == "consent_required/declined"
    (question,) = consent.asked
    assert "200 oldest rows" in question.deed
    assert "rows 1 to 200" in question.facts[0]
    assert len(log.rows) == 250


def test_nobody_is_asked_where_nothing_can_be_dropped() -> None:
    log, consent = filled(99), StandingConsent()
    assert prune(log, Retention(rows=1), consent) == Pruned(0, None, log.head())
    assert consent.asked == []


def test_what_was_dropped_is_told_with_the_new_head() -> None:
    log = filled(250)
    through = Anchor.of(log.rows[199])
    pruned = prune(log, Retention(rows=10), StandingConsent(assume_yes=True))
    assert pruned == Pruned(200, through, log.head())
    assert log.rows[-1].entry.subject.trace_id == CONTEXT.trace.trace_id


def test_a_kept_head_of_another_log_does_not_fit() -> None:
    async def main() -> None:
        await VerifyAudit(reader=filled(5), clock=MemoryClock())(Anchor(3, "0" * 64))

    with pytest.raises(LoopXError) as caught:
        asyncio.run(main())
    assert caught.value.reason == "chain_broken"


def test_a_log_in_memory_stays_small_and_whole() -> None:
    log = MemoryAuditLog(most=300)
    for number in range(1_000):
        log.intent(subject(number))
    assert len(log.rows) <= 402
    verdict = asyncio.run(VerifyAudit(reader=log, clock=MemoryClock())())
    assert verdict.start.sequence >= 600
