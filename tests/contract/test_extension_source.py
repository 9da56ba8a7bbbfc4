"""The folder of an author: what is read is what would be packed, and a new one is whole or not there."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from fakes.outcomes import pair_of
from loopx.adapters.memory.extension_source import MemoryExtensionSource
from loopx.adapters.tarball.archive_reader import TarballReader
from loopx.adapters.tarball.archive_writer import TarballWriter
from loopx.adapters.tarball.extension_source import FolderExtensionSource
from loopx.application.ports.extension_source import ExtensionSource
from loopx.domain.archives.limits import DEFAULT_LIMITS
from loopx.domain.errors import LoopXError

FILES = {"extension.toml": b"x", "a/b/c.py": b"1\n", "a/__init__.py": b"", "é.txt": b"\0\xff"}
LEFTOVERS = {"a/__pycache__/b.pyc": b"x", ".git/config": b"x", ".DS_Store": b"x"}

Put = Callable[[str, Mapping[str, bytes]], None]


@pytest.fixture(params=["memory", "folder"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[ExtensionSource, Put, str]:
    """A source, a way to put files there by other means, and the name of a folder that is not there."""
    if request.param == "memory":
        memory = MemoryExtensionSource()
        return memory, memory.folders.__setitem__, "new"

    def put(folder: str, files: Mapping[str, bytes]) -> None:
        for path, content in files.items():
            (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / path).write_bytes(content)

    return FolderExtensionSource(), put, str(tmp_path / "new")


def error_of(deed: object) -> LoopXError:
    with pytest.raises(LoopXError) as caught:
        asyncio.run(deed)  # type: ignore[arg-type]  # a coroutine of either method
    return caught.value


def test_what_was_created_is_read(place: tuple[ExtensionSource, Put, str]) -> None:
    source, _, folder = place
    asyncio.run(source.create(folder, FILES))
    assert asyncio.run(source.read(folder)) == FILES


def test_what_tools_leave_behind_is_not_read(place: tuple[ExtensionSource, Put, str]) -> None:
    source, put, folder = place
    put(folder, FILES | LEFTOVERS)
    assert asyncio.run(source.read(folder)) == FILES


def test_what_is_there_is_never_overwritten(place: tuple[ExtensionSource, Put, str]) -> None:
    source, put, folder = place
    put(folder, FILES)
    assert pair_of(error_of(source.create(folder, {"other": b""}))) == "extension_error/directory"
    assert asyncio.run(source.read(folder)) == FILES


def test_a_folder_that_is_not_there_cannot_be_read(place: tuple[ExtensionSource, Put, str]) -> None:
    source, _, folder = place
    error = error_of(source.read(folder))
    assert pair_of(error) == "state_error/unreadable"
    assert folder in error.detail


def test_a_new_folder_takes_the_place_of_an_empty_one_and_of_nothing_else(tmp_path: Path) -> None:
    source = FolderExtensionSource()
    (tmp_path / "empty").mkdir()
    asyncio.run(source.create(str(tmp_path / "empty"), FILES))
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("file", "link"):
        assert pair_of(error_of(source.create(str(tmp_path / name), FILES))) == "extension_error/directory"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "file", "link"]


def test_a_place_that_cannot_be_written_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    error = error_of(FolderExtensionSource().create(str(tmp_path / "missing" / "new"), FILES))
    assert pair_of(error) == "state_error/unwritable"
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_packed_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/passwd")
    assert pair_of(error_of(FolderExtensionSource().read(str(tmp_path)))) == "archive_error/member_type"


def test_the_files_that_are_read_are_those_of_the_archive(tmp_path: Path) -> None:
    source, folder, target = FolderExtensionSource(), tmp_path / "x", tmp_path / "x.tar.gz"
    asyncio.run(source.create(str(folder), FILES | LEFTOVERS))
    asyncio.run(TarballWriter().pack(str(folder), str(target), top="x", limits=DEFAULT_LIMITS))
    (tmp_path / "out").mkdir()
    with target.open("rb") as archive:
        asyncio.run(TarballReader().extract(archive, str(tmp_path / "out"), DEFAULT_LIMITS))
    unpacked = tmp_path / "out" / "x"
    found = {
        str(path.relative_to(unpacked)): path.read_bytes() for path in unpacked.rglob("*") if path.is_file()
    }
    assert found == asyncio.run(source.read(str(folder)))
