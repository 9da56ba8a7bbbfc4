import asyncio

import pytest
from dependency_injector import providers

from loopx.adapters.memory.checkout import MemoryCheckout
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.pull_requests import MemoryPullRequests
from loopx.adapters.memory.transport import MemoryTransport, Reply
from loopx.application.capabilities.catalog import CapabilityCatalog
from loopx.application.use_cases.read_pull_request import ReadPullRequest
from loopx.application.use_cases.scan_pull_requests import ScanPullRequests
from loopx.entrypoints.container import Container, Settings, close


def test_every_provider_builds() -> None:
    container = Container(settings=providers.Object(Settings.of({"GH_HOST": "ghes.example"})))
    built = {name: provider() for name, provider in container.providers.items() if name != "__self__"}
    assert isinstance(built["catalog"], CapabilityCatalog)
    assert isinstance(built["scan_pull_requests"], ScanPullRequests)
    assert isinstance(built["read_pull_request"], ReadPullRequest)
    assert {capability.spec.name for capability in built["catalog"]} == {"pr_review"}


def test_every_dependency_is_provided() -> None:
    Container().check_dependencies()


def test_fakes_come_through_the_constructor_and_reach_who_needs_them() -> None:
    clock, source = MemoryClock(), MemoryPullRequests()
    container = Container(
        clock=providers.Object(clock),
        checkout=providers.Object(MemoryCheckout()),
        pull_request_source=providers.Object(source),
    )
    assert container.clock() is clock
    assert container.pull_request_source() is source


def test_a_fake_that_nobody_provides_for_is_refused() -> None:
    with pytest.raises(AttributeError):
        Container(clokc=providers.Object(MemoryClock()))


def test_one_container_does_not_see_the_fakes_of_another() -> None:
    Container(clock=providers.Object(MemoryClock(now=1.0)))
    assert Container().clock().now() > 1.0


def test_what_is_shared_is_built_once_and_use_cases_anew() -> None:
    container = Container()
    assert container.transport() is container.transport()
    assert container.scan_pull_requests() is not container.scan_pull_requests()


@pytest.mark.parametrize(
    ("environment", "host"), [({}, "github.com"), ({"GH_HOST": " https://GHES.example/ "}, "ghes.example")]
)
def test_the_default_host_comes_from_the_environment(environment: dict[str, str], host: str) -> None:
    assert Settings.of(environment).default_host == host


def test_the_authorities_of_the_environment_are_used() -> None:
    assert Settings.of({"SSL_CERT_FILE": "/etc/own.pem"}).transport.ca_file == "/etc/own.pem"


def test_closing_gives_back_the_transport_whether_or_not_it_can_be_closed() -> None:
    closed: list[str] = []

    class Closing(MemoryTransport):
        async def aclose(self) -> None:
            closed.append("yes")

    def answer(_: object) -> Reply:
        return Reply()

    asyncio.run(close(Container(transport=providers.Object(Closing(answer)))))
    asyncio.run(close(Container(pull_request_source=providers.Object(MemoryPullRequests()))))
    assert closed == ["yes"]
