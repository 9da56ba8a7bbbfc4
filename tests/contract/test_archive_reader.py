"""What everything that reads archives promises, on disk and in memory."""

import asyncio
import hashlib
import io
from pathlib import Path

import pytest

from fakes.archive_yards import Content, DiskYard, MemoryYard, Yard
from fakes.hostile_archives import framing, headers, kinds, places
from fakes.tar_bytes import directory, file, octal, targz
from loopx.adapters.memory.archives import MemoryFile
from loopx.application.ports.byte_source import ByteSource
from loopx.domain.archives.limits import DEFAULT_LIMITS, ArchiveLimits
from loopx.domain.archives.member import ArchiveSummary
from loopx.domain.errors import LoopXError

ARCHIVE = targz(
    directory(b"top/"),
    file(b"top/run", b"#!/bin/sh\n", mode=octal(0o755, 8)),
    file(b"top/a/b/deep", b"x" * 100_000),
    directory(b"top/empty/"),
    file(b"top/nothing", b""),
)
TREE: Content = {
    "top": None,
    "top/run": MemoryFile(b"#!/bin/sh\n", is_executable=True),
    "top/a": None,
    "top/a/b": None,
    "top/a/b/deep": MemoryFile(b"x" * 100_000),
    "top/empty": None,
    "top/nothing": MemoryFile(b""),
}
SUMMARY = ArchiveSummary(
    top="top",
    files=3,
    directories=4,
    content_bytes=100_010,
    archive_bytes=len(ARCHIVE),
    sha256=hashlib.sha256(ARCHIVE).hexdigest(),
)


class FailingSource:
    """A file on a disk that fails after so many reads."""

    def __init__(self, reads: int) -> None:
        self._reads = reads

    def seek(self, offset: int, /) -> int:
        return offset

    def read(self, size: int, /) -> bytes:
        if not self._reads:
            raise OSError(5, "Input/output error")
        self._reads -= 1
        return ARCHIVE[:20]


class ChangingSource:
    """A file that is another one each time it is read from the start."""

    def __init__(self, *contents: bytes) -> None:
        self._files = [io.BytesIO(content) for content in contents]
        self._reading = self._files[0]

    def seek(self, offset: int, /) -> int:
        self._reading = self._files.pop(0)
        return offset

    def read(self, size: int, /) -> bytes:
        return self._reading.read(size)


@pytest.fixture(params=["disk", "memory"])
def yard(request: pytest.FixtureRequest, tmp_path: Path) -> Yard:
    return DiskYard(tmp_path) if request.param == "disk" else MemoryYard()


def extract(
    yard: Yard, source: bytes | ByteSource, place: str, limits: ArchiveLimits = DEFAULT_LIMITS
) -> ArchiveSummary:
    opened = io.BytesIO(source) if isinstance(source, bytes) else source
    return asyncio.run(yard.reader.extract(opened, place, limits))


def refusal(
    yard: Yard, source: bytes | ByteSource, place: str, limits: ArchiveLimits = DEFAULT_LIMITS
) -> str:
    with pytest.raises(LoopXError) as caught:
        extract(yard, source, place, limits)
    shown = str(caught.value)
    assert shown.replace("…", "").isascii()
    assert shown.isprintable()
    assert len(shown) < 300
    return f"{caught.value.code}/{caught.value.reason}"


def test_extracts_everything_and_says_what_it_was(yard: Yard) -> None:
    place = yard.plant({})
    assert extract(yard, ARCHIVE, place) == SUMMARY
    assert yard.content(place) == TREE


def test_inspecting_says_the_same_as_extracting(yard: Yard) -> None:
    assert asyncio.run(yard.reader.inspect(io.BytesIO(ARCHIVE), DEFAULT_LIMITS)) == SUMMARY


def test_reads_from_the_start_whatever_was_read_before(yard: Yard) -> None:
    source = io.BytesIO(ARCHIVE)
    hashlib.file_digest(source, "sha256")
    assert extract(yard, source, yard.plant({})) == SUMMARY


def test_a_destination_that_is_not_empty_is_left_as_it_is(yard: Yard) -> None:
    before: Content = {"mine": MemoryFile(b"mine")}
    place = yard.plant(before)
    assert refusal(yard, ARCHIVE, place) == "state_error/unwritable"
    assert yard.content(place) == before


def test_a_destination_that_does_not_exist_is_not_made(yard: Yard) -> None:
    assert refusal(yard, ARCHIVE, yard.target()) == "state_error/unwritable"


def test_a_destination_can_be_used_after_a_refusal(yard: Yard) -> None:
    place = yard.plant({})
    assert refusal(yard, ARCHIVE + b"garbage", place) == "archive_error/trailing_data"
    assert yard.content(place) == {}
    assert extract(yard, ARCHIVE, place) == SUMMARY


def test_a_source_that_cannot_be_read_is_reported(yard: Yard) -> None:
    place = yard.plant({})
    for reads in (0, 1):
        assert refusal(yard, FailingSource(reads), place) == "state_error/unreadable"
    assert yard.content(place) == {}


@pytest.mark.parametrize(
    ("second", "wanted"),
    [
        (targz(file(b"top/other")), "archive_error/changed"),
        (b"<html>", "archive_error/format"),
        (ARCHIVE[:-4], "archive_error/truncated"),
    ],
    ids=["other archive", "page", "cut"],
)
def test_a_source_that_changes_after_it_was_checked_leaves_nothing(
    yard: Yard, second: bytes, wanted: str
) -> None:
    place = yard.plant({})
    assert refusal(yard, ChangingSource(ARCHIVE, second), place) == wanted
    assert yard.content(place) == {}


@pytest.mark.parametrize(
    ("limits", "wanted"),
    [
        (ArchiveLimits(archive_bytes=len(ARCHIVE) - 1), "too_large"),
        (ArchiveLimits(content_bytes=100_000), "too_large"),
        (ArchiveLimits(ratio=2, ratio_from_bytes=1), "ratio"),
        (ArchiveLimits(members=6), "too_many_members"),
        (ArchiveLimits(depth=3), "depth"),
        (ArchiveLimits(path_bytes=11), "name"),
        (ArchiveLimits(component_bytes=6), "name"),
    ],
)
def test_every_limit_is_kept(yard: Yard, limits: ArchiveLimits, wanted: str) -> None:
    assert refusal(yard, ARCHIVE, yard.plant({}), limits) == f"archive_error/{wanted}"


def test_an_archive_of_exactly_the_limits_is_extracted(yard: Yard) -> None:
    limits = ArchiveLimits(archive_bytes=len(ARCHIVE), members=7, depth=4, path_bytes=12, component_bytes=7)
    assert extract(yard, ARCHIVE, yard.plant({}), limits) == SUMMARY


def test_both_refuse_and_accept_the_same_archives() -> None:
    yard = MemoryYard()
    for case in (*places.CASES, *kinds.CASES, *headers.CASES, *framing.CASES):
        place = yard.plant({})
        if case.reason is not None:
            assert refusal(yard, case.build(), place) == f"archive_error/{case.reason}", case.name
            assert yard.content(place) == {}
        else:
            extract(yard, case.build(), place)
            wanted = {
                path: None if content is None else MemoryFile(content, path in case.executable)
                for path, content in case.tree.items()
            }
            assert yard.content(place) == wanted, case.name
