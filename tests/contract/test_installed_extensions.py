"""What may run, and its code: the same promises in memory and over the approvals of a machine."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from fakes.extension_bench import NAME, Site, archive_of, files_of, memory_bench
from fakes.outcomes import pair_of
from loopx.adapters.memory.installed_extensions import MemoryInstalledExtensions
from loopx.application.ports.installed_extensions import InstalledExtensions
from loopx.application.steps.approved_extensions import ApprovedExtensions
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.code import ExtensionCode, digest_files
from loopx.domain.extensions.manifest_reader import read_manifest

FILES = files_of()


@dataclass(frozen=True, slots=True)
class Place:
    """Extensions of which one is installed, and how it is removed."""

    extensions: InstalledExtensions
    remove: Callable[[], object]


def in_memory() -> Place:
    code = ExtensionCode(read_manifest(FILES["extension.toml"]), FILES, digest_files(FILES))
    extensions = MemoryInstalledExtensions([code])
    return Place(extensions, lambda: extensions.remove(NAME))


def over_approvals() -> Place:
    site = Site()
    bench = memory_bench(site)
    bench.add(site.offer("/quotes.tar.gz", archive_of(FILES)))
    bench.install()
    return Place(ApprovedExtensions(records=bench.records), bench.remove)


@pytest.fixture(params=[in_memory, over_approvals], ids=["memory", "approvals"])
def place(request: pytest.FixtureRequest) -> Place:
    made: Place = request.param()
    return made


def test_what_is_installed_is_known_without_its_code(place: Place) -> None:
    (found,) = place.extensions.approved()
    assert found.manifest == read_manifest(FILES["extension.toml"])
    assert len(found.digest) == 64


def test_its_code_is_what_was_installed_under_the_same_digest(place: Place) -> None:
    (found,) = place.extensions.approved()
    code = asyncio.run(place.extensions.open(found))
    assert (code.manifest, code.digest) == (found.manifest, found.digest)
    assert code.files == FILES


def test_what_was_removed_cannot_be_opened_any_more(place: Place) -> None:
    (found,) = place.extensions.approved()
    place.remove()
    assert list(place.extensions.approved()) == []
    with pytest.raises(LoopXError) as caught:
        asyncio.run(place.extensions.open(found))
    assert pair_of(caught.value) == "registry_error/not_installed"


def test_other_bytes_than_those_that_were_found_are_not_given(place: Place) -> None:
    (found,) = place.extensions.approved()
    with pytest.raises(LoopXError) as caught:
        asyncio.run(place.extensions.open(replace(found, digest="0" * 64)))
    assert pair_of(caught.value) == "registry_error/not_installed"
