"""Names that need no resolver, and a resolver that says no; nothing here leaves the machine."""

import asyncio
from threading import enumerate as threads

import pytest

from loopx.adapters.http.resolving import SystemResolver
from loopx.domain.errors import LoopXError


def resolve(host: str) -> tuple[str, ...]:
    return asyncio.run(SystemResolver().resolve(host))


@pytest.mark.parametrize("address", ["127.0.0.1", "192.0.2.7", "::1", "2001:db8::7"])
def test_an_address_is_its_own(address: str) -> None:
    before = set(threads())
    assert resolve(address) == (address,)
    assert set(threads()) <= before


def test_localhost_is_this_machine_whatever_a_resolver_would_say() -> None:
    assert resolve("localhost") == ("::1", "127.0.0.1")


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..example"])
def test_a_name_that_cannot_be_asked_for_is_unknown(host: str) -> None:
    # Refused by the codec of the standard library before any packet is sent.
    with pytest.raises(LoopXError) as caught:
        resolve(host)
    assert (caught.value.code, caught.value.reason) == ("provider_network_error", "dns")


def test_nobody_waits_for_an_answer_after_the_deadline() -> None:
    async def main() -> None:
        async with asyncio.timeout(0):
            await SystemResolver().resolve("a" * 64 + ".example")

    with pytest.raises(TimeoutError):
        asyncio.run(main())
