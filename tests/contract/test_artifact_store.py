"""What everything that stores extensions promises, on disk and in memory."""

import asyncio
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest

from fakes.outcomes import outcome_of, pair_of
from fakes.registry import A, B
from fakes.tar_bytes import directory, file, targz
from loopx.adapters.filesystem.artifact_store import FileArtifactStore
from loopx.adapters.filesystem.locks import FileLocks
from loopx.adapters.memory.archives import MemoryArchives, MemoryTree
from loopx.adapters.memory.artifact_store import MemoryArtifactStore
from loopx.adapters.tarball.archive_reader import TarballReader
from loopx.application.ports.archive_reader import ArchiveReader
from loopx.application.ports.artifact_store import ArtifactStore
from loopx.application.ports.staging import StagingArea
from loopx.domain.archives.limits import DEFAULT_LIMITS
from loopx.domain.registry.approvals import Artifact
from loopx.domain.registry.tree import Change, Difference, Tree

FILES = {"extension.toml": b"x", "pkg/__init__.py": b"", "pkg/deep/data.txt": b"y" * 5000}


class Shop(Protocol):
    """A store, what fills its staging areas, and a way to change what is stored behind its back."""

    @property
    def store(self) -> ArtifactStore: ...
    @property
    def archives(self) -> ArchiveReader: ...
    def tamper(self, sha256: str, files: Mapping[str, bytes | None]) -> None: ...


class MemoryShop:
    def __init__(self) -> None:
        trees: dict[str, MemoryTree] = {}
        self.archives = MemoryArchives(trees)
        self.store = MemoryArtifactStore(trees)

    def tamper(self, sha256: str, files: Mapping[str, bytes | None]) -> None:
        changed = {**self.store.stored[sha256].files, **files}
        self.store.stored[sha256] = Tree({name: data for name, data in changed.items() if data is not None})


class DiskShop:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.archives = TarballReader()
        self.store = FileArtifactStore(folder, locks=FileLocks(folder / "locks"))

    def tamper(self, sha256: str, files: Mapping[str, bytes | None]) -> None:
        for name, data in files.items():
            path = self._folder / "extensions" / sha256 / "content" / name
            if data is None:
                path.unlink()
            else:
                path.write_bytes(data)


@pytest.fixture(params=["memory", "real"])
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Shop:
    return MemoryShop() if request.param == "memory" else DiskShop(tmp_path / "data")


def artifact(tree: Tree, sha256: str = A) -> Artifact:
    return Artifact(sha256=sha256, size=1, tree=tree.digest)


async def fill(shop: Shop, area: StagingArea, files: Mapping[str, bytes] = FILES) -> Tree:
    members = [file(f"top/{name}".encode(), data) for name, data in files.items()]
    archive = io.BytesIO(targz(directory(b"top/"), *members))
    await shop.archives.extract(archive, area.tree, DEFAULT_LIMITS)
    return await shop.store.seal(area, "top")


async def store(shop: Shop, sha256: str = A, files: Mapping[str, bytes] = FILES) -> Artifact:
    with shop.store.stage() as area:
        tree = await fill(shop, area, files)
        stored = artifact(tree, sha256)
        await shop.store.commit(area, stored)
    return stored


def test_a_staging_area_takes_an_archive_and_gives_it_back(shop: Shop) -> None:
    with shop.store.stage() as area:
        area.archive.write(b"bytes")
        area.archive.seek(0)
        assert area.archive.read() == b"bytes"


def test_sealing_reads_every_file_below_the_top(shop: Shop) -> None:
    async def seal() -> Tree:
        with shop.store.stage() as area:
            return await fill(shop, area)

    assert asyncio.run(seal()).files == FILES


def test_what_was_committed_is_read_back_byte_for_byte(shop: Shop) -> None:
    stored = asyncio.run(store(shop))
    examination = asyncio.run(shop.store.examine(stored))
    assert examination.differences == ()
    assert examination.intact().files == FILES


def test_what_was_not_committed_is_gone(shop: Shop) -> None:
    async def abandon() -> Artifact:
        with shop.store.stage() as area:
            return artifact(await fill(shop, area))

    examination = asyncio.run(shop.store.examine(asyncio.run(abandon())))
    assert examination.differences == (Difference(".", Change.MISSING),)
    assert pair_of(outcome_of(examination.intact)) == "integrity_error/stored"


@pytest.mark.parametrize(("files", "differences"), [
    ({"pkg/__init__.py": b"import os"}, (Difference("pkg/__init__.py", Change.CHANGED),)),
    ({"pkg/deep/data.txt": None}, (Difference("pkg/deep/data.txt", Change.MISSING),)),
    ({"pkg/new.py": b""}, (Difference("pkg/new.py", Change.UNEXPECTED),)),
    ({"a": b"", "extension.toml": b""}, (
        Difference("a", Change.UNEXPECTED), Difference("extension.toml", Change.CHANGED))),
])  # fmt: skip
def test_every_file_that_was_changed_behind_its_back_is_named(
    shop: Shop, files: Mapping[str, bytes | None], differences: tuple[Difference, ...]
) -> None:
    stored = asyncio.run(store(shop))
    shop.tamper(A, files)
    examination = asyncio.run(shop.store.examine(stored))
    assert examination.differences == differences
    refused = outcome_of(examination.intact)
    assert pair_of(refused) == "integrity_error/stored"
    assert differences[0].path in str(refused)


def test_committing_again_keeps_what_is_intact_and_replaces_what_is_not(shop: Shop) -> None:
    stored = asyncio.run(store(shop))
    assert asyncio.run(store(shop)) == stored
    assert asyncio.run(shop.store.examine(stored)).differences == ()
    shop.tamper(A, {"extension.toml": b"changed"})
    asyncio.run(store(shop))
    assert asyncio.run(shop.store.examine(stored)).differences == ()


def test_collecting_removes_what_is_not_to_be_kept(shop: Shop) -> None:
    kept, dropped = asyncio.run(store(shop)), asyncio.run(store(shop, B))
    shop.store.collect(lambda: {A})
    assert asyncio.run(shop.store.examine(kept)).differences == ()
    assert asyncio.run(shop.store.examine(dropped)).differences == (Difference(".", Change.MISSING),)


def test_nothing_is_collected_while_somebody_stages(shop: Shop) -> None:
    stored = asyncio.run(store(shop))
    with shop.store.stage() as area:
        shop.store.collect(set)
        assert asyncio.run(shop.store.examine(stored)).differences == ()
        area.archive.write(b"the area is still there")
    shop.store.collect(set)
    assert asyncio.run(shop.store.examine(stored)).differences != ()
