"""Capabilities by name, wherever they come from."""

from collections.abc import Iterator

import pytest

from fakes.capabilities import COUNTING
from fakes.extensions import code_of
from fakes.outcomes import pair_of
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.extension_host import MemoryExtensionHost
from loopx.adapters.memory.installed_extensions import MemoryInstalledExtensions
from loopx.adapters.memory.routes import Routes
from loopx.adapters.memory.transport import MemoryTransport
from loopx.application.capabilities.capability import Capability
from loopx.application.capabilities.catalog import CapabilityCatalog
from loopx.application.capabilities.extension_unit import ExtensionCapabilities, ExtensionRuntime
from loopx.domain.errors import LoopXError

CLOCK = MemoryClock()
RUNTIME = ExtensionRuntime(
    extensions=MemoryInstalledExtensions([code_of("", "one", "two")]),
    host=MemoryExtensionHost({}, clock=CLOCK),
    transport=MemoryTransport(Routes()),
    clock=CLOCK,
)
UNITS = ExtensionCapabilities(RUNTIME)
ONE, TWO = UNITS.capabilities()


class Unreadable:
    def capabilities(self) -> Iterator[Capability]:
        raise LoopXError("state_error", "corrupt")


def test_what_is_built_in_comes_first_and_the_units_of_extensions_after_it() -> None:
    catalog = CapabilityCatalog([ONE], [UNITS])
    assert [capability.spec.name for capability in catalog] == ["sample.one", "sample.two"]
    assert catalog.find("sample.two").spec == TWO.spec


def test_no_extension_takes_the_place_of_what_is_built_in() -> None:
    catalog = CapabilityCatalog([ONE], [UNITS])
    assert catalog.find("sample.one") is ONE
    assert next(iter(catalog)) is ONE


def test_what_is_built_in_is_found_without_asking_for_extensions() -> None:
    catalog = CapabilityCatalog([ONE], [Unreadable()])
    assert catalog.find("sample.one") is ONE
    with pytest.raises(LoopXError) as caught:
        list(catalog)
    assert pair_of(caught.value) == "state_error/corrupt"


def test_an_unknown_name_is_answered_with_all_that_are_known() -> None:
    with pytest.raises(LoopXError) as caught:
        CapabilityCatalog([], [UNITS]).find(COUNTING.name)
    assert pair_of(caught.value) == "usage_error/capability"
    assert caught.value.detail == "'count' is none of: sample.one, sample.two"
