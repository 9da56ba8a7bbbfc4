"""What is packed comes out again, and only one archive comes from a tree."""

import asyncio
import io
import tarfile
import zlib

from hypothesis import given
from hypothesis import strategies as st

from loopx.adapters.memory.archives import MemoryArchives, MemoryFile, MemoryTree
from loopx.domain.archives.gzip_member import gunzip
from loopx.domain.archives.limits import DEFAULT_LIMITS, ArchiveLimits
from loopx.domain.archives.member import Member
from loopx.domain.archives.member_table import MemberTable
from loopx.domain.archives.names import check_component
from loopx.domain.archives.reading import inspect_archive
from loopx.domain.archives.writing import LEFT_OUT
from loopx.domain.errors import LoopXError

FILES = st.builds(MemoryFile, st.binary(max_size=2000), st.booleans())


def is_usable(name: str) -> bool:
    try:
        check_component(name, DEFAULT_LIMITS)
    except LoopXError:
        return False
    return name not in LEFT_OUT


NAMES = (
    st.sampled_from(
        [
            "a",
            "b",
            "módulo",
            "n" * 99,
            "n" * 100,
            "n" * 101,
            "x" * 154,
            "x" * 155,
            "x" * 156,
            "日本語",
            "y" * 255,
        ]
    )
    | st.text(st.characters(categories=["L", "N", "P", "S"], codec="utf-8"), min_size=1, max_size=40)
).filter(is_usable)
PATHS = st.lists(NAMES, min_size=1, max_size=4)


@st.composite
def trees(draw: st.DrawFn) -> MemoryTree:
    table, tree = MemberTable(DEFAULT_LIMITS), dict[str, MemoryFile | None]()
    for path in draw(st.lists(PATHS, max_size=6)):
        file = draw(FILES | st.none())
        try:
            table.admit(Member(path=("top", *path), is_directory=file is None))
        except LoopXError:
            break  # two names for one place: the tree ends before it
        tree |= dict.fromkeys("/".join(path[:depth]) for depth in range(1, len(path)))
        tree["/".join(path)] = file
    return tree


def pack(tree: MemoryTree) -> bytes:
    archives = MemoryArchives({"tree": tree})
    asyncio.run(archives.pack("tree", "packed", top="top", limits=DEFAULT_LIMITS))
    return archives.files["packed"]


@given(trees())
def test_what_was_packed_comes_out_again(tree: MemoryTree) -> None:
    archives = MemoryArchives({"place": {}})
    summary = asyncio.run(archives.extract(io.BytesIO(pack(tree)), "place", DEFAULT_LIMITS))
    assert archives.trees["place"] == {"top": None} | {f"top/{name}": file for name, file in tree.items()}
    assert summary.files == len([file for file in tree.values() if file])


@given(trees())
def test_the_order_in_which_a_tree_is_listed_does_not_matter(tree: MemoryTree) -> None:
    assert pack(dict(reversed(list(tree.items())))) == pack(tree) == pack(dict(sorted(tree.items())))


@given(trees())
def test_other_tools_read_the_same(tree: MemoryTree) -> None:
    with tarfile.open(fileobj=io.BytesIO(pack(tree))) as archive:
        found = {member.name: archive.extractfile(member) for member in archive}
        contents = {name: None if file is None else file.read() for name, file in found.items()}
    wanted = {f"top/{name}": None if file is None else file.content for name, file in tree.items()}
    assert contents == {"top": None} | wanted


@given(trees(), st.integers(1, 700))
def test_it_does_not_matter_how_the_bytes_arrive(tree: MemoryTree, size: int) -> None:
    archive = pack(tree)
    chunks = [archive[at : at + size] for at in range(0, len(archive), size)]
    assert inspect_archive(chunks, DEFAULT_LIMITS) == inspect_archive([archive], DEFAULT_LIMITS)


@given(st.binary(min_size=1, max_size=200_000) | st.integers(1, 300_000).map(bytes), st.integers(1, 70_000))
def test_unpacked_pieces_are_small_and_whole(content: bytes, size: int) -> None:
    packed = zlib.compress(content, wbits=31)
    chunks = [packed[at : at + size] for at in range(0, len(packed), size)]
    pieces = list(gunzip(chunks, ArchiveLimits(ratio=2000)))
    assert b"".join(pieces) == content
    assert {0 < len(piece) <= 1 << 16 for piece in pieces} == {True}
