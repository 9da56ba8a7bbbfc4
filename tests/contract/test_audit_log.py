"""What every audit log promises, whether it lies in a file or in memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.audit import DONE, MISSING, NOW, TRACE_ID, pruning, subject
from fakes.outcomes import outcome_of, pair_of
from loopx.adapters.memory.audit import MemoryAuditLog
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.sqlite.audit_log import SqliteAuditLog
from loopx.application.ports.audit_pruner import AuditPruner
from loopx.application.ports.audit_reader import AuditReader
from loopx.application.ports.audit_sink import AuditSink
from loopx.domain.audit.chain import GENESIS, Anchor
from loopx.domain.audit.filters import EVERYTHING, AuditFilter
from loopx.domain.audit.pruning import SEGMENT_ROWS
from loopx.domain.audit.row import UNKNOWN, AuditEntry, AuditPhase, AuditRow, Outcome
from loopx.domain.audit.verification import BreachKind, verify


class AuditLog(AuditSink, AuditReader, AuditPruner, Protocol):
    """All that a log is."""


@dataclass(frozen=True, slots=True)
class Bench:
    """A log and the clock it looks at."""

    log: AuditLog
    clock: MemoryClock

    def fill(self, rows: int) -> list[AuditRow]:
        for number in range(1, rows + 1):
            self.log.intent(subject(number))
            self.clock.advance(1)
        return self.rows()

    def rows(self, wanted: AuditFilter = EVERYTHING) -> list[AuditRow]:
        return list(self.log.read(wanted))


@pytest.fixture(params=["memory", "sqlite"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    clock = MemoryClock()
    if request.param == "memory":
        yield Bench(MemoryAuditLog(clock=clock), clock)
        return
    log = SqliteAuditLog(tmp_path / "state", clock=clock)
    yield Bench(log, clock)
    log.close()


def test_what_was_written_is_read_in_order(bench: Bench) -> None:
    bench.log.intent(subject(1))
    bench.clock.advance(0.25)
    bench.log.outcome(subject(1), DONE)
    refused = subject(2, span_id=None)
    bench.log.note(refused, MISSING, "said")
    entries = [row.entry for row in bench.rows()]
    assert entries == [
        AuditEntry(at=NOW, phase=AuditPhase.INTENT, subject=subject(1), outcome=UNKNOWN),
        AuditEntry(at=NOW + 250_000, phase=AuditPhase.OUTCOME, subject=subject(1), outcome=DONE),
        AuditEntry(
            at=NOW + 250_000,
            phase=AuditPhase.NOTE,
            subject=subject(2, span_id=None),
            outcome=MISSING,
            note="said",
        ),
    ]
    assert [row.sequence for row in bench.rows()] == [1, 2, 3]


def test_a_log_that_was_never_written_is_empty_and_whole(bench: Bench) -> None:
    assert bench.rows() == []
    assert list(bench.log.segments()) == []
    assert bench.log.head() == GENESIS
    assert verify(*bench.log.chain()).breach is None


def test_the_chain_begins_before_the_first_row_and_ends_at_the_head(bench: Bench) -> None:
    rows = bench.fill(5)
    start, chained = bench.log.chain()
    assert (start, list(chained)) == (GENESIS, rows)
    assert bench.log.head() == Anchor.of(rows[-1])
    assert verify(*bench.log.chain(), Anchor.of(rows[2])).breach is None


def test_any_text_comes_back_as_it_was(bench: Bench) -> None:
    texts = ["", "\0", 'a","b', "é", "\U0001f600", "null", "'; DROP TABLE audit_row; --", "x" * 10_000]
    for text in texts:
        bench.log.note(subject(1), DONE, text)
    assert [row.entry.note for row in bench.rows()] == texts
    assert verify(*bench.log.chain()).breach is None


def test_the_newest_can_be_read_first_and_no_further_than_wanted(bench: Bench) -> None:
    bench.fill(250)
    rows = bench.log.read(EVERYTHING, newest_first=True)
    assert [next(rows).sequence for _ in range(3)] == [250, 249, 248]


def test_reading_goes_on_while_others_write(bench: Bench) -> None:
    bench.fill(300)
    rows = bench.log.read(EVERYTHING)
    first = next(rows)
    bench.log.intent(subject(7))
    assert [first.sequence, *(row.sequence for row in rows)] == list(range(1, 301))


FILTERS = [
    AuditFilter(),
    AuditFilter(after=3),
    AuditFilter(sequence=2),
    AuditFilter(since=NOW + 2_000_000),
    AuditFilter(until=NOW + 2_000_000),
    AuditFilter(since=NOW + 1_000_000, until=NOW + 1_000_001),
    AuditFilter(id=f"{2:016x}"),
    AuditFilter(trace_id=TRACE_ID),
    AuditFilter(agent_id="agent-7"),
    AuditFilter(turn_id="turn-4"),
    AuditFilter(capability="pr_review"),
    AuditFilter(host="data.sec.gov"),
    AuditFilter(status=404),
    AuditFilter(code="provider_http_error"),
    AuditFilter(code="egress_blocked", reason="scheme"),
    AuditFilter(code="provider_http_error", reason="scheme"),
    AuditFilter(agent_id="agent-7", host="data.sec.gov", status=200),
    AuditFilter(agent_id="nobody"),
]


def varied(bench: Bench) -> list[AuditRow]:
    """Rows of which each filter wants others."""
    blocked = Outcome(code="egress_blocked", reason="scheme")
    bench.log.intent(subject(1))
    bench.log.outcome(subject(1), DONE)
    bench.clock.advance(1)
    bench.log.intent(subject(2, host="data.sec.gov", turn_id="turn-4", capability=None))
    bench.log.outcome(subject(2, host="data.sec.gov", turn_id="turn-4", capability=None), MISSING)
    bench.clock.advance(1)
    bench.log.note(subject(3, agent_id=None, span_id=None, host=None, trace_id="0" * 31 + "1"), blocked)
    bench.log.outcome(subject(4, host="data.sec.gov"), DONE)
    return bench.rows()


@pytest.mark.parametrize("wanted", FILTERS, ids=str)
def test_a_filter_gives_exactly_the_rows_that_match_it(bench: Bench, wanted: AuditFilter) -> None:
    rows = varied(bench)
    matching = [row for row in rows if wanted.matches(row)]
    assert bench.rows(wanted) == matching
    assert list(bench.log.read(wanted, newest_first=True)) == matching[::-1]
    assert (matching == rows) == (wanted == EVERYTHING)


# Segments and pruning


def test_segments_are_told_with_their_bounds(bench: Bench) -> None:
    rows = bench.fill(2 * SEGMENT_ROWS + 3)
    found = list(bench.log.segments())
    assert [(each.first, each.last.sequence, each.is_full) for each in found] == [
        (1, SEGMENT_ROWS, True),
        (SEGMENT_ROWS + 1, 2 * SEGMENT_ROWS, True),
        (2 * SEGMENT_ROWS + 1, 2 * SEGMENT_ROWS + 3, False),
    ]
    for each in found:
        assert each.last == Anchor.of(rows[each.last.sequence - 1])
        assert (each.oldest, each.newest) == (
            rows[each.first - 1].entry.at,
            rows[each.last.sequence - 1].entry.at,
        )


def test_dropping_the_oldest_rows_leaves_a_chain_that_proves_itself(bench: Bench) -> None:
    rows = bench.fill(2 * SEGMENT_ROWS + 3)
    through = Anchor.of(rows[SEGMENT_ROWS - 1])
    bench.log.drop(through, pruning())
    left = bench.rows()
    assert left[:-1] == rows[SEGMENT_ROWS:]
    assert left[-1].entry.subject == pruning()
    verdict = verify(*bench.log.chain(), Anchor.of(rows[-1]))
    assert (verdict.breach, verdict.start, verdict.pruned_at) == (None, through, left[-1].entry.at)
    assert next(iter(bench.log.segments())).first == SEGMENT_ROWS + 1
    assert bench.log.head() == Anchor.of(left[-1])


def test_dropping_again_goes_on_from_there_and_dropping_less_does_nothing(bench: Bench) -> None:
    rows = bench.fill(3 * SEGMENT_ROWS)
    bench.log.drop(Anchor.of(rows[2 * SEGMENT_ROWS - 1]), pruning(1))
    bench.log.drop(Anchor.of(rows[SEGMENT_ROWS - 1]), pruning(2))
    assert verify(*bench.log.chain()).rows == SEGMENT_ROWS + 1
    bench.log.drop(Anchor.of(rows[3 * SEGMENT_ROWS - 1]), pruning(3))
    verdict = verify(*bench.log.chain())
    assert (verdict.breach, verdict.rows, verdict.start.sequence) == (None, 2, 3 * SEGMENT_ROWS)


def test_a_place_through_which_the_chain_does_not_pass_is_no_place_to_drop_to(bench: Bench) -> None:
    rows = bench.fill(SEGMENT_ROWS + 1)
    for place in (Anchor(SEGMENT_ROWS, "0" * 64), Anchor(5 * SEGMENT_ROWS, rows[0].hash)):
        assert pair_of(outcome_of(bench.log.drop, place, pruning())) == "audit_error/chain_broken"
    assert bench.rows() == rows
    assert verify(*bench.log.chain()).breach is None


def test_a_head_before_the_prune_tells_that_it_was_pruned(bench: Bench) -> None:
    rows = bench.fill(SEGMENT_ROWS + 1)
    bench.log.drop(Anchor.of(rows[SEGMENT_ROWS - 1]), pruning())
    found = verify(*bench.log.chain(), Anchor.of(rows[3])).breach
    assert found is not None
    assert found.kind is BreachKind.PRUNED


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["intent", "outcome", "note"]), max_size=8))
def test_whatever_is_written_is_chained(bench: Bench, deeds: list[str]) -> None:
    before = bench.log.head()
    for deed in deeds:
        match deed:
            case "intent":
                bench.log.intent(subject(1))
            case "outcome":
                bench.log.outcome(subject(1), DONE)
            case _:
                bench.log.note(subject(1), MISSING)
    verdict = verify(*bench.log.chain(), before)
    assert (verdict.breach, verdict.head.sequence) == (None, before.sequence + len(deeds))
