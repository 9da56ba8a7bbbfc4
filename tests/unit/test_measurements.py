"""What is counted, and how it reads to a scraper."""

import asyncio
from contextlib import suppress

import pytest

from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.transport import MemoryTransport, Reply
from loopx.application.steps.meter import Meter
from loopx.application.steps.metered_transport import MeteredTransport
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import HttpRequest
from loopx.domain.metrics import CALL_ERRORS, CALLS, FAMILIES, Family, Kind, Sample
from loopx.entrypoints.http.exposition import OPENMETRICS, PROMETHEUS, choose_format, expose

EVENTS = Family("loopx_events", Kind.COUNTER, "Events.", ("kind",))
WAITS = Family("loopx_wait_seconds", Kind.HISTOGRAM, "Waits.", (), (0.1, 1.0))
LEVEL = Family("loopx_level", Kind.GAUGE, "A level.")


def metered() -> Meter:
    meter = Meter((EVENTS, WAITS))
    meter.count(EVENTS, 'a"b\\c\nd')
    meter.count(EVENTS, "plain")
    meter.count(EVENTS, "plain")
    for seconds in (0.05, 0.1, 0.5, 7.0):
        meter.observe(WAITS, seconds)
    return meter


def test_prometheus_reads_series_by_their_own_names() -> None:
    measured = (*metered().read(), (LEVEL, (Sample((), 1.5),)))
    assert expose(measured, PROMETHEUS).splitlines() == [
        "# HELP loopx_events_total Events.",
        "# TYPE loopx_events_total counter",
        'loopx_events_total{kind="a\\"b\\\\c\\nd"} 1',
        'loopx_events_total{kind="plain"} 2',
        "# HELP loopx_wait_seconds Waits.",
        "# TYPE loopx_wait_seconds histogram",
        'loopx_wait_seconds_bucket{le="0.1"} 2',
        'loopx_wait_seconds_bucket{le="1.0"} 3',
        'loopx_wait_seconds_bucket{le="+Inf"} 4',
        "loopx_wait_seconds_sum 7.65",
        "loopx_wait_seconds_count 4",
        "# HELP loopx_level A level.",
        "# TYPE loopx_level gauge",
        "loopx_level 1.5",
    ]


def test_openmetrics_reads_families_and_an_end() -> None:
    lines = expose(metered().read(), OPENMETRICS).splitlines()
    assert lines[:2] == ["# HELP loopx_events Events.", "# TYPE loopx_events counter"]
    assert 'loopx_events_total{kind="plain"} 2' in lines
    assert lines[-1] == "# EOF"


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("", PROMETHEUS),
        ("*/*", PROMETHEUS),
        ("text/plain", PROMETHEUS),
        ("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.1", OPENMETRICS),
        ("Application/OpenMetrics-Text", OPENMETRICS),
        ("application/openmetrics-textual", PROMETHEUS),
    ],
)
def test_the_form_is_the_one_that_was_asked_for(accept: str, content_type: str) -> None:
    assert choose_format(accept) == content_type


def test_every_family_has_its_own_name() -> None:
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)


class TestMeteredTransport:
    """Measures calls without changing them."""

    def call(self, url: str, reply: Reply) -> Meter:
        clock, meter = MemoryClock(), Meter(FAMILIES)
        transport = MeteredTransport(
            transport=MemoryTransport(lambda _: reply, clock=clock), meter=meter, clock=clock
        )
        context = CallContext(trace=TraceContext("a" * 32, "b" * 16))
        with suppress(LoopXError):
            asyncio.run(transport.send(HttpRequest(method="GET", url=url), context))
        asyncio.run(transport.aclose())
        return meter

    def test_a_call_is_timed_under_its_provider(self) -> None:
        read = dict(self.call("https://api.github.com/x", Reply(after=0.2)).read())
        (sample,) = read[CALLS]
        assert sample == Sample(("github", "GET"), 0.2, (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1))
        assert read[CALL_ERRORS] == ()

    def test_a_failure_is_counted_by_code_and_reason(self) -> None:
        read = dict(self.call("https://other.example/secret", Reply(status=404)).read())
        assert [sample.labels for sample in read[CALL_ERRORS]] == [
            ("other", "provider_http_error", "not_found")
        ]
        assert len(read[CALLS]) == 1
