"""The sample server answers as GitHub's own schema would have it answered, over real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from fakes.github.execution import Executor
from loopx.adapters.github.queries import DOCUMENTS, SCAN_PULL_REQUESTS
from loopx.entrypoints.demo.sample import NAME, OWNER, sample_repository
from loopx.entrypoints.demo.server import GRAPHQL_PATH, MAX_BODY_BYTES, demo_github

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
REPOSITORY = {"owner": OWNER, "name": NAME}
INNER = {
    "MoreLabels": ("labels",),
    "MoreReviews": ("reviews",),
    "MoreReviewRequests": ("reviewRequests",),
    "MoreThreads": ("reviewThreads",),
    "MoreChecks": ("commits", "nodes", 0, "commit", "statusCheckRollup", "contexts"),
}


class Pair:
    """The demo, and the same data under graphql-core: every answer must be the same."""

    def __init__(self, client: httpx.AsyncClient, base_url: str) -> None:
        self.client = client
        self.url = base_url + GRAPHQL_PATH
        repository = sample_repository(NOW, base_url)
        self.reference = Executor({f"{OWNER}/{NAME}": repository}, {"rateLimit": lambda: self.rate})
        self.rate: dict[str, Any] = {}

    async def ask(self, document: str, **variables: Any) -> dict[str, Any]:
        request = {"query": DOCUMENTS[document], "operationName": document, "variables": variables}
        response = await self.client.post(self.url, json=request)
        answer: dict[str, Any] = response.json()
        self.rate = answer["data"]["rateLimit"]
        assert answer == self.reference.answer(DOCUMENTS[document], variables)
        assert self.reference.defects == []
        return answer


@asynccontextmanager
async def pair() -> AsyncIterator[Pair]:
    async with demo_github(NOW) as base_url, httpx.AsyncClient(trust_env=False) as client:
        yield Pair(client, base_url)


async def scan(both: Pair, first: int, states: list[str] | None) -> list[dict[str, Any]]:
    nodes, after, more = [], None, True
    while more:
        answer = await both.ask("ScanPullRequests", **REPOSITORY, first=first, after=after, states=states)
        page = answer["data"]["repository"]["pullRequests"]
        nodes += page["nodes"]
        more, after = page["pageInfo"]["hasNextPage"], page["pageInfo"]["endCursor"]
    return nodes


def connection(node: dict[str, Any], path: tuple[str | int, ...]) -> dict[str, Any] | None:
    place: Any = node
    for key in path:
        place = place[key] if place else None
    found: dict[str, Any] | None = place
    return found


@pytest.mark.parametrize("states", [None, ["OPEN"], ["CLOSED"], ["MERGED", "CLOSED"]])
@pytest.mark.parametrize("first", [1, 7, 25, 100])
def test_every_page_of_a_scan_is_what_the_schema_demands(first: int, states: list[str] | None) -> None:
    async def run() -> None:
        async with pair() as both:
            nodes = await scan(both, first, states)
            wanted = [
                node["number"]
                for node in sample_repository(NOW)["pullRequests"]
                if states is None or node["state"] in states
            ]
            assert [node["number"] for node in nodes] == sorted(wanted, reverse=True)

    asyncio.run(run())


def test_every_pull_request_read_alone_is_what_the_schema_demands() -> None:
    async def run() -> None:
        async with pair() as both:
            for node in await scan(both, 100, None):
                answer = await both.ask("ReadPullRequest", **REPOSITORY, number=node["number"])
                assert answer["data"]["repository"]["pullRequest"] == node

    asyncio.run(run())


def test_every_inner_page_is_what_the_schema_demands() -> None:
    async def run() -> set[str]:
        followed = set()
        async with pair() as both:
            for node in await scan(both, 100, None):
                for name, path in INNER.items():
                    page = connection(node, path)
                    while page and page["nodes"]:
                        after = page["pageInfo"]["endCursor"]
                        if page["pageInfo"]["hasNextPage"]:
                            followed.add(name)
                        answer = await both.ask(name, id=node["id"], after=after)
                        page = connection(answer["data"]["node"], path)
        return followed

    assert asyncio.run(run()) == {"MoreReviews", "MoreThreads", "MoreChecks"}


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("ScanPullRequests", {"owner": "no", "name": "such", "first": 5}),
        ("ReadPullRequest", REPOSITORY | {"number": 1}),
        ("MoreReviews", {"id": "PR_no_such", "after": "x"}),
    ],
)
def test_what_is_not_there_is_said_to_be_missing(name: str, variables: dict[str, Any]) -> None:
    async def run() -> None:
        async with pair() as both:
            answer = await both.ask(name, **variables)
            assert [error["type"] for error in answer["errors"]] == ["NOT_FOUND"]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        (SCAN_PULL_REQUESTS.replace("isDraft", "isDraught"), "undefinedField"),
        (SCAN_PULL_REQUESTS.replace("$after\n", '"bad"\n'), "INVALID_CURSOR_ARGUMENTS"),
    ],
)
def test_what_the_schema_does_not_have_is_refused(query: str, kind: str) -> None:
    async def run() -> None:
        async with pair() as both:
            response = await both.client.post(
                both.url, json={"query": query, "variables": REPOSITORY | {"first": 3}}
            )
            assert [error["type"] for error in response.json()["errors"]] == [kind]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/"), ("GET", GRAPHQL_PATH), ("POST", "/graphql"), ("GET", "/api/v3/user")]
)
def test_any_other_place_is_not_found_in_githubs_words(method: str, path: str) -> None:
    async def run() -> None:
        async with pair() as both:
            response = await both.client.request(method, both.url.removesuffix(GRAPHQL_PATH) + path)
            assert response.status_code == 404
            assert response.json()["message"] == "Not Found"

    asyncio.run(run())


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b'{"query": 7}',
        b'{"query": "mutation x { y }"}',
        b'{"query": "query q { repository { id"}',
        b'{"query": "query q { ...F } fragment F on Query { ...F }"}',
        b'{"query": "query q { ...Missing }"}',
        b"\xff\xfe",
    ],
)
def test_a_request_that_is_no_query_is_refused_and_the_server_lives_on(body: bytes) -> None:
    async def run() -> None:
        async with pair() as both:
            response = await both.client.post(both.url, content=body)
            assert response.status_code == 400
            assert await scan(both, 100, ["OPEN"])

    asyncio.run(run())


def test_a_body_without_end_is_cut_off() -> None:
    async def run() -> None:
        async with pair() as both:
            response = await both.client.post(both.url, content=b" " * (MAX_BODY_BYTES + 1))
            assert response.status_code == 413

    asyncio.run(run())


def test_it_is_on_loopback_only_while_the_block_runs() -> None:
    async def run() -> None:
        async with demo_github(NOW) as base_url:
            assert base_url.startswith("http://127.0.0.1:")
        async with httpx.AsyncClient(trust_env=False) as client:
            with pytest.raises(httpx.ConnectError):
                await client.get(base_url)

    asyncio.run(run())


def test_the_block_ends_though_a_client_still_holds_its_connection() -> None:
    async def run() -> None:
        async with demo_github(NOW) as base_url:
            address = base_url.removeprefix("http://").split(":")
            reader, writer = await asyncio.open_connection(address[0], int(address[1]))
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await reader.readline()).startswith(b"HTTP/1.1 404")
            writer.write(b"POST /api/graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf")
            await writer.drain()
        with suppress(ConnectionResetError):
            await reader.read()  # hung up on, in either way
        writer.close()
        with suppress(ConnectionResetError):
            await writer.wait_closed()

    asyncio.run(asyncio.wait_for(run(), 10))
