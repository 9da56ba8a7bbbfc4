"""What is asked of the audit log, what may be dropped from it, and what it says in figures."""

from dataclasses import fields, replace

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.audit import DONE, MISSING, NOW, entries, subject
from fakes.outcomes import outcome_of, pair_of
from loopx.domain.audit.chain import GENESIS, Anchor, link_all
from loopx.domain.audit.data import (
    AUDIT_HEAD,
    AUDIT_ROW,
    AUDIT_VERDICT,
    AUDITED_HOST,
    figures_data,
    head_data,
    moment,
    row_data,
    verdict_data,
)
from loopx.domain.audit.filters import AuditFilter, read_code, read_id
from loopx.domain.audit.place import AuditPlace, read_audit_place
from loopx.domain.audit.pruning import (
    SEGMENT_ROWS,
    Retention,
    Segment,
    choose,
    prune_note,
    read_prune_note,
    segment_of,
)
from loopx.domain.audit.recording import rate_remaining
from loopx.domain.audit.row import AuditEntry, AuditPhase, AuditRow, Outcome
from loopx.domain.audit.statistics import count
from loopx.domain.audit.verification import Breach, BreachKind, verify
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.http.deadline import deadline_passed
from loopx.domain.http.message import Headers
from loopx.domain.http.outcome import FaultKind
from loopx.domain.moments import read_moment

# Filters


def test_every_part_of_a_filter_narrows() -> None:
    (row,) = link_all(
        GENESIS, [AuditEntry(at=NOW, phase=AuditPhase.OUTCOME, subject=subject(1), outcome=MISSING)]
    )
    assert AuditFilter().matches(row)
    others: dict[str, object] = {"after": 1, "sequence": 2, "since": NOW + 1, "until": NOW, "status": 200}
    for field in fields(AuditFilter):
        other = others.get(field.name, "another")
        assert not AuditFilter(**{field.name: other}).matches(row), field.name  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("404", {"status": 404}),
        ("egress_blocked", {"code": "egress_blocked"}),
        ("provider_http_error/not_found", {"code": "provider_http_error", "reason": "not_found"}),
    ],
)
def test_a_code_is_a_status_or_one_of_ours(text: str, wanted: dict[str, object]) -> None:
    assert read_code(text) == wanted


@pytest.mark.parametrize("text", ["", "4040", "099", "Egress", "a/b/c", "a/", "/b", "a b"])
def test_what_is_no_code_is_refused(text: str) -> None:
    assert pair_of(outcome_of(read_code, text)) == "usage_error/parameter"


def test_an_id_is_an_attempt_a_trace_or_a_number() -> None:
    assert read_id("0123456789abcdef") == AuditFilter(id="0123456789abcdef")
    assert read_id("1" * 16) == AuditFilter(id="1" * 16)
    assert read_id("f" * 32) == AuditFilter(trace_id="f" * 32)
    assert read_id("12") == AuditFilter(sequence=12)
    for text in ("", "0", "-1", "x", "F" * 16, "a" * 17):
        assert pair_of(outcome_of(read_id, text)) == "usage_error/parameter"


# Moments

MOMENT = 1_700_000_000.0


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("90s", MOMENT - 90),
        ("5m", MOMENT - 300),
        ("2h", MOMENT - 7_200),
        (" 3d ", MOMENT - 3 * 86_400),
        ("1w", MOMENT - 7 * 86_400),
        ("2023-11-14", 1_699_920_000.0),
        ("2023-11-14T22:13:20Z", MOMENT),
        ("2023-11-14T22:13:20", MOMENT),
        ("2023-11-15T00:13:20.5+02:00", MOMENT + 0.5),
    ],
)
def test_a_moment_is_a_date_a_time_or_so_long_ago(text: str, wanted: float) -> None:
    assert read_moment(text, MOMENT) == wanted


@pytest.mark.parametrize("text", ["", "2x", "-2h", "h", "2 h", "soon", "2023-13-01", "9999999h", "٣d"])
def test_what_is_no_moment_is_refused(text: str) -> None:
    assert pair_of(outcome_of(read_moment, text, MOMENT)) == "usage_error/parameter"


@given(st.text(max_size=30))
def test_any_text_is_a_moment_or_refused(text: str) -> None:
    assert isinstance(outcome_of(read_moment, text, MOMENT), float) or pair_of(
        outcome_of(read_moment, text, 0.0)
    )


# What may be dropped


def segments(*newest: int, last_rows: int = SEGMENT_ROWS) -> list[Segment]:
    """Full segments with these newest times; the last one holds so many rows."""
    found = [
        Segment(n * SEGMENT_ROWS + 1, Anchor((n + 1) * SEGMENT_ROWS, "a" * 64), at - 5, at)
        for n, at in enumerate(newest)
    ]
    last = found[-1]
    found[-1] = replace(last, last=Anchor(last.first + last_rows - 1, "b" * 64))
    return found


def chosen(found: list[Segment], retention: Retention) -> int:
    place = choose(found, found[-1].last, retention)
    return place.sequence if place else 0


def test_segments_are_dropped_up_to_the_first_that_holds_anything_to_keep() -> None:
    found = segments(10, 20, 15, 30)
    wanted = {10: 0, 11: 100, 20: 100, 21: 300, 30: 300, 31: 400}
    assert {since: chosen(found, Retention(since=since)) for since in wanted} == wanted


def test_so_many_rows_are_kept_at_least() -> None:
    found = segments(10, 20, 30, last_rows=40)
    wanted = {1: 200, 40: 200, 41: 100, 140: 100, 141: 0, 1_000: 0}
    assert {rows: chosen(found, Retention(rows=rows)) for rows in wanted} == wanted


def test_a_segment_that_is_still_filled_is_never_dropped() -> None:
    assert chosen(segments(10, 20, last_rows=99), Retention(since=1_000)) == 100
    assert chosen(segments(10, last_rows=99), Retention(since=1_000)) == 0
    assert choose([], GENESIS, Retention(rows=1)) is None


@pytest.mark.parametrize("parts", [{}, {"since": 1, "rows": 1}])
def test_exactly_one_way_to_say_what_is_kept(parts: dict[str, int]) -> None:
    assert pair_of(outcome_of(Retention, **parts)) == "usage_error/parameter"


def test_rows_are_numbered_into_segments_from_one() -> None:
    assert [segment_of(n) for n in (1, SEGMENT_ROWS, SEGMENT_ROWS + 1)] == [0, 0, 1]


def test_only_the_note_of_a_prune_is_read_as_one() -> None:
    place = Anchor(100, "a" * 64)
    said = AuditEntry(
        at=1, phase=AuditPhase.NOTE, subject=subject(1, capability="audit.prune"), note=prune_note(place)
    )
    assert read_prune_note(said) == place
    for other in (
        replace(said, phase=AuditPhase.OUTCOME),
        replace(said, note=None),
        replace(said, note="pruned everything"),
        replace(said, note=f"kept {place}"),
        replace(said, subject=subject(1)),
    ):
        assert read_prune_note(other) is None


# What is told


@pytest.mark.parametrize("kind", BreachKind)
def test_every_breach_names_its_row_and_has_a_code(kind: BreachKind) -> None:
    error = Breach(57, kind).error()
    assert error.code == "audit_error"
    assert "57" in error.what
    assert error.row.exit_code == 65


def test_what_was_sent_and_has_no_outcome_is_counted() -> None:
    said = [(1, AuditPhase.INTENT), (2, AuditPhase.INTENT), (1, AuditPhase.OUTCOME), (3, AuditPhase.NOTE)]
    rows = link_all(GENESIS, [AuditEntry(at=NOW, phase=phase, subject=subject(n)) for n, phase in said])
    assert verify(GENESIS, rows).unfinished == 1


def rows_of_two_hosts() -> list[AuditRow]:
    sec = {"host": "data.sec.gov"}
    said = [
        AuditEntry(at=NOW, phase=AuditPhase.INTENT, subject=subject(1)),
        AuditEntry(at=NOW + 1, phase=AuditPhase.OUTCOME, subject=subject(1), outcome=DONE),
        AuditEntry(at=NOW + 2, phase=AuditPhase.INTENT, subject=subject(2)),
        AuditEntry(at=NOW + 3, phase=AuditPhase.OUTCOME, subject=subject(2), outcome=MISSING),
        AuditEntry(at=NOW + 4, phase=AuditPhase.INTENT, subject=subject(3)),
        AuditEntry(at=NOW + 5, phase=AuditPhase.OUTCOME, subject=subject(9, **sec), outcome=DONE),
        AuditEntry(
            at=NOW + 6, phase=AuditPhase.NOTE, subject=subject(4, **sec), outcome=Outcome(cache="hit")
        ),
        AuditEntry(at=NOW + 7, phase=AuditPhase.NOTE, subject=subject(5, **sec), outcome=Outcome(code="x")),
        AuditEntry(at=NOW + 8, phase=AuditPhase.NOTE, subject=subject(6, method=None, host=None)),
    ]
    return list(link_all(GENESIS, said))


def test_figures_are_by_host_and_the_busiest_comes_first() -> None:
    github, sec = count(rows_of_two_hosts())
    assert (github.host, github.attempts, github.failed, github.unfinished) == ("api.github.com", 3, 1, 1)
    assert (github.bytes_out, github.bytes_in, github.mean_ms, github.slowest_ms) == (620, 4_900, 10, 12)
    assert (github.first, github.last) == (NOW, NOW + 4)
    assert (sec.host, sec.attempts, sec.from_cache, sec.refused) == ("data.sec.gov", 1, 1, 1)


def test_the_mean_of_nothing_is_nothing() -> None:
    (figures,) = count(rows_of_two_hosts()[:1])
    assert (figures.unfinished, figures.mean_ms) == (1, None)


def test_data_are_what_their_specification_says() -> None:
    rows = rows_of_two_hosts()
    for row in rows:
        jsonschema.validate(row_data(row), AUDIT_ROW.json_schema())
    for figures in count(rows):
        jsonschema.validate(figures_data(figures), AUDITED_HOST.json_schema())
    jsonschema.validate(head_data(Anchor.of(rows[-1])), AUDIT_HEAD.json_schema())
    verdict = verify(GENESIS, rows)
    jsonschema.validate(verdict_data(verdict, None), AUDIT_VERDICT.json_schema())
    assert verdict_data(verify(GENESIS, []), None)["first"] is None


@given(entries())
def test_any_row_can_be_shown(entry: AuditEntry) -> None:
    (row,) = link_all(GENESIS, [entry])
    assert list(row_data(row)) == [field.name for field in AUDIT_ROW.fields]


def test_times_are_told_to_the_microsecond_whatever_they_are() -> None:
    assert moment(NOW + 1) == "2023-11-14T22:13:20.000001Z"
    assert moment(-1) == "1969-12-31T23:59:59.999999Z"
    assert moment(2**62) == str(2**62)


# What the transport decides


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("4999", 4_999), (" 0 ", 0), ("", None), ("-1", None), ("many", None), ("²", None), ("9" * 400, None)],
)
def test_what_is_left_of_a_rate_limit_is_a_number_or_unknown(text: str, wanted: int | None) -> None:
    assert rate_remaining(Headers((("x-ratelimit-remaining", text),))) == wanted
    assert rate_remaining(Headers()) is None


def test_a_call_with_time_left_met_no_deadline() -> None:
    trace = TraceContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7")
    assert deadline_passed(CallContext(trace=trace), 1e9) is None
    context = CallContext(trace=trace, deadline=10.0, call_deadline=5.0)
    assert deadline_passed(context, 4.9) is None
    assert deadline_passed(context, 5.0) is FaultKind.CALL_DEADLINE
    assert deadline_passed(replace(context, deadline=4.0), 9.0) is FaultKind.RUN_DEADLINE


@pytest.mark.parametrize(
    ("value", "place"),
    [(None, "file"), ("", "file"), ("file", "file"), ("memory", "memory"), (" Memory ", "memory")],
)
def test_the_log_is_a_file_unless_somebody_says_otherwise(value: str | None, place: str) -> None:
    environment = {} if value is None else {"LOOPX_AUDIT": value}
    assert read_audit_place(environment) is AuditPlace(place)


@pytest.mark.parametrize("value", ["off", "none", "0", "false", "memroy"])
def test_no_word_but_the_right_one_opts_out(value: str) -> None:
    assert pair_of(outcome_of(read_audit_place, {"LOOPX_AUDIT": value})) == "config_invalid/value"
