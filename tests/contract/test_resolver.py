"""What everything that knows host names promises; no name server is needed for it."""

import asyncio

import pytest

from fakes.outcomes import outcome_of, pair_of
from loopx.adapters.http.resolving import SystemResolver
from loopx.adapters.memory.resolver import MemoryResolver
from loopx.application.ports.resolver import Resolver


@pytest.fixture(params=["memory", "real"])
def resolver(request: pytest.FixtureRequest) -> Resolver:
    return MemoryResolver() if request.param == "memory" else SystemResolver()


def resolve(resolver: Resolver, host: str) -> tuple[str, ...]:
    return asyncio.run(resolver.resolve(host))


@pytest.mark.parametrize("address", ["127.0.0.1", "192.0.2.7", "::1", "2001:db8::1"])
def test_an_address_is_its_own(resolver: Resolver, address: str) -> None:
    assert resolve(resolver, address) == (address,)


def test_this_machine_is_known_without_asking(resolver: Resolver) -> None:
    assert resolve(resolver, "localhost") == ("::1", "127.0.0.1")


@pytest.mark.parametrize("host", ["", "..", "x" * 64, "a b"])
def test_what_has_no_address_is_a_coded_error(resolver: Resolver, host: str) -> None:
    assert pair_of(outcome_of(resolve, resolver, host)) == "provider_network_error/dns"
