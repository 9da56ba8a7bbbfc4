"""What the server says of itself, over a real socket."""

from collections.abc import AsyncIterator

import pytest

from fakes.capabilities import COUNTING, Counting
from fakes.status_server import TOKEN, Served, play
from loopx import __version__
from loopx.application.capabilities.capability import Item, Parameters
from loopx.domain.context import CallContext
from loopx.domain.errors import CallFacts, LoopXError
from loopx.entrypoints.container import Container

COUNT = "/v1/capabilities/count/runs"


class Failing(Counting):
    """Fails before its run begins."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def run(self, parameters: Parameters, context: CallContext) -> AsyncIterator[Item]:
        raise self._error


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/healthz"])
def test_probes_answer_anybody_in_one_word(path: str) -> None:
    async def scene(server: Served) -> None:
        answer = await server.ask(server.request("GET", path))
        assert (answer.status, answer.data) == (200, {"status": "ok"})

    play(scene)


def test_readiness_tells_its_checks_to_who_wants_them() -> None:
    async def scene(server: Served) -> None:
        answer = await server.ask(server.request("GET", "/readyz?verbose"))
        assert answer.data == {"status": "ok", "checks": {"accepting": "ok"}}

    play(scene)


def test_a_server_that_is_about_to_stop_is_alive_and_not_ready() -> None:
    async def scene(server: Served) -> None:
        server.server.introspection.is_stopping = True
        assert (await server.ask(server.request("GET", "/livez"))).status == 200
        answer = await server.ask(server.request("GET", "/readyz"))
        assert (answer.status, answer.data["code"]) == (503, "not_ready")
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["retry-after"] == "1"

    play(scene)


def test_the_status_says_what_runs_what_ran_and_what_failed() -> None:
    async def scene(server: Served) -> None:
        await server.ask(server.post(COUNT, {"params": {"to": 1}}), b"POST")
        for _ in range(2):
            await server.ask(server.get("/v1/runs/none"))
        status = (await server.ask(server.get("/status"))).data
        assert (status["schema"], status["schema_version"], status["version"]) == (
            "loopx.status/1",
            1,
            __version__,
        )
        assert status["capabilities"] == ["count"]
        assert status["runs"] == {"running": 0, "finished": 1, "cancelled": 0, "failed": 0}
        (failure,) = status["errors"]
        assert (failure["code"], failure["reason"], failure["count"]) == ("not_found", "run", 2)
        assert status["uptime_s"] >= 0
        assert status["pid"] > 0

    play(scene, Counting())


def test_measurements_count_answers_and_refusals() -> None:
    async def scene(server: Served) -> None:
        await server.ask(server.request("GET", "/status"))
        await server.ask(server.get("/" + "x" * 20))
        await server.ask(b"broken\r\n\r\n")
        answer = await server.ask(server.get("/metrics"))
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        text = answer.body.decode()
        assert 'loopx_server_rejected_total{check="token"} 1' in text
        assert 'loopx_server_rejected_total{check="path"} 1' in text
        assert 'loopx_server_rejected_total{check="bad_request"} 1' in text
        assert 'loopx_server_requests_total{method="GET",route="none",status="404"} 1' in text
        assert f'loopx_build_info{{version="{__version__}"}} 1' in text
        assert "xxxx" not in text
        other = await server.ask(server.get("/metrics", "Accept: application/openmetrics-text"))
        assert other.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
        assert "Accept" in other.headers["vary"]
        assert other.body.endswith(b"# EOF\n")

    play(scene)


def test_capabilities_are_listed_with_their_schemas() -> None:
    async def scene(server: Served) -> None:
        data = (await server.ask(server.get("/v1/capabilities"))).data
        assert data["schema"] == "loopx.capability/1"
        (capability,) = data["capabilities"]
        assert capability["name"] == "count"
        assert capability["parameters"] == COUNTING.parameters_schema()

    play(scene, Counting())


def test_the_registry_is_listed_as_the_command_line_lists_it() -> None:
    Container().add_extension()("finance", "https://a.example/finance.tar.gz", "a" * 64)

    async def scene(server: Served) -> None:
        listed = (await server.ask(server.get("/v1/registry"))).data
        assert listed["schema"] == "loopx.registry/1"
        (extension,) = listed["extensions"]
        assert (extension["name"], extension["state"]) == ("finance", "not_installed")

    play(scene, Counting())


def test_the_description_names_what_is_there_and_nothing_else() -> None:
    async def scene(server: Served) -> None:
        described = (await server.ask(server.get("/openapi.json"))).data
        assert described["openapi"] == "3.1.0"
        assert set(described["paths"]) == {
            "/livez", "/readyz", "/healthz", "/status", "/metrics", "/openapi.json", "/v1/capabilities",
            "/v1/capabilities/count/runs", "/v1/runs/{id}", "/v1/registry",
        }  # fmt: skip
        body = described["paths"][COUNT]["post"]["requestBody"]["content"]["application/json"]["schema"]
        assert body["properties"]["params"] == COUNTING.parameters_schema()

    play(scene, Counting())


def test_an_error_of_a_provider_is_a_problem_with_all_its_fields() -> None:
    call = CallFacts(
        method="POST", url="https://api.github.com/graphql", status=429, retry_after=30.4, request_id="AB:12"
    )
    error = LoopXError("provider_http_error", "rate_limited", call=call)

    async def scene(server: Served) -> None:
        answer = await server.ask(server.post(COUNT, {"params": {"to": 1}}), b"POST")
        assert (answer.status, answer.headers["retry-after"]) == (503, "30")
        problem = answer.data
        assert problem["type"] == "urn:loopx:error:provider_http_error:rate_limited"
        assert (problem["status"], problem["upstream_status"]) == (503, 429)
        assert problem["instance"] == COUNT
        told = {name: value for name, value in error.to_dict().items() if name not in {"status", "detail"}}
        assert told.items() <= problem.items()

    play(scene, Failing(error))


def test_a_defect_is_one_answer_without_its_text_and_the_server_goes_on() -> None:
    async def scene(server: Served) -> None:
        answer = await server.ask(server.post(COUNT, {"params": {"to": 1}}), b"POST")
        assert (answer.status, answer.data["code"], answer.data["detail"]) == (
            500, "internal_error", "LoopX itself failed: ValueError",
        )  # fmt: skip
        assert b"inside" not in answer.body
        assert answer.headers["vary"].startswith("Origin")
        assert (await server.ask(server.get("/status"))).data["errors"][0]["code"] == "internal_error"

    play(scene, Failing(ValueError("inside")))


def test_the_token_is_in_no_answer_even_when_the_client_puts_it_everywhere() -> None:
    async def scene(server: Served) -> None:
        asked = [
            server.get(f"/v1/runs/{TOKEN}"),
            server.get(f"/{TOKEN}?token={TOKEN}"),
            server.post(f"/v1/capabilities/{TOKEN}/runs", {}),
            server.post(COUNT, {"params": {TOKEN: 1}}),
            server.get("/status"),
            server.get("/metrics"),
        ]
        for raw in asked:
            answer = await server.ask(raw, raw.split()[0])
            assert TOKEN.encode() not in answer.body
            assert TOKEN not in str(answer.headers)

    play(scene, Counting())
