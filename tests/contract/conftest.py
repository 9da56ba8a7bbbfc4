"""Fixtures of the contract suites."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from fakes.authority import Authority
from fakes.borders import PUBLIC_HOST, Border, MemoryBorder, RealBorder


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.create(tmp_path_factory.mktemp("authority"), PUBLIC_HOST)


@pytest.fixture(params=["memory", "real"])
def border(request: pytest.FixtureRequest, authority: Authority) -> Iterator[Border]:
    if request.param == "memory":
        yield MemoryBorder()
        return
    with ExitStack() as stack:
        yield RealBorder(authority, stack)
