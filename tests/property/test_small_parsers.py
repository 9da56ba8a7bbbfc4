"""Retry-After, JSON and traceparent: total, clamped, and in agreement with their standards."""

import json
import math
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.outcomes import outcome_of, pair_of
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.json_text import MAXIMUM_DIGITS, read_json
from loopx.domain.http.message import Headers, HttpRequest
from loopx.domain.http.retry_after import LONGEST_WAIT, retry_after

NOW = 1_700_000_000.0
NAMES = st.sampled_from(["Retry-After", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Date"])
VALUES = st.one_of(
    st.text(max_size=40),
    st.integers(-(10**20), 10**20).map(str),
    st.floats().map(str),
    st.datetimes().map(lambda moment: format_datetime(moment.replace(tzinfo=UTC), usegmt=True)),
    st.sampled_from(["0", "nan", "inf", "1e9", "١٢", "Wed, 21 Oct 2015 07:28:00 -0000", "Mon, 99 Foo 9999"]),
)
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip
REASONS = {"charset", "json", "json_depth", "json_number", "json_duplicate_key"}
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
SPAN_ID = "00f067aa0ba902b7"


@given(st.lists(st.tuples(NAMES, VALUES), max_size=5), st.floats(0, 4e9))
def test_a_wait_is_finite_and_within_a_day(fields: list[tuple[str, str]], now: float) -> None:
    wait = retry_after(Headers(tuple(fields)), now)
    assert wait is None or (math.isfinite(wait) and 0 <= wait <= LONGEST_WAIT)


@given(st.integers(0, 86_400))
def test_seconds_dates_and_rate_limit_resets_mean_the_same_wait(seconds: int) -> None:
    date = format_datetime(datetime.fromtimestamp(NOW + seconds, UTC), usegmt=True)
    used_up = ("X-RateLimit-Remaining", "0")
    spellings = [
        (("Retry-After", str(seconds)),),
        (("retry-after", date),),
        (("Retry-After", date.removesuffix(" GMT")),),
        (used_up, ("X-RateLimit-Reset", str(int(NOW) + seconds))),
        (used_up, ("X-RateLimit-Reset", str((int(NOW) + seconds) * 1000))),
    ]
    assert {retry_after(Headers(fields), NOW) for fields in spellings} == {float(seconds)}


def test_a_reset_time_says_nothing_while_requests_remain() -> None:
    fields = (("X-RateLimit-Remaining", "7"), ("X-RateLimit-Reset", str(int(NOW) + 60)))
    assert retry_after(Headers(fields), NOW) is None


def test_retry_after_goes_before_the_reset_time() -> None:
    fields = (("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "9999999999"), ("Retry-After", "3"))
    assert retry_after(Headers(fields), NOW) == 3


@given(DOCUMENTS, st.booleans(), st.booleans())
def test_an_ordinary_document_is_read_as_json_reads_it(document: object, ascii_only: bool, bom: bool) -> None:
    text = json.dumps(document, ensure_ascii=ascii_only)
    assert read_json((b"\xef\xbb\xbf" if bom else b"") + text.encode()) == document


@given(st.binary(max_size=60) | st.text('[]{}",:0123456789.eE-+\\u dD8afntrul', max_size=40).map(str.encode))
def test_any_bytes_are_read_as_json_does_or_refused_with_a_reason(content: bytes) -> None:
    document = outcome_of(read_json, content)
    if isinstance(document, LoopXError):
        assert document.code == "provider_response_invalid"
        assert document.reason in REASONS
    else:
        assert document == json.loads(content.decode("utf-8-sig"))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "json"),
        (b"<html>", "json"),
        (b"{} {}", "json"),
        (b"NaN", "json_number"),
        (b"[-Infinity]", "json_number"),
        (b"1e400", "json_number"),
        (b"1" * (MAXIMUM_DIGITS + 1), "json_number"),
        (b"1" * 100_000, "json_number"),
        (b'{"a":1,"a":2}', "json_duplicate_key"),
        (b"[" * 100_000, "json_depth"),
        (b'{"a":' * 100_000, "json_depth"),
        (b'"\xff"', "charset"),
        ('"ä"'.encode("latin-1"), "charset"),
        ('"a"'.encode("utf-16"), "charset"),
    ],
)
def test_what_json_leaves_open_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(LoopXError) as caught:
        read_json(content)
    assert (caught.value.code, caught.value.reason) == ("provider_response_invalid", reason)


def test_a_pair_of_surrogate_escapes_is_one_character() -> None:
    assert read_json(rb'"\ud83d\ude00"') == "😀"


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (rb'"a\ud800b"', "a\ufffdb"),
        (rb'{"\uDfff": 1}', {"\ufffd": 1}),
        (rb'["\ud83d", "\ude00"]', ["\ufffd", "\ufffd"]),
        (rb'"\ud800\ud83d\ude00"', "\ufffd😀"),
        (rb'"\\\ud800"', "\\\ufffd"),
    ],
)
def test_half_of_a_pair_is_replaced_and_loses_nothing_else(content: bytes, value: object) -> None:
    assert read_json(content) == value


def test_a_backslash_before_a_u_is_no_escape() -> None:
    assert read_json(rb'"\\ud800"') == r"\ud800"


@given(st.text(max_size=80) | st.from_regex(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-x)?"))
def test_a_traceparent_is_read_or_ignored(value: str) -> None:
    trace = TraceContext.parse(value)
    if trace is not None:
        assert TraceContext.parse(trace.header()) == trace
        assert trace.trace_id in value


@pytest.mark.parametrize(
    ("value", "valid"),
    [
        (f"00-{TRACE_ID}-{SPAN_ID}-01", True),
        (f"  00-{TRACE_ID}-{SPAN_ID}-00  ", True),
        (f"01-{TRACE_ID}-{SPAN_ID}-01-later", True),
        (f"00-{TRACE_ID}-{SPAN_ID}-01-later", False),
        (f"01-{TRACE_ID}-{SPAN_ID}-01later", False),
        (f"ff-{TRACE_ID}-{SPAN_ID}-01", False),
        (f"00-{'0' * 32}-{SPAN_ID}-01", False),
        (f"00-{TRACE_ID}-{'0' * 16}-01", False),
        (f"00-{TRACE_ID.upper()}-{SPAN_ID}-01", False),
        (f"00-{TRACE_ID[1:]}-{SPAN_ID}-01", False),
        (f"00-{TRACE_ID}-{SPAN_ID}-01\nX: y", False),
        ("", False),
    ],
)
def test_traceparent_is_judged_as_w3c_says(value: str, valid: bool) -> None:
    assert (TraceContext.parse(value) is not None) is valid


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_trace_can_be_made_that_would_break_its_header(trace_id: str, span_id: str) -> None:
    with pytest.raises(LoopXError) as caught:
        TraceContext(trace_id, span_id)
    assert (caught.value.code, caught.value.reason) == ("usage_error", "trace")


@given(st.text(max_size=140))
def test_an_agent_id_fits_in_a_header_or_is_refused(agent_id: str) -> None:
    context = outcome_of(CallContext, trace=TraceContext(TRACE_ID, SPAN_ID), agent_id=agent_id)
    if isinstance(context, LoopXError):
        assert pair_of(context) == "usage_error/trace"
    else:
        headers = Headers((("X-LoopX-Agent-Id", agent_id),))
        assert HttpRequest(method="GET", url="https://host.example/", headers=headers).headers == headers
