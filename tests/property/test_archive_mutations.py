"""Whatever is done to an archive: it is extracted below its place, or refused with a code."""

import asyncio
import io
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.tar_bytes import BLOCK, END, FIELDS, GNU, directory, file, gz, octal, pax, seal
from loopx.adapters.tarball.archive_reader import TarballReader
from loopx.domain.archives.limits import DEFAULT_LIMITS
from loopx.domain.errors import LoopXError

BASE = b"".join(
    (
        pax(b"g", comment=b"c" * 40),
        directory(b"top/"),
        file(b"top/run", b"#!/bin/sh\n", mode=octal(0o755, 8)),
        directory(b"top/a/"),
        pax(path="top/a/café".encode(), mtime=b"1.5"),
        file(b"top/a/cafe", b"x" * 600),
        file(b"b.txt", b"", prefix=b"top/a"),
        END,
    )
)
TOP, RUN, PAX, CAFE, B = (
    BASE.index(name) for name in (b"top/\0", b"top/run", b"PaxHeader", b"top/a/cafe\0", b"b.txt")
)
HEADERS = st.sampled_from([0, TOP, RUN, PAX, CAFE, B])
NAMES = [b"", b"..", b"../outside/x", b"/tmp/x", b"top", b"top/run", b"top/a", b"Top/a/x", b"\xff" * 8]
OTHERS = [b"1", b"2", b"5", b"L", b"S", b"0000001\0", b"7777777\0", b"-1", GNU, bytes(12)]
HOSTILE = st.sampled_from(NAMES + OTHERS)
Mutation = Callable[[bytes], bytes]


def flip(bit: int) -> Mutation:
    return lambda data: (
        data[: bit // 8 % len(data)]
        + bytes([data[bit // 8 % len(data)] ^ 1 << bit % 8])
        + data[bit // 8 % len(data) + 1 :]
    )


def put(at: int, field: str, value: bytes, sealed: bool) -> Mutation:
    start, width = FIELDS[field]

    def mutate(data: bytes) -> bytes:
        block = bytearray(data[at : at + BLOCK].ljust(BLOCK, b"\0"))
        block[start : start + width] = value[:width].ljust(width, b"\0")
        return data[:at] + (seal(bytes(block)) if sealed else bytes(block)) + data[at + BLOCK :]

    return mutate


def splice(start: int, end: int, at: int) -> Mutation:
    """Some blocks once more, at another place."""
    return lambda data: data[: at * BLOCK] + data[start * BLOCK : end * BLOCK] + data[at * BLOCK :]


def drop(start: int, size: int) -> Mutation:
    return lambda data: data[:start] + data[start + size :]


BLOCKS = st.integers(0, len(BASE) // BLOCK)
OF_TAR = st.one_of(
    st.builds(flip, st.integers(0, len(BASE) * 8)),
    st.builds(
        put, HEADERS, st.sampled_from(sorted(FIELDS)), HOSTILE | st.binary(max_size=12), st.just(value=True)
    ),
    st.builds(put, HEADERS, st.sampled_from(sorted(FIELDS)), HOSTILE, st.booleans()),
    st.builds(splice, BLOCKS, BLOCKS, BLOCKS),
    st.builds(drop, st.integers(0, len(BASE)), st.sampled_from([1, BLOCK, 2 * BLOCK, len(BASE)])),
    st.builds(lambda extra: lambda data: data + extra, st.sampled_from([BASE, bytes(100), b"garbage"])),
)
OF_GZIP = st.one_of(
    st.builds(flip, st.integers(0, 10_000)),
    st.builds(drop, st.integers(0, 400), st.integers(1, 400)),
    st.builds(lambda extra: lambda data: data + extra, st.sampled_from([gz(BASE), bytes(600), b"garbage"])),
)


def apply(mutations: list[Mutation], data: bytes) -> bytes:
    for mutation in mutations:
        data = mutation(data) or b"\0"
    return data


def extract(archive: bytes, staging: Path) -> bool:
    """Whether it was extracted; nothing but a coded refusal counts otherwise."""
    try:
        summary = asyncio.run(TarballReader().extract(io.BytesIO(archive), str(staging), DEFAULT_LIMITS))
    except LoopXError as error:
        return error.code != "archive_error"
    kinds = [path.is_dir() for path in staging.rglob("*")]
    assert (kinds.count(False), kinds.count(True)) == (summary.files, summary.directories)
    return True


def contents(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def as_tarfile_reads(archive: bytes) -> dict[str, bytes | None]:
    found = dict[str, bytes | None]()
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        for member in tar:
            name = member.name.removeprefix("./")
            content = tar.extractfile(member)
            found |= {"/".join(name.split("/")[:depth]): None for depth in range(1, name.count("/") + 1)}
            found[name] = content.read() if content else None
    found.pop(".", None)
    return found


@settings(max_examples=5 * settings().max_examples)
@given(st.lists(OF_TAR, max_size=3), st.lists(OF_GZIP, max_size=1))
def test_a_mutated_archive_is_refused_or_stays_in_its_place(
    of_tar: list[Mutation], of_gzip: list[Mutation]
) -> None:
    archive = apply(of_gzip, gz(apply(of_tar, BASE)))
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder)
        (world / "outside").mkdir()
        (world / "outside" / "x").write_text("kept")
        staging = world / "staging"
        staging.mkdir()
        extracted = extract(archive, staging)
        found = contents(staging)
        assert extracted is bool(found)
        assert contents(world / "outside") == {"x": b"kept"}
        assert {path.name for path in world.iterdir()} == {"outside", "staging"}
    # What is accepted means the same to a tool that is far less strict.
    if extracted:
        assert found == as_tarfile_reads(archive)


@given(st.lists(st.builds(flip, st.integers(0, 10_000)), min_size=1, max_size=3))
def test_no_flipped_bits_of_the_file_change_what_is_extracted(flips: list[Mutation]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        if extract(apply(flips, gz(BASE)), Path(folder)):
            assert contents(Path(folder)) == as_tarfile_reads(gz(BASE))


@given(st.integers(0, len(gz(BASE)) - 1))
def test_no_part_of_an_archive_is_taken_for_the_whole(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert not extract(gz(BASE)[:size], Path(folder))
