"""What the server says when the files of the project cannot be read, or only slowly."""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

import pytest
from dependency_injector import providers

from fakes.capabilities import Counting
from fakes.status_server import PATIENCE, Served, play
from loopx.application.capabilities.capability import Capability
from loopx.application.capabilities.catalog import CapabilityCatalog, CapabilitySource
from loopx.domain.errors import LoopXError
from loopx.entrypoints.container import Container, Settings

COUNT = "/v1/capabilities/count/runs"
READING = ["/status", "/openapi.json", "/v1/capabilities"]


class Broken:
    """Cannot be read."""

    def capabilities(self) -> Iterable[Capability]:
        raise LoopXError("state_error", "corrupt", detail="registry.json: it is no JSON")


class Stuck:
    """Is read once that is allowed."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.asked = 0

    def capabilities(self) -> Iterable[Capability]:
        self.asked += 1
        assert self.go_on.wait(PATIENCE)
        return ()


def play_from(scene: Callable[[Served], Awaitable[None]], source: CapabilitySource) -> None:
    catalog = CapabilityCatalog([Counting()], [source])
    play(scene, container=Container(catalog=providers.Object(catalog)))


class TestBroken:
    """A broken file is told, and takes nothing down that does not need it."""

    def test_measurements_need_no_file(self) -> None:
        async def scene(server: Served) -> None:
            assert (await server.ask(server.get("/metrics"))).status == 200

        play_from(scene, Broken())

    def test_the_status_tells_the_problem_and_everything_else(self) -> None:
        async def scene(server: Served) -> None:
            answer = await server.ask(server.get("/status"))
            assert answer.status == 200
            assert answer.data["capabilities"] == ["count"]
            problem = answer.data["problem"]
            assert (problem["code"], problem["reason"]) == ("state_error", "corrupt")
            assert problem["hint"]
            assert answer.data["runs"]["running"] == 0

        play_from(scene, Broken())

    def test_the_built_in_capabilities_are_listed_beside_the_problem(self) -> None:
        async def scene(server: Served) -> None:
            data = (await server.ask(server.get("/v1/capabilities"))).data
            assert [each["name"] for each in data["capabilities"]] == ["count"]
            assert (data["problem"]["code"], data["problem"]["reason"]) == ("state_error", "corrupt")

        play_from(scene, Broken())

    def test_the_built_in_capabilities_are_described_and_run(self) -> None:
        async def scene(server: Served) -> None:
            described = (await server.ask(server.get("/openapi.json"))).data
            assert COUNT in described["paths"]
            assert described["x-loopx-problem"]["code"] == "state_error"
            run = await server.ask(server.post(COUNT, {"params": {"to": 1}}), b"POST")
            assert run.status == 201

        play_from(scene, Broken())

    def test_a_registry_that_is_no_json_is_told_as_it_is(self, tmp_path: Path) -> None:
        async def scene(server: Served) -> None:
            assert (await server.ask(server.get("/metrics"))).status == 200
            status = (await server.ask(server.get("/status"))).data
            assert (status["capabilities"], status["problem"]["code"]) == (["pr_review"], "state_error")

        container = Container(settings=Settings.of(dict(os.environ), project=str(tmp_path)))
        folder = Path(container.homes().project)
        folder.mkdir(exist_ok=True)
        (folder / "registry.json").write_text("{")
        play(scene, container=container)


class TestSlow:
    """Whoever reads a file waits for it; nobody else does."""

    @pytest.mark.parametrize("path", READING)
    def test_others_are_answered_while_a_file_is_read(self, path: str) -> None:
        async def scene(server: Served) -> None:
            waiting = asyncio.create_task(server.ask(server.get(path)))
            try:
                assert (await server.ask(server.get("/metrics"))).status == 200
                while not source.asked:
                    assert (await server.ask(server.get("/livez"))).status == 200
                assert not waiting.done()
            finally:
                source.go_on.set()
            assert (await waiting).status == 200

        source = Stuck()
        play_from(scene, source)

    def test_others_are_answered_while_a_run_looks_for_its_capability(self) -> None:
        async def scene(server: Served) -> None:
            wanted = server.post("/v1/capabilities/else/runs", {"params": {}})
            waiting = asyncio.create_task(server.ask(wanted, b"POST"))
            try:
                while not source.asked:
                    assert (await server.ask(server.get("/livez"))).status == 200
                assert not waiting.done()
            finally:
                source.go_on.set()
            assert (await waiting).status == 404

        source = Stuck()
        play_from(scene, source)
