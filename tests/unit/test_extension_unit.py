"""A unit of an extension as a capability: what comes of its records, notes, requests and failures."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from fakes.extensions import CONTEXT, HOST, code_of
from fakes.outcomes import pair_of
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.extension_host import MemoryExtensionHost
from loopx.adapters.memory.installed_extensions import MemoryInstalledExtensions
from loopx.adapters.memory.routes import Routes
from loopx.adapters.memory.transport import MemoryTransport, Reply
from loopx.application.capabilities.capability import Item, Record
from loopx.application.capabilities.catalog import CapabilityCatalog
from loopx.application.capabilities.extension_unit import ExtensionCapabilities, ExtensionRuntime
from loopx.domain.results import Problem, Status, Summary
from loopx.extension import Note, Request, RequestFailedError, Steps
from loopx.extension import Record as Yielded

URL = f"https://{HOST}/v1"
Unit = Callable[..., Steps]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run gave."""

    items: list[Item]
    transport: MemoryTransport
    open_sessions: int

    @property
    def records(self) -> list[Mapping[str, object]]:
        return [item.data for item in self.items if isinstance(item, Record)]

    @property
    def problems(self) -> list[str | None]:
        return [pair_of(item.error) for item in self.items if isinstance(item, Problem)]

    @property
    def summary(self) -> Summary:
        last = self.items[-1]
        assert isinstance(last, Summary)
        return last


def catalog_of(unit: Unit, transport: MemoryTransport) -> tuple[CapabilityCatalog, MemoryExtensionHost]:
    clock = MemoryClock()
    host = MemoryExtensionHost({"sample": {"sample.unit": unit}}, clock=clock)
    runtime = ExtensionRuntime(
        extensions=MemoryInstalledExtensions([code_of("", "unit")]),
        host=host,
        transport=transport,
        clock=clock,
    )
    return CapabilityCatalog([], [ExtensionCapabilities(runtime)]), host


def run(unit: Unit, routes: Routes | None = None, **given: object) -> Outcome:
    transport = MemoryTransport(routes or Routes())
    catalog, host = catalog_of(unit, transport)
    capability = catalog.find("sample.unit")

    async def collect() -> list[Item]:
        return [item async for item in capability.run(capability.spec.read(given), CONTEXT)]

    return Outcome(asyncio.run(collect()), transport, host.open_sessions)


def thing(size: object = 1) -> Yielded:
    return Yielded({"name": "x", "size": size})


def test_records_of_the_declared_shape_are_the_records_of_the_run() -> None:
    def unit(word: str, count: int | None) -> Steps:
        yield Yielded({"name": word, "size": count})

    outcome = run(unit, word="w", count="3")
    assert outcome.records == [{"name": "w", "size": 3}]
    assert outcome.summary.status is Status.OK
    assert outcome.summary.completeness.complete
    assert (outcome.summary.records, outcome.summary.requests, outcome.summary.error) == (1, 0, None)
    assert outcome.open_sessions == 0


def test_no_record_at_all_is_empty_and_complete() -> None:
    def unit(word: str, count: int | None) -> Steps:
        return
        yield

    summary = run(unit).summary
    assert (summary.status, summary.completeness.complete, summary.error) == (Status.EMPTY, True, None)


def test_a_record_of_another_shape_is_a_problem_and_the_others_stay() -> None:
    def unit(word: str, count: int | None) -> Steps:
        yield thing()
        yield thing(size="large")
        yield thing(2)

    outcome = run(unit)
    assert [record["size"] for record in outcome.records] == [1, 2]
    assert outcome.problems == ["extension_error/record"]
    assert outcome.summary.status is Status.PARTIAL
    assert outcome.summary.completeness.reason == "extension_error/record"
    assert outcome.summary.completeness.rerun == "loopx capability run sample.unit"


def test_nothing_but_records_of_another_shape_is_drift_and_never_an_empty_result() -> None:
    def unit(word: str, count: int | None) -> Steps:
        yield Yielded({"title": "x"})

    summary = run(unit).summary
    assert summary.status is Status.SCHEMA_DRIFT
    assert pair_of(summary.error) == "extension_error/record"


def test_endless_problems_end_the_run() -> None:
    def unit(word: str, count: int | None) -> Steps:
        while True:
            yield thing(size="large")

    outcome = run(unit)
    assert outcome.problems[-1] == "extension_error/output_too_large"
    assert len(outcome.problems) == 101
    assert outcome.open_sessions == 0


def test_notes_are_warnings_and_bounded() -> None:
    def unit(word: str, count: int | None) -> Steps:
        for number in range(300):
            yield Note(f"note {number}")
        yield thing()

    assert run(unit).summary.warnings == tuple(f"note {number}" for number in range(100))


def test_requests_cross_the_border_on_behalf_of_the_capability() -> None:
    def unit(word: str, count: int | None) -> Steps:
        response = yield Request("GET", URL)
        yield Yielded({"name": response.text, "size": None})

    outcome = run(unit, Routes().on("GET", URL, Reply(content=b"hi")))
    assert outcome.records == [{"name": "hi", "size": None}]
    assert outcome.summary.requests == 1
    assert [request.url for request in outcome.transport.requests] == [URL]


@pytest.mark.parametrize("url", ["https://other.example/", "https://127.0.0.1/", "http://169.254.169.254/"])
def test_a_request_beyond_the_grants_is_a_problem_even_when_the_extension_hides_it(url: str) -> None:
    def unit(word: str, count: int | None) -> Steps:
        try:
            yield Request("GET", url)
        except RequestFailedError as error:
            yield Note(error.code)
        yield thing()

    outcome = run(unit)
    assert [one.partition("/")[0] for one in outcome.problems if one] == ["egress_blocked"]
    assert outcome.summary.warnings == ("egress_blocked",)
    assert outcome.summary.status is Status.PARTIAL
    assert outcome.transport.requests == []


def test_a_header_that_is_not_its_own_to_set_is_a_problem() -> None:
    def unit(word: str, count: int | None) -> Steps:
        yield Request("GET", URL, headers={"Authorization": "Bearer mine"})

    outcome = run(unit)
    assert outcome.problems == ["extension_error/grant"]
    assert outcome.summary.status is Status.BLOCKED


def test_a_failed_request_that_it_handles_is_its_own_business() -> None:
    def unit(word: str, count: int | None) -> Steps:
        try:
            yield Request("GET", URL)
        except RequestFailedError as error:
            yield Yielded({"name": error.reason, "size": error.status})

    outcome = run(unit, Routes().on("GET", URL, Reply(status=404)))
    assert outcome.records == [{"name": "not_found", "size": 404}]
    assert outcome.problems == []
    assert outcome.summary.completeness.complete


def test_a_failed_request_that_it_does_not_handle_ends_the_run_as_itself() -> None:
    def unit(word: str, count: int | None) -> Steps:
        yield Request("GET", URL)

    outcome = run(unit, Routes().on("GET", URL, Reply(status=404)))
    assert outcome.problems == ["provider_http_error/not_found"]
    assert outcome.summary.status is Status.NOT_FOUND
    assert pair_of(outcome.summary.error) == "provider_http_error/not_found"


def test_what_was_read_before_a_failure_stays() -> None:
    def unit(word: str, count: int | None) -> Steps:
        yield thing()
        raise KeyError(word)

    outcome = run(unit, word="a b", count=7)
    assert len(outcome.records) == 1
    assert outcome.problems == ["extension_error/raised"]
    assert (outcome.summary.status, outcome.summary.error) == (Status.PARTIAL, None)
    assert outcome.summary.completeness.rerun == "loopx capability run sample.unit --word 'a b' --count 7"


def test_what_is_no_longer_installed_does_not_run() -> None:
    installed = MemoryInstalledExtensions([code_of("", "unit")])
    transport, clock = MemoryTransport(Routes()), MemoryClock()
    host = MemoryExtensionHost({}, clock=clock)
    runtime = ExtensionRuntime(extensions=installed, host=host, transport=transport, clock=clock)
    (capability,) = ExtensionCapabilities(runtime).capabilities()
    installed.remove("sample")

    async def collect() -> list[Item]:
        return [item async for item in capability.run(capability.spec.read({}), CONTEXT)]

    problem, summary = asyncio.run(collect())
    assert isinstance(problem, Problem)
    assert isinstance(summary, Summary)
    assert pair_of(problem.error) == pair_of(summary.error) == "registry_error/not_installed"


def test_a_reader_that_leaves_closes_the_session() -> None:
    def unit(word: str, count: int | None) -> Steps:
        while True:
            yield thing()

    catalog, host = catalog_of(unit, MemoryTransport(Routes()))
    capability = catalog.find("sample.unit")

    async def leave() -> int:
        stream = capability.run(capability.spec.read({}), CONTEXT)
        await anext(stream)
        during = host.open_sessions
        await stream.aclose()  # type: ignore[attr-defined]  # it is a generator, and closed like one
        return during

    assert asyncio.run(leave()) == 1
    assert host.open_sessions == 0
