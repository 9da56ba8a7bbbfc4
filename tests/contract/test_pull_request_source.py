"""What every source of pull requests promises, over GitHub's API and in memory."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

import pytest

from fakes.github import CutBody, FakeGitHub, repository
from loopx.adapters.github.pull_requests import GitHubPullRequests
from loopx.adapters.http.resolving import SystemResolver
from loopx.adapters.http.stack import HttpxTransport, TransportPorts, TransportSettings
from loopx.adapters.memory.audit import MemoryAuditLog
from loopx.adapters.memory.credentials import MemoryCredentials
from loopx.adapters.memory.entropy import MemoryEntropy
from loopx.adapters.memory.pull_requests import MemoryPullRequests
from loopx.adapters.process.clock import SystemClock
from loopx.application.ports.pull_request_source import PullRequestBatch, PullRequestSource
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.pull_requests.record import PullRequest, State
from loopx.domain.repositories import PullRequestReference, Repository, read_repository

CONTEXT = CallContext(trace=TraceContext("a" * 32, "b" * 16), timeout=10)
OPEN = frozenset({State.OPEN})
ALL = frozenset(State)

Deed = Callable[[PullRequestSource], Awaitable[object]]


@dataclass
class World:
    """A repository with 60 open, 5 closed and 5 merged pull requests, and a way to ask for them."""

    repository: Repository
    run: Callable[[Deed], object]
    fail: Callable[[int], None]

    def scan(
        self, states: frozenset[State] = ALL, limit: int | None = None, where: Repository | None = None
    ) -> list[PullRequestBatch]:
        batches: list[PullRequestBatch] = []

        async def deed(source: PullRequestSource) -> None:
            async for batch in source.scan(where or self.repository, states, limit, CONTEXT):
                batches.append(batch)  # noqa: PERF401 - kept also when the scan fails

        self.run(deed)
        return batches

    def numbers(self, states: frozenset[State] = ALL, limit: int | None = None) -> list[int]:
        return [one.reference.number for batch in self.scan(states, limit) for one in batch.pull_requests]

    def read(self, number: int) -> PullRequestBatch:
        found: list[PullRequestBatch] = []

        async def deed(source: PullRequestSource) -> None:
            found.append(await source.read(PullRequestReference(self.repository, number), CONTEXT))

        self.run(deed)
        return found[0]


@pytest.fixture
def github() -> Iterator[World]:
    with FakeGitHub(repository(open=60, closed=5, merged=5)) as server:

        async def over_http(deed: Deed) -> None:
            transport = HttpxTransport(
                TransportPorts(
                    clock=SystemClock(),
                    entropy=MemoryEntropy(),
                    credentials=MemoryCredentials(),
                    resolver=SystemResolver(),
                    audit=MemoryAuditLog(),
                ),
                TransportSettings(user_agent="loopx"),
            )
            async with transport:
                await deed(GitHubPullRequests(transport=transport, clock=SystemClock()))

        yield World(
            repository=read_repository(server.url("octo-org/harbour")),
            run=lambda deed: asyncio.run(over_http(deed)),
            fail=lambda number: server.fail(CutBody(), on=number),
        )


@pytest.fixture
def memory(github: World) -> World:
    """The same pull requests, as GitHub's adapter read them."""
    held: list[PullRequest] = [one for batch in github.scan() for one in batch.pull_requests]
    failures: dict[int, LoopXError] = {}

    async def in_memory(deed: Deed) -> None:
        await deed(MemoryPullRequests(held, failures=failures))

    def fail(number: int) -> None:
        failures[number] = LoopXError("provider_network_error", "truncated")

    return World(github.repository, lambda deed: asyncio.run(in_memory(deed)), fail)


@pytest.fixture(params=["memory", "github"])
def world(request: pytest.FixtureRequest) -> World:
    found: World = request.getfixturevalue(request.param)
    return found


def test_a_scan_gives_every_pull_request_once_newest_first(world: World) -> None:
    assert world.numbers() == list(range(70, 0, -1))


def test_only_the_wanted_states_are_given(world: World) -> None:
    found = [one for batch in world.scan(OPEN) for one in batch.pull_requests]
    assert len(found) == 60
    assert {one.state for one in found} == {State.OPEN}


@pytest.mark.parametrize("limit", [1, 25, 26, 60, 1_000])
def test_no_more_than_the_limit_are_given_and_they_are_the_newest(world: World, limit: int) -> None:
    assert world.numbers(limit=limit) == world.numbers()[:limit]


def test_the_number_of_all_is_told_with_the_first_batch(world: World) -> None:
    assert world.scan(OPEN, limit=3)[0].total == 60


def test_every_request_is_counted_once(world: World) -> None:
    assert sum(batch.requests for batch in world.scan()) == 3


def test_one_pull_request_is_what_the_scan_says_it_is(world: World) -> None:
    scanned = {one.reference.number: one for batch in world.scan() for one in batch.pull_requests}
    assert world.read(33).pull_requests == (scanned[33],)


def test_what_is_not_there_is_not_found(world: World) -> None:
    gone = Repository(world.repository.host, "octo-org", "gone", world.repository.scheme)
    for deed in (lambda: world.scan(where=gone), lambda: world.read(4_711)):
        with pytest.raises(LoopXError) as caught:
            deed()
        assert (caught.value.code, caught.value.reason) == ("provider_graphql_error", "not_found")


def test_a_failure_on_the_way_comes_after_what_was_already_read(world: World) -> None:
    given: list[int] = []

    async def deed(source: PullRequestSource) -> None:
        async for batch in source.scan(world.repository, ALL, None, CONTEXT):
            given.extend(one.reference.number for one in batch.pull_requests)

    world.fail(2)
    with pytest.raises(LoopXError) as caught:
        world.run(deed)
    assert (caught.value.code, caught.value.reason) == ("provider_network_error", "truncated")
    assert given == list(range(70, 45, -1))
