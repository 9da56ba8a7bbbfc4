"""What everything promises that knows the machine."""

import re
from pathlib import Path

import pytest

from loopx.adapters.memory.machine import MemoryHostProbe
from loopx.adapters.process.host import SystemHost
from loopx.application.ports.host_probe import HostProbe
from loopx.domain.versions import Version


@pytest.fixture(params=["memory", "real"])
def probe(request: pytest.FixtureRequest) -> HostProbe:
    return MemoryHostProbe() if request.param == "memory" else SystemHost()


def test_the_interpreter_is_named_by_its_real_path_and_its_version(probe: HostProbe) -> None:
    host = probe.host()
    assert host.interpreter.startswith("/")
    assert host.interpreter == str(Path(host.interpreter).resolve()) or isinstance(probe, MemoryHostProbe)
    assert host.python >= Version.of("3.11.0")


def test_the_platform_is_one_word_and_the_same_each_time(probe: HostProbe) -> None:
    platform = probe.host().platform
    assert re.fullmatch(r"[a-z0-9_.-]+", platform)
    assert platform == probe.host().platform
