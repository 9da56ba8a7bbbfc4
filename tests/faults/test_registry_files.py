"""Registry and approvals on disks and in states as users have them."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fakes.extension_bench import NAME, SITE, Bench, Site, archive_of, disk_bench, files_of
from fakes.outcomes import outcome_of, pair_of
from fakes.program import CHECKOUT, PATIENCE
from loopx.domain.errors import LoopXError

OWN_MOUNTS = ["unshare", "--mount"]
CAN_MOUNT = (
    os.geteuid() == 0
    and subprocess.run([*OWN_MOUNTS, "true"], check=False, capture_output=True).returncode == 0
)
ONE = archive_of(files_of("1.0.0"))
URL = f"{SITE}/one"

# Content, the reason, and what the error says besides the path.
DAMAGED: dict[str, tuple[bytes, str, str]] = {
    "empty": (b"", "corrupt", "line 1, column 1"),
    "truncated": (b'{\n  "schema": "loopx.registry/1",\n  "extens', "corrupt", "line 3, column 3"),
    "not UTF-8": (b'{\n "a": "\xff"}', "corrupt", "line 2, column 8"),
    "NUL bytes": (b"\0" * 4096, "corrupt", "line 1"),
    "a page": (b"<!doctype html>", "corrupt", "not JSON"),
    "a list": (b"[]", "corrupt", "no JSON object"),
    "merge conflict": (b'{\n<<<<<<< HEAD\n"schema": 1\n=======\n', "corrupt", "line 2, column 1"),
    "no schema": (b"{}", "corrupt", "schema"),
    "other schema": (b'{"schema": "loopx.audit/1"}', "corrupt", "schema"),
    "future schema": (b'{"schema": "%s/2"}', "newer_version", "/2"),
    "twice": (b'{"schema": "%s/1", "schema": "%s/1"}', "corrupt", "twice"),
}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    site = Site()
    site.offer("/one", ONE)
    return disk_bench(tmp_path, site)


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{CHECKOUT / 'src'}{os.pathsep}{CHECKOUT / 'tests'}"}


def run(*arguments: str, own: bool = False) -> str:
    """What another Python says to these arguments, perhaps with mounts of its own."""
    command = [*(OWN_MOUNTS if own else []), sys.executable, *arguments]
    return subprocess.run(
        command, env=environment(), timeout=PATIENCE, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def refusal(deed: Callable[[], object]) -> LoopXError:
    refused = outcome_of(deed)
    assert isinstance(refused, LoopXError)
    return refused


@pytest.mark.parametrize("name", DAMAGED)
def test_a_registry_that_cannot_be_read_is_named_and_never_overwritten(
    bench: Bench, tmp_path: Path, name: str
) -> None:
    content, reason, says = DAMAGED[name]
    content = content.replace(b"%s", b"loopx.registry")
    path = tmp_path / "project" / "registry.json"
    path.parent.mkdir()
    path.write_bytes(content)
    for deed in (bench.statuses, bench.install, bench.remove, bench.verify, lambda: bench.add(URL)):
        error = refusal(deed)
        assert (error.code, error.reason) == ("state_error", reason)
        assert str(path) in error.detail
        assert says in error.detail
        assert error.hint
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", DAMAGED)
def test_approvals_that_cannot_be_read_stop_everything_and_cost_no_tree(
    bench: Bench, tmp_path: Path, name: str
) -> None:
    bench.add(URL)
    bench.install()
    content, reason, says = DAMAGED[name]
    content = content.replace(b"%s", b"loopx.approvals")
    path = tmp_path / "data" / "approvals.json"
    good = path.read_bytes()
    path.write_bytes(content)
    for deed in (bench.statuses, bench.install, bench.remove, bench.verify, bench.versions):
        error = refusal(deed)
        assert (error.code, error.reason) == ("state_error", reason)
        assert str(path) in error.detail
        assert says in error.detail
    assert path.read_bytes() == content
    path.write_bytes(good)
    assert bench.versions() == {NAME: "1.0.0"}


def test_an_entry_that_is_wrong_is_named_by_its_path(bench: Bench, tmp_path: Path) -> None:
    bench.add(URL)
    path = tmp_path / "project" / "registry.json"
    for entry, says in (
        ({"url": 5}, "extensions.quotes.url is no text"),
        ({}, "extensions.quotes.url is missing"),
        ({"url": "http://a.example/x"}, "extensions.quotes"),
        ({"url": URL, "sha256": "abc"}, "it has 3 digits"),
        ({"url": URL, "next": {}}, "extensions.quotes.next.url is missing"),
        ([], "extensions.quotes is no object"),
    ):
        path.write_text(json.dumps({"schema": "loopx.registry/1", "extensions": {NAME: entry}}))
        assert says in refusal(bench.statuses).detail


def test_what_this_version_does_not_know_is_written_back(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "project" / "registry.json"
    path.parent.mkdir()
    entry = {"url": URL, "channel": "stable"}
    document = {"schema": "loopx.registry/1", "extensions": {"other": entry}, "owner": {"team": "ours"}}
    path.write_text(json.dumps(document))
    bench.add(URL)
    written = json.loads(path.read_text())
    assert written["extensions"]["other"] == entry
    assert written["owner"] == {"team": "ours"}


def test_permissions_and_a_link_are_kept(bench: Bench, tmp_path: Path) -> None:
    bench.add(URL)
    path, elsewhere = tmp_path / "project" / "registry.json", tmp_path / "versioned" / "registry.json"
    assert path.stat().st_mode & 0o077 == 0o044
    elsewhere.parent.mkdir()
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    elsewhere.chmod(0o640)
    bench.add(f"{SITE}/two", None, "other")
    assert path.is_symlink()
    assert elsewhere.stat().st_mode & 0o777 == 0o640
    assert set(json.loads(elsewhere.read_text())["extensions"]) == {NAME, "other"}


def test_a_link_that_leads_out_of_the_project_is_not_written_through(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "project" / "registry.json"
    path.parent.mkdir()
    with tempfile.TemporaryDirectory() as outside:
        target = Path(outside) / "anything"
        path.symlink_to(target)
        assert pair_of(outcome_of(lambda: bench.add(URL))) == "state_error/unwritable"
        assert not target.exists()


@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_what_is_no_file_holds_nothing_up(bench: Bench, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "project" / "registry.json"
    path.parent.mkdir()
    os.mkfifo(path) if kind == "pipe" else path.mkdir()
    assert pair_of(outcome_of(bench.statuses)) == "state_error/unreadable"


def test_a_registry_that_vanishes_is_an_empty_one(bench: Bench, tmp_path: Path) -> None:
    bench.add(URL)
    bench.install()
    (tmp_path / "project" / "registry.json").unlink()
    assert (bench.statuses(), bench.versions()) == ((), {})
    bench.add(URL)
    assert bench.versions() == {NAME: "1.0.0"}


def test_a_lock_of_a_process_that_was_killed_is_free(bench: Bench, tmp_path: Path) -> None:
    bench.add(URL)
    lock = tmp_path / "project" / ".registry.lock"
    holder = (
        "import fcntl, signal, sys\nfile = open(sys.argv[1])\nfcntl.flock(file, fcntl.LOCK_EX)\n"
        "print(flush=True)\nsignal.pause()"
    )
    with subprocess.Popen([sys.executable, "-c", holder, lock], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    bench.add(f"{SITE}/two", None, "other")
    assert len(bench.statuses()) == 2


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user can reach; those of pytest are private."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


# Everything is imported before rights are given up: the interpreter may lie where only root can read.
_UNPRIVILEGED = """
import asyncio, os, sys
from pathlib import Path
from fakes.extension_bench import Site, archive_of, disk_bench, files_of
from fakes.outcomes import outcome_of, pair_of
home = Path(sys.argv[1])
site = Site()
site.offer("/one", archive_of(files_of("1.0.0")))
bench = disk_bench(home, site)
asyncio.run(asyncio.to_thread(os.getpid))
"a".encode("idna")
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
for deed in (bench.statuses, bench.verify, bench.versions, bench.install, bench.remove,
             lambda: bench.add("https://extensions.example/two", None, "other")):
    print(pair_of(outcome_of(deed)))
"""


def test_a_home_that_cannot_be_written_can_still_be_read(open_folder: Path) -> None:
    site = Site()
    site.offer("/one", ONE)
    bench = disk_bench(open_folder, site)
    bench.add(URL)
    bench.install()
    bench.add(f"{SITE}/two", "d" * 64)
    before = {path: path.read_bytes() for path in open_folder.rglob("*") if path.is_file()}
    for path in (open_folder, *open_folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        said = run("-c", _UNPRIVILEGED, str(open_folder))
    finally:
        for path in (open_folder, *open_folder.rglob("*")):
            if path.is_dir():
                path.chmod(0o755)
    unwritable = ["state_error/unwritable"] * 3
    assert said.split() == ["None", "None", "None", *unwritable]
    assert {path: path.read_bytes() for path in before} == before


# Each list begins where nothing fits and ends where everything does.
FILE_SIZES = [
    {"limit": "FSIZE", "value": value} for value in (0, 100, 300, 1_000, 2_000, 20_000, 80_000, 1 << 30)
]
PAGES = [{"mount": f"size={pages * 4}k"} for pages in range(4, 100, 4)]
INODES = [{"mount": f"size=4m,nr_inodes={number}"} for number in range(4, 64, 3)]
DISKS = {"file size limit": FILE_SIZES} | ({"no inodes": INODES, "full disk": PAGES} if CAN_MOUNT else {})


@pytest.mark.parametrize("faults", DISKS.values(), ids=DISKS.keys())
def test_on_a_disk_that_is_too_small_the_old_stays_in_force(
    tmp_path: Path, faults: list[dict[str, object]]
) -> None:
    more = {f"data/{number}": os.urandom(9_000) for number in range(10)}
    (tmp_path / "one.tar.gz").write_bytes(ONE)
    (tmp_path / "two.tar.gz").write_bytes(archive_of(files_of("2.0.0", more=more)))
    home = tmp_path / "homes"
    home.mkdir()
    own = any("mount" in fault for fault in faults)
    said = run("-m", "fakes.doomed_install", str(home), "everything", json.dumps(faults), own=own)
    lives = [json.loads(line) for line in said.splitlines()]
    assert len(lives) == len(faults)
    for life in lives:
        (first, after_first), (second, after_second) = life["steps"]
        assert {first, second} <= {None, "state_error/unwritable"}
        assert after_first == ({NAME: "1.0.0"} if first is None else {})
        assert after_second == ({NAME: "2.0.0"} if second is None else after_first)
        assert life["left"] == []
    outcomes = {tuple(outcome for outcome, _ in life["steps"]) for life in lives}
    unwritable = "state_error/unwritable"
    assert {(unwritable, unwritable), (None, unwritable), (None, None)} <= outcomes


def test_eight_processes_lose_none_of_four_hundred_entries(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from fakes.extension_bench import Site, disk_bench\n"
        "bench = disk_bench(Path(sys.argv[1]), Site())\n"
        "for n in range(50): bench.add(f'https://extensions.example/{n}', None, f'{sys.argv[2]}-{n}')"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path), f"writer{number}"], env=environment())
        for number in range(8)
    ]
    reader = disk_bench(tmp_path, Site())
    sizes = [len(reader.statuses())]
    while any(writer.poll() is None for writer in writers):
        sizes.append(len(reader.statuses()))
    assert [writer.wait() for writer in writers] == [0] * 8
    assert sizes == sorted(sizes)
    names = {status.entry.name for status in reader.statuses()}
    assert names == {f"writer{number}-{n}" for number in range(8) for n in range(50)}
    assert len(names) == 400
