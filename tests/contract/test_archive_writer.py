"""What everything that packs archives promises, on disk and in memory."""

import asyncio
import io
import platform
import tarfile
import zlib
from hashlib import sha256
from pathlib import Path

import pytest

from fakes.archive_yards import Content, DiskYard, MemoryYard, Yard
from loopx.adapters.memory.archives import MemoryFile
from loopx.domain.archives.limits import DEFAULT_LIMITS, ArchiveLimits
from loopx.domain.archives.member import ArchiveSummary
from loopx.domain.errors import LoopXError

TREE: Content = {
    "extension.toml": MemoryFile(b'id = "finance-probe"\n'),
    "finance_probe": None,
    "finance_probe/__init__.py": MemoryFile(b""),
    "finance_probe/probe.py": MemoryFile(b"value = 1\n" * 1000),
    "finance_probe/data": None,
    "bin/start": MemoryFile(b"#!/bin/sh\n", is_executable=True),
    "finance_probe.txt": MemoryFile(
        b"sorts between a directory and its content, were paths compared as text"
    ),
    "d" * 90 + "/" + "e" * 90 + "/" + "f" * 90: MemoryFile(b"too long for one header field"),
    "caf\u00e9/\u65e5\u672c\u8a9e.txt": MemoryFile("日本語".encode()),
}
RUBBISH: Content = {
    "__pycache__/probe.cpython-311.pyc": MemoryFile(b"compiled"),
    "finance_probe/__pycache__/deep/x.pyc": MemoryFile(b"compiled"),
    ".git/config": MemoryFile(b"[core]"),
    "finance_probe/.DS_Store": MemoryFile(b"icons"),
}
# Renewing these means that every archive that was ever packed would get another checksum.
TAR_SHA256 = "8fd3fb3c292b5426a02c40e2e0420b694f333233e0e1086f9cd660413ce1791d"
GZIP_SHA256 = "0f4414474f3b93d97f9ab6af827a5df56a1a0df7af715a17f0609b702210b6cb"
IS_ORIGINAL_ZLIB = "ng" not in zlib.ZLIB_RUNTIME_VERSION and platform.machine() != "s390x"


@pytest.fixture(params=["disk", "memory"])
def yard(request: pytest.FixtureRequest, tmp_path: Path) -> Yard:
    return DiskYard(tmp_path) if request.param == "disk" else MemoryYard()


def pack(
    yard: Yard, tree: str, target: str, top: str = "finance-probe", limits: ArchiveLimits = DEFAULT_LIMITS
) -> ArchiveSummary:
    return asyncio.run(yard.writer.pack(tree, target, top=top, limits=limits))


def packed(yard: Yard, content: Content) -> bytes:
    target = yard.target()
    pack(yard, yard.plant(content), target)
    archive = yard.packed(target)
    assert archive is not None
    return archive


def refusal(yard: Yard, content: Content, top: str = "top", limits: ArchiveLimits = DEFAULT_LIMITS) -> str:
    target = yard.target()
    with pytest.raises(LoopXError) as caught:
        pack(yard, yard.plant(content), target, top, limits)
    assert yard.packed(target) is None
    return f"{caught.value.code}/{caught.value.reason}"


def with_parents(content: Content, top: str) -> Content:
    found: dict[str, MemoryFile | None] = {top: None}
    for name, file in content.items():
        parts = f"{top}/{name}".split("/")
        found |= {"/".join(parts[:depth]): None for depth in range(1, len(parts))}
        found["/".join(parts)] = file
    return found


def test_what_was_packed_comes_out_again(yard: Yard) -> None:
    archive = packed(yard, TREE)
    place = yard.plant({})
    asyncio.run(yard.reader.extract(io.BytesIO(archive), place, DEFAULT_LIMITS))
    assert yard.content(place) == with_parents(TREE, "finance-probe")


def test_the_summary_is_that_of_a_reader(yard: Yard) -> None:
    target = yard.target()
    summary = pack(yard, yard.plant(TREE), target)
    archive = yard.packed(target)
    assert archive is not None
    assert summary == asyncio.run(yard.reader.inspect(io.BytesIO(archive), DEFAULT_LIMITS))
    assert (summary.top, summary.files) == ("finance-probe", 7)
    assert (summary.archive_bytes, summary.sha256) == (len(archive), sha256(archive).hexdigest())


def test_the_order_of_a_directory_leaves_no_trace(yard: Yard) -> None:
    assert packed(yard, TREE) == packed(yard, dict(reversed(list(TREE.items()))))


def test_what_tools_leave_behind_leaves_no_trace(yard: Yard) -> None:
    assert packed(yard, {**TREE, **RUBBISH}) == packed(yard, TREE)


def test_disk_and_memory_pack_the_same_bytes(tmp_path: Path) -> None:
    assert packed(DiskYard(tmp_path), TREE) == packed(MemoryYard(), TREE)


def test_the_tar_inside_is_the_same_everywhere(yard: Yard) -> None:
    tar = zlib.decompress(packed(yard, TREE), wbits=31)
    assert sha256(tar).hexdigest() == TAR_SHA256


def test_the_archive_is_the_same_wherever_zlib_is_the_original(yard: Yard) -> None:
    digest = sha256(packed(yard, TREE)).hexdigest()
    assert digest == GZIP_SHA256 or not IS_ORIGINAL_ZLIB


def test_other_tools_read_it_without_a_word_on_owners_and_times(yard: Yard) -> None:
    with tarfile.open(fileobj=io.BytesIO(packed(yard, TREE))) as archive:
        members = archive.getmembers()
    assert {member.name for member in members} == with_parents(TREE, "finance-probe").keys()
    assert {(member.uid, member.gid, member.uname, member.gname, member.mtime) for member in members} == {
        (0, 0, "", "", 315_532_800)
    }
    assert {member.mode for member in members} == {0o644, 0o755}


def test_the_gzip_header_names_no_file_time_or_system(yard: Yard) -> None:
    assert packed(yard, TREE)[:10] == b"\x1f\x8b\x08\0\0\0\0\0\x02\xff"


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ({"a:b": MemoryFile(b"")}, "name"),
        ({"nul.py": MemoryFile(b"")}, "name"),
        ({"._a": MemoryFile(b"")}, "layout"),
        ({"Readme": MemoryFile(b""), "README": MemoryFile(b"")}, "collision"),
        ({"/".join("d" * 32): MemoryFile(b"")}, "depth"),
    ],
)
def test_what_a_reader_would_refuse_is_not_packed(yard: Yard, content: Content, wanted: str) -> None:
    assert refusal(yard, content) == f"archive_error/{wanted}"


@pytest.mark.parametrize("top", ["", ".", "..", "a/b", "/", "a:b", "nul", "a\nb"])
def test_the_top_must_be_a_usable_name(yard: Yard, top: str) -> None:
    assert refusal(yard, TREE, top).startswith("archive_error/")


@pytest.mark.parametrize(
    ("limits", "wanted"),
    [
        (ArchiveLimits(members=5), "too_many_members"),
        (ArchiveLimits(content_bytes=9_000), "too_large"),
        (ArchiveLimits(archive_bytes=500), "too_large"),
        (ArchiveLimits(ratio=2, ratio_from_bytes=1), "ratio"),
        (ArchiveLimits(component_bytes=20), "name"),
        (ArchiveLimits(metadata_bytes=20), "metadata_too_large"),
    ],
)
def test_a_limit_of_readers_is_one_of_writers(yard: Yard, limits: ArchiveLimits, wanted: str) -> None:
    assert refusal(yard, TREE, limits=limits) == f"archive_error/{wanted}"


def test_a_tree_that_does_not_exist_is_reported(yard: Yard) -> None:
    target = yard.target()
    with pytest.raises(LoopXError) as caught:
        pack(yard, yard.target(), target)
    assert (caught.value.code, caught.value.reason) == ("state_error", "unreadable")
    assert yard.packed(target) is None
