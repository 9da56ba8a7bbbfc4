"""The server does what its own description says: schemathesis asks, over a real socket."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from fakes.capabilities import Counting
from fakes.status_server import TOKEN, Served, served_in_a_thread

EXAMPLES: Final = 15
UNHURRIED: Final = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)
HEADERS: Final = {"Authorization": f"Bearer {TOKEN}"}
COUNT: Final = "/v1/capabilities/count/runs"


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served_in_a_thread(Counting(most=5)) as server:
        yield server


@pytest.fixture(scope="module")
def described(server: Served) -> Any:
    return schemathesis.openapi.from_url(f"http://127.0.0.1:{server.port}/openapi.json", headers=HEADERS)


def operations(described: Any) -> dict[str, Any]:
    return {found.ok().label: found.ok() for found in described.get_all_operations()}


def ask(cases: st.SearchStrategy[Any], change: Callable[[Any], None] = lambda _: None) -> None:
    """Send cases and let schemathesis judge the answers."""

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=UNHURRIED)
    @given(cases)
    def check(case: Any) -> None:
        change(case)
        case.call_and_validate(headers=HEADERS)

    check()


LABELS: Final = [
    "GET /livez",
    "GET /readyz",
    "GET /healthz",
    "GET /status",
    "GET /metrics",
    "GET /v1/capabilities",
    "GET /v1/registry",
    f"POST {COUNT}",
    "GET /v1/runs/{id}",
    "DELETE /v1/runs/{id}",
]


def test_every_operation_is_asked(described: Any) -> None:
    # schemathesis leaves the description itself out.
    assert set(operations(described)) | {"GET /openapi.json"} == {*LABELS, "GET /openapi.json"}


@pytest.mark.parametrize("label", LABELS)
def test_what_the_description_allows_is_answered_as_described(described: Any, label: str) -> None:
    ask(operations(described)[label].as_strategy(generation_mode=GenerationMode.POSITIVE))


# /livez takes no parameter, no body and no token: nothing that could be asked of it is forbidden, and
# schemathesis has no negative case to make.
@pytest.mark.parametrize("label", [label for label in LABELS if label != "GET /livez"])
def test_what_the_description_forbids_is_refused_as_described(described: Any, label: str) -> None:
    ask(operations(described)[label].as_strategy(generation_mode=GenerationMode.NEGATIVE))


@pytest.mark.parametrize("label", ["GET /v1/runs/{id}", "DELETE /v1/runs/{id}"])
def test_a_run_that_is_there_is_answered_as_described(described: Any, label: str) -> None:
    found = operations(described)
    start = found[f"POST {COUNT}"].Case(
        body={"params": {"to": 3}}, headers={"X-LoopX": "1"}, media_type="application/json"
    )

    def aim(case: Any) -> None:
        created = start.call(headers=HEADERS)
        assert created.status_code == 201
        case.path_parameters = {"id": created.headers["location"][0].rpartition("/")[2]}

    ask(found[label].as_strategy(generation_mode=GenerationMode.POSITIVE), aim)
