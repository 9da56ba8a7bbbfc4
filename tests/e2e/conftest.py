"""Fixtures of the tests that install extensions."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.downloads import Downloads
from fakes.extension_bench import NAME, files_of
from fakes.registry_user import Person
from loopx.adapters.tarball.archive_writer import TarballWriter
from loopx.domain.archives.limits import DEFAULT_LIMITS


@pytest.fixture(scope="session")
def packed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("packed")
    for name, content in files_of("1.0.0").items():
        path = folder / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    target = folder / "quotes.tar.gz"
    asyncio.run(TarballWriter().pack(str(folder / "tree"), str(target), top=NAME, limits=DEFAULT_LIMITS))
    return target.read_bytes()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Downloads]:
    with Downloads(tmp_path_factory.mktemp("authority")) as downloads:
        yield downloads


@pytest.fixture
def person(tmp_path: Path, shared: Downloads) -> Person:
    shared.answers.clear()
    shared.asked.clear()
    return Person(tmp_path, shared)
