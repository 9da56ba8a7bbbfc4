"""Archives and the file system: permissions, links, times, descriptors."""

import asyncio
import gc
import io
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fakes.tar_bytes import directory, file, header, octal, targz
from loopx.adapters.tarball.archive_reader import TarballReader
from loopx.adapters.tarball.archive_writer import TarballWriter
from loopx.domain.archives.limits import DEFAULT_LIMITS
from loopx.domain.archives.member import ArchiveSummary
from loopx.domain.errors import LoopXError


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "inner").mkdir(parents=True)
    (root / "inner" / "module.py").write_text("value = 1\n")
    (root / "start").write_text("#!/bin/sh\n")
    (root / "start").chmod(0o755)
    return root


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def pack(tree: Path, target: Path) -> ArchiveSummary:
    return asyncio.run(TarballWriter().pack(str(tree), str(target), top="top", limits=DEFAULT_LIMITS))


def extract(archive: bytes, place: Path) -> ArchiveSummary:
    return asyncio.run(TarballReader().extract(io.BytesIO(archive), str(place), DEFAULT_LIMITS))


def mode(path: Path) -> int:
    return path.lstat().st_mode & 0o7777


def test_extracted_permissions_do_not_depend_on_the_umask(tmp_path: Path, umask: int) -> None:
    extract(
        targz(
            directory(b"top/", mode=octal(0o2777, 8)),
            header(b"top/plain", mode=octal(0o4600, 8)),
            header(b"top/a/program", mode=octal(0o6111, 8)),
        ),
        tmp_path,
    )
    found = {str(path.relative_to(tmp_path)): mode(path) for path in tmp_path.rglob("*")}
    assert found == {"top": 0o755, "top/plain": 0o644, "top/a": 0o755, "top/a/program": 0o755}


def test_extracted_files_are_as_new_as_their_extraction(tmp_path: Path) -> None:
    probe = tmp_path / "probe"
    probe.touch()
    place = tmp_path / "place"
    place.mkdir()
    extract(targz(file(b"top/a", mtime=octal(12345, 12))), place)
    assert (place / "top" / "a").stat().st_mtime_ns >= probe.stat().st_mtime_ns


def touch_everything(tree: Path) -> None:
    for path in tree.rglob("*"):
        os.utime(path, (1, 1))


def narrow_permissions(tree: Path) -> None:
    (tree / "inner" / "module.py").chmod(0o600)
    (tree / "start").chmod(0o700)
    (tree / "inner").chmod(0o700)


def link_hard(tree: Path) -> None:
    other = tree.parent / "other"
    (tree / "inner" / "module.py").rename(other)
    (tree / "inner" / "module.py").hardlink_to(other)


def make_anew(tree: Path) -> None:
    (tree / "inner" / "zz").touch()
    for path in (tree / "inner" / "module.py", tree / "start"):
        content, permissions = path.read_bytes(), mode(path)
        path.unlink()
        path.write_bytes(content)
        path.chmod(permissions)
    (tree / "inner" / "zz").unlink()


@pytest.mark.parametrize("change", [touch_everything, narrow_permissions, link_hard, make_anew])
def test_only_content_and_the_right_to_run_reach_the_archive(
    tree: Path, change: Callable[[Path], None]
) -> None:
    before = pack(tree, tree.parent / "before.tar.gz")
    change(tree)
    assert pack(tree, tree.parent / "after.tar.gz") == before


def test_an_archive_inside_the_tree_is_no_part_of_itself(tree: Path, tmp_path: Path) -> None:
    elsewhere = pack(tree, tmp_path / "packed.tar.gz")
    inside = [pack(tree, tree / "packed.tar.gz") for _ in range(3)]
    assert inside == [elsewhere] * 3
    assert sorted(path.name for path in tree.iterdir()) == ["inner", "packed.tar.gz", "start"]


def test_a_file_of_the_same_name_deeper_down_is_packed(tree: Path) -> None:
    (tree / "inner" / "packed.tar.gz").write_text("a fixture")
    assert pack(tree, tree / "packed.tar.gz").files == 3


def test_a_packed_archive_has_the_permissions_of_any_new_file(tree: Path, umask: int) -> None:
    target = tree.parent / "packed.tar.gz"
    pack(tree, target)
    assert mode(target) == 0o666 & ~umask


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path.symlink_to("module.py"), "a symbolic link"),
        (lambda path: path.symlink_to("/etc"), "a symbolic link"),
        (lambda path: path.symlink_to("nowhere"), "a symbolic link"),
        (os.mkfifo, "a named pipe"),
        (make_socket, "a socket or a device"),
    ],
    ids=["link", "link out", "dangling link", "pipe", "socket"],
)
def test_what_is_neither_file_nor_directory_is_not_packed(
    tree: Path, make: Callable[[Path], None], words: str
) -> None:
    make(tree / "inner" / "odd")
    with pytest.raises(LoopXError, match="archive_error/member_type") as caught:
        pack(tree, tree.parent / "packed.tar.gz")
    assert caught.value.detail == f"'top/inner/odd' is {words}"
    assert not (tree.parent / "packed.tar.gz").exists()


def test_a_name_that_is_not_unicode_is_not_packed(tree: Path) -> None:
    Path(os.fsdecode(bytes(tree) + b"/caf\xe9")).touch()
    with pytest.raises(LoopXError, match="archive_error/name"):
        pack(tree, tree.parent / "packed.tar.gz")


def test_a_tree_behind_a_link_is_packed(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tree)
    assert pack(tmp_path / "link", tmp_path / "a.tar.gz") == pack(tree, tmp_path / "b.tar.gz")


def test_a_file_that_grows_while_it_is_packed_is_noticed(tree: Path) -> None:
    target = tree.parent / "packed.tar.gz"
    growing = tree / "inner" / "log"
    growing.write_bytes(b"x" * (4 << 20))
    is_over = threading.Event()

    def grow() -> None:
        with growing.open("ab", buffering=0) as log:
            while not is_over.is_set():
                log.write(b"x" * 4096)

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        with pytest.raises(LoopXError, match="archive_error/changed"):
            pack(tree, target)
    finally:
        is_over.set()
        writer.join()
    assert not target.exists()


def open_files() -> int:
    gc.collect()  # what other tests left behind is none of ours
    return len(list(Path("/proc/self/fd").iterdir()))


def test_no_descriptor_stays_open(tree: Path, tmp_path: Path) -> None:
    target = tmp_path / "packed.tar.gz"
    before = open_files()
    for number in range(5):
        place = tmp_path / f"place {number}"
        place.mkdir()
        pack(tree, target)
        with pytest.raises(LoopXError):
            extract(target.read_bytes() + b"x", place)
        extract(target.read_bytes(), place)
        with pytest.raises(LoopXError):
            extract(target.read_bytes(), place)
        with pytest.raises(LoopXError):
            pack(tree, place)
    assert open_files() <= before


def test_thousands_of_files_in_no_order_are_extracted(tmp_path: Path) -> None:
    members = [file(b"top/%d/%d/%d" % (n % 7, n % 11, n), b"x" * (n % 900)) for n in range(3_000)]
    assert extract(targz(*members), tmp_path).files == 3_000
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 3_000
