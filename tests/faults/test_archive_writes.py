"""Every write of extraction and packing fails once: the error says where and why, and nothing is left."""

import asyncio
import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from fakes.tar_bytes import directory, file, targz
from loopx.adapters.tarball.archive_reader import TarballReader
from loopx.adapters.tarball.archive_writer import TarballWriter
from loopx.domain.archives.limits import DEFAULT_LIMITS
from loopx.domain.errors import LoopXError

TESTS = Path(__file__).resolve().parent.parent
ARCHIVE = targz(
    directory(b"top/"),
    file(b"top/a", os.urandom(10_000)),
    file(b"top/d/b", os.urandom(150_000)),
    file(b"top/d/e/c", os.urandom(5_000)),
)
OWN_MOUNTS = ["unshare", "--mount"]
CAN_MOUNT = (
    os.geteuid() == 0
    and subprocess.run([*OWN_MOUNTS, "true"], check=False, capture_output=True).returncode == 0
)

# Each list goes on until the deed succeeds, so that every step before has failed once.
FILE_SIZES = [
    {"limit": "FSIZE", "value": value} for value in (0, 1, 9_999, 10_000, 100_000, 149_999, 400_000)
]
INODES = [{"mount": f"size=1m,nr_inodes={number}"} for number in range(2, 9)]
PAGES = [{"mount": f"size={pages * 4}k"} for pages in (1, 2, 3, 4, 20, 39, 40, 41, 42, 100)]
DISKS = {"file size limit": FILE_SIZES} | ({"no inodes": INODES, "full disk": PAGES} if CAN_MOUNT else {})
WORDS = ("the disk is full", "the file would be larger than allowed", "the disk quota is used up")


def attempts(
    deed: str, source: Path, destination: Path, faults: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    mounts = OWN_MOUNTS if any("mount" in fault for fault in faults) else []
    program = subprocess.run(
        [*mounts, sys.executable, "-m", "fakes.failing_disk", deed, source, destination, json.dumps(faults)],
        env=os.environ | {"PYTHONPATH": str(TESTS)},
        check=True,
        capture_output=True,
    )
    return [json.loads(line) for line in program.stdout.splitlines()]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "archive.tar.gz"
    path.write_bytes(ARCHIVE)
    return path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "d").mkdir(parents=True)
    (root / "d" / "noise").write_bytes(os.urandom(150_000))
    return root


@pytest.fixture
def place(tmp_path: Path) -> Path:
    path = tmp_path / "place"
    path.mkdir()
    return path


@pytest.mark.parametrize("faults", DISKS.values(), ids=DISKS.keys())
def test_a_failing_extraction_leaves_nothing_and_says_where(
    archive: Path, place: Path, faults: list[Any]
) -> None:
    *failed, last = attempts("extract", archive, place, faults)
    assert len(failed) >= 4
    for outcome in failed:
        assert (outcome["error"], outcome["left"]) == ("state_error/unwritable", []), outcome
        assert outcome["detail"].startswith(f"{place}/top")
        assert outcome["detail"].endswith(WORDS)
    assert last["error"] is None
    assert len(last["left"]) == 6


@pytest.mark.parametrize("faults", DISKS.values(), ids=DISKS.keys())
def test_a_failing_pack_leaves_nothing_and_says_where(tree: Path, place: Path, faults: list[Any]) -> None:
    *failed, last = attempts("pack", tree, place, faults)
    assert failed or "nr_inodes" in str(faults)
    for outcome in failed:
        assert (outcome["error"], outcome["left"]) == ("state_error/unwritable", []), outcome
        assert outcome["detail"].startswith(f"{place}/packed.tar.gz: ")
        assert outcome["detail"].endswith(WORDS)
    assert (last["error"], last["left"]) == (None, ["packed.tar.gz"])


def test_running_out_of_descriptors_is_reported(archive: Path, place: Path) -> None:
    *failed, last = attempts("extract", archive, place, [{"limit": "NOFILE", "value": 1}])
    assert failed == []
    assert last["error"] == "state_error/unwritable"
    assert last["detail"].endswith("too many files are open")


def test_a_place_that_cannot_be_written_is_reported(archive: Path, place: Path) -> None:
    if CAN_MOUNT:
        (outcome,) = attempts("extract", archive, place, [{"mount": "size=1m", "read_only": True}])
        words = "the file system is read-only"
    else:
        place.chmod(0o500)
        (outcome,) = attempts("extract", archive, place, [{}])
        words = "permission denied"
    assert (outcome["error"], outcome["left"]) == ("state_error/unwritable", [])
    assert outcome["detail"] == f"{place}/top: {words}"


@pytest.mark.parametrize("kind", ["file", "link", "missing"])
def test_a_place_that_is_no_directory_is_refused(place: Path, kind: str, tmp_path: Path) -> None:
    target = tmp_path / kind
    if kind == "file":
        target.write_text("mine")
    if kind == "link":
        target.symlink_to(place)
    with pytest.raises(LoopXError, match="state_error/unwritable"):
        asyncio.run(TarballReader().extract(io.BytesIO(ARCHIVE), str(target), DEFAULT_LIMITS))
    assert list(place.iterdir()) == []


def test_a_failing_pack_leaves_the_older_archive(tree: Path, place: Path) -> None:
    older = place / "packed.tar.gz"
    older.write_bytes(b"older")
    (outcome,) = attempts("pack", tree, place, [{"limit": "FSIZE", "value": 100}])
    assert (outcome["error"], outcome["left"]) == ("state_error/unwritable", ["packed.tar.gz"])
    assert older.read_bytes() == b"older"


@pytest.mark.parametrize("target", ["missing/packed.tar.gz", "place", "d" * 300])
def test_a_target_that_cannot_be_written_is_reported(
    tree: Path, place: Path, target: str, tmp_path: Path
) -> None:
    with pytest.raises(LoopXError, match="state_error/unwritable") as caught:
        asyncio.run(TarballWriter().pack(str(tree), str(tmp_path / target), top="top", limits=DEFAULT_LIMITS))
    assert caught.value.detail.startswith(f"{tmp_path / target}: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["place", "tree"]


def names_in(place: Path) -> list[str]:
    return [path.name for path in place.iterdir()]


class SlowSource(io.BytesIO):
    """Stops in the middle of its second reading until it is told to go on."""

    def __init__(self) -> None:
        super().__init__(ARCHIVE)
        self.readings = 0
        self.is_reading = threading.Event()
        self.may_go_on = threading.Event()

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self.readings += 1
        return super().seek(offset, whence)

    def read(self, size: int | None = -1, /) -> bytes:
        if self.readings == 2 and self.tell():
            self.is_reading.set()
            assert self.may_go_on.wait(30)
        return super().read(size)


def test_a_cancelled_extraction_has_ended_and_left_nothing_when_its_caller_goes_on(place: Path) -> None:
    source = SlowSource()

    async def cancel() -> None:
        work = asyncio.create_task(TarballReader().extract(source, str(place), DEFAULT_LIMITS))
        await asyncio.to_thread(source.is_reading.wait, 30)
        assert names_in(place) == ["top"]
        work.cancel()
        asyncio.get_running_loop().call_later(0.05, source.may_go_on.set)
        with pytest.raises(asyncio.CancelledError):
            await work
        assert names_in(place) == []

    asyncio.run(cancel())
