"""Disks that are full, limited, read-only or noexec: a coded error, and the old version in its place."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.disks import Disk, tiny_disk
from fakes.releases import pack
from fakes.update_bench import Bench
from fakes.update_child import UNWRITABLE, Order, Workshop, bench_at
from loopx.adapters.memory.machine import MemoryUpdatePlace
from loopx.domain.errors import LoopXError
from loopx.domain.updates.preflight import Place

FIRST = pack("0.1.0")
# What cannot be compressed, so that the archive is as large as the tree.
LARGE = pack("0.2.0", extra={"lib/noise": os.urandom(600_000)})
PLENTY = Place(path="/", owner=os.geteuid(), user=os.geteuid(), writable=True, free=10**12)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk | None]:
    with tiny_disk(tmp_path / "disk") as made:
        yield made


def hopeful(bench: Bench) -> Bench:
    """The same bench, believing that there is room: as when it is used up meanwhile."""
    bench.parts.place = MemoryUpdatePlace(PLENTY)
    return Bench(bench.parts)


def refusal(bench: Bench) -> str:
    with pytest.raises(LoopXError) as caught:
        bench.update(LARGE)
    return f"{caught.value.code}/{caught.value.reason}"


def assert_as_before(home: Path) -> None:
    bench = bench_at(home)
    assert [each.name for each in bench.versions()] == [FIRST.name]
    assert bench.current == FIRST.name
    assert bench.parts.journal.pending() is None
    assert list((home / "staging").iterdir()) == []


def test_too_little_room_is_told_beforehand(disk: Disk | None, tmp_path: Path) -> None:
    home = (disk.path if disk else tmp_path) / "home"
    bench = bench_at(home)
    bench.update(FIRST)
    if disk is None:  # no disk of its own: the same fact from the place
        bench.parts.place = MemoryUpdatePlace(replace(PLENTY, free=1_000_000))
        bench = Bench(bench.parts)
    assert refusal(bench) == "update_error/space"
    assert_as_before(home)


@pytest.mark.parametrize("leave", [4_096, 200_000, 620_000])
def test_a_disk_that_fills_up_meanwhile_changes_nothing(
    disk: Disk | None, tmp_path: Path, leave: int
) -> None:
    home = (disk.path if disk else tmp_path) / "home"
    bench = bench_at(home)
    bench.update(FIRST)
    if disk is None:  # the nearest thing that any user can have
        assert with_small_files(home, tmp_path, min(leave, 300_000)) == UNWRITABLE
    else:
        disk.fill(leave)
        assert refusal(hopeful(bench)) == "state_error/unwritable"
        (disk.path / "filler").unlink()
    bench_at(home).recover()
    assert_as_before(home)


@pytest.mark.parametrize("largest", [4_096, 200_000])
def test_a_file_that_would_become_too_large_changes_nothing(tmp_path: Path, largest: int) -> None:
    home = tmp_path / "home"
    bench_at(home).update(FIRST)
    assert with_small_files(home, tmp_path, largest) == UNWRITABLE
    assert_as_before(home)


def test_the_half_of_an_entry_that_found_room_is_taken_back(tmp_path: Path) -> None:
    home = tmp_path / "home"
    bench_at(home).update(FIRST)
    with Workshop() as workshop:
        order = Order(deed="fill_journal", home=str(home), largest_file=1_000)
        assert workshop.run(order) == UNWRITABLE
    bench_at(home).recover()
    assert_as_before(home)


def with_small_files(home: Path, folder: Path, largest: int) -> int:
    """How an update ends in a process that may write no larger file (EFBIG)."""
    archive = folder / "archive"
    archive.write_bytes(LARGE.content)
    order = Order(
        deed="update", home=str(home), archive=str(archive), sha256=LARGE.sha256, largest_file=largest
    )
    with Workshop() as workshop:
        return workshop.run(order)


def test_a_read_only_home_is_told_and_left_alone(disk: Disk | None, tmp_path: Path) -> None:
    home = (disk.path if disk else tmp_path) / "home"
    bench_at(home).update(FIRST)
    if disk is not None:
        disk.make_read_only()
    elif os.geteuid() == 0:
        pytest.skip("a root that may not mount anything is not kept from writing anywhere")
    else:
        home.chmod(0o500)
    bench = bench_at(home)
    assert refusal(bench) == "state_error/unwritable"
    assert bench.recover() is None
    assert_as_before(home)


def test_a_disk_on_which_nothing_can_be_run_is_told(disk: Disk | None, tmp_path: Path) -> None:
    home = (disk.path if disk else tmp_path) / "home"
    if disk is not None:
        disk.forbid_running()
    script = "echo 'loopx 0.1.0'" if disk else "exit 126"
    with pytest.raises(LoopXError) as caught:
        bench_at(home).update(pack("0.1.0", script=script))
    assert (caught.value.code, caught.value.reason) == ("update_error", "unhealthy")
    assert "exit code 126" in caught.value.detail
    assert bench_at(home).current is None


def test_a_home_behind_a_link_works_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "real home").mkdir()
    (tmp_path / "link").symlink_to("real home")
    bench = bench_at(tmp_path / "link")
    bench.update(FIRST)
    assert bench.current == FIRST.name
    assert (tmp_path / "real home" / "current" / "release.json").is_file()
