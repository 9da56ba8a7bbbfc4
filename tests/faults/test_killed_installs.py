"""kill -9 at chosen points: the old or the new is in force, and the next start leaves nothing behind."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.doomed_install import ADD_POINTS, INSTALL_POINTS, REMOVE_POINTS, site_of
from fakes.extension_bench import NAME, SITE, Bench, archive_of, disk_bench, files_of, leftovers, sha256_of
from fakes.program import CHECKOUT, PATIENCE
from loopx.domain.registry.status import State

# What does not compress, so that the archive is read in many pieces.
BULK = {f"data/{number}": random.Random(number).randbytes(60_000) for number in range(24)}  # noqa: S311 - no secret
ONE = archive_of(files_of("1.0.0", more=BULK))
TWO = archive_of(files_of("2.0.0", more=BULK))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "one.tar.gz").write_bytes(ONE)
    (tmp_path / "two.tar.gz").write_bytes(TWO)
    return tmp_path / "home with spaces"


def bench_of(home: Path) -> Bench:
    """What a new process finds."""
    return disk_bench(home, site_of(home.parent))


def attempt(home: Path, deed: str, point: str) -> int:
    """Let a process do the deed until it kills itself at the point."""
    path = f"{CHECKOUT / 'src'}{os.pathsep}{CHECKOUT / 'tests'}"
    command = [sys.executable, "-m", "fakes.doomed_install", str(home), deed, point]
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, env=environment, timeout=PATIENCE, check=False).returncode


def die(home: Path, deed: str, point: str) -> None:
    """The same, and it must have got that far."""
    assert attempt(home, deed, point) == -signal.SIGKILL


def test_without_a_point_the_installation_comes_to_its_end(home: Path) -> None:
    bench_of(home).add(f"{SITE}/one.tar.gz")
    assert attempt(home, "install", "nowhere") == 0
    assert bench_of(home).versions() == {NAME: "1.0.0"}


@pytest.mark.parametrize("point", INSTALL_POINTS)
def test_a_first_installation_that_is_killed_is_there_as_a_whole_or_not_at_all(
    home: Path, point: str
) -> None:
    bench_of(home).add(f"{SITE}/one.tar.gz")
    die(home, "install", point)
    approved = INSTALL_POINTS.index(point) >= INSTALL_POINTS.index("approved")
    assert bench_of(home).versions() == ({NAME: "1.0.0"} if approved else {})
    (status,) = bench_of(home).statuses()
    assert status.state is (State.INSTALLED if approved else State.NOT_INSTALLED)
    assert leftovers(home) == []
    bench_of(home).install()
    assert bench_of(home).versions() == {NAME: "1.0.0"}
    assert leftovers(home) == []


@pytest.mark.parametrize("point", INSTALL_POINTS)
def test_an_update_that_is_killed_leaves_the_old_or_the_new_in_force(home: Path, point: str) -> None:
    first = bench_of(home)
    first.add(f"{SITE}/one.tar.gz")
    first.install()
    first.add(f"{SITE}/two.tar.gz", sha256_of(TWO))
    die(home, "install", point)
    expected = "2.0.0" if point == "pinned" else "1.0.0"
    assert bench_of(home).versions() == {NAME: expected}
    assert [found.intact for found in bench_of(home).verify()] == [True]
    assert leftovers(home) == []
    bench_of(home).install()
    assert bench_of(home).versions() == {NAME: "2.0.0"}
    assert bench_of(home).statuses()[0].state is State.INSTALLED
    assert leftovers(home) == []


@pytest.mark.parametrize("point", REMOVE_POINTS)
def test_a_removal_that_is_killed_can_be_finished(home: Path, point: str) -> None:
    first = bench_of(home)
    first.add(f"{SITE}/one.tar.gz")
    first.install()
    die(home, "remove", point)
    assert bench_of(home).versions() == ({NAME: "1.0.0"} if point == "approving" else {})
    found = bench_of(home).statuses()
    assert leftovers(home) == []
    if found:
        bench_of(home).remove()
    assert bench_of(home).statuses() == ()
    assert not list((home / "data" / "extensions").iterdir())
    assert leftovers(home) == []


@pytest.mark.parametrize("point", ADD_POINTS)
def test_an_addition_that_is_killed_is_there_or_not(home: Path, point: str) -> None:
    first = bench_of(home)
    first.add(f"{SITE}/one.tar.gz")
    first.install()
    die(home, "two.tar.gz", point)
    (status,) = bench_of(home).statuses()
    assert status.state is (State.UPDATE_WAITING if point == "pinned" else State.INSTALLED)
    assert bench_of(home).versions() == {NAME: "1.0.0"}
    assert leftovers(home) == []


def test_a_file_that_was_half_written_is_swept_at_the_next_start(home: Path) -> None:
    bench_of(home).add(f"{SITE}/one.tar.gz")
    bench_of(home).install()
    (home / "project" / ".registry.json.0123456789ab.tmp").write_bytes(b'{"schema": "loopx.reg')
    (home / "data" / ".approvals.json.0123456789ab.tmp").write_bytes(b"")
    other = home / "project" / ".other.json.0123456789ab.tmp"
    other.write_bytes(b"not ours")
    assert bench_of(home).statuses()[0].state is State.INSTALLED
    assert leftovers(home) == [str(other.relative_to(home))]


def test_a_staging_area_of_a_living_process_is_left_alone(home: Path) -> None:
    bench = bench_of(home)
    with bench.store.stage() as area:
        area.archive.write(b"under way")
        bench_of(home).statuses()
        area.archive.seek(0)
        assert Path(area.tree).is_dir()
    assert not list((home / "data" / "staging").iterdir())
