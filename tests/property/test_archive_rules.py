"""Every rule of an archive, alone."""

import re
import unicodedata
from collections.abc import Callable
from functools import partial
from pathlib import PurePosixPath, PureWindowsPath
from typing import Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fakes.tar_bytes import BLOCK, FIELDS, header, octal, record, seal
from loopx.domain.archives.formats import SNIFFED_BYTES, describe_bytes
from loopx.domain.archives.header import Dialect, read_header
from loopx.domain.archives.limits import DEFAULT_LIMITS, ArchiveLimits
from loopx.domain.archives.member import Member
from loopx.domain.archives.member_table import MemberTable
from loopx.domain.archives.names import check_component, fold, read_path
from loopx.domain.archives.pax import Extension, check_global, read_extension
from loopx.domain.archives.refusal import quoted
from loopx.domain.errors import LoopXError

TEXT = st.text(max_size=12)
ODD_TEXT = st.text(st.sampled_from("aA.:/\\ \x1b\u202e\u200b\u00e9e\u0301nul~"), max_size=12)


def refusal(work: Callable[..., object], *arguments: object) -> str | None:
    """Why it was refused; only a coded error counts."""
    try:
        work(*arguments)
    except LoopXError as error:
        return f"{error.code}/{error.reason}"
    return None


def is_refused(name: str) -> bool:
    found = refusal(check_component, name, DEFAULT_LIMITS)
    assert found in {None, "archive_error/name", "archive_error/layout"}
    return found is not None


@given(TEXT | ODD_TEXT)
def test_an_accepted_name_is_one_component_everywhere(name: str) -> None:
    if is_refused(name):
        return
    assert PureWindowsPath(name).parts == (name,) == PurePosixPath(name).parts
    assert PureWindowsPath(name).drive == ""
    assert all(unicodedata.category(letter) not in {"Cc", "Cs", "Zl", "Zp"} for letter in name)
    assert name == name.strip() not in {"", ".", ".."}
    assert len(name.encode()) <= DEFAULT_LIMITS.component_bytes


@given(st.from_regex(re.compile(r"[A-Za-z0-9_][A-Za-z0-9_+-]{0,20}(\.[a-z]{1,4})?"), fullmatch=True))
def test_a_plain_name_is_accepted_unless_windows_reserves_it(name: str) -> None:
    stem = name.partition(".")[0].upper()
    reserved = stem in {"CON", "PRN", "AUX", "NUL"} or re.fullmatch(r"(COM|LPT)[0-9]", stem) is not None
    assert is_refused(name) is reserved


@given(
    st.binary(max_size=40)
    | st.lists(st.sampled_from([b"..", b".", b"", b"a", b"b c", b"x" * 300])).map(b"/".join)
)
def test_an_accepted_path_stays_below_the_root(raw: bytes) -> None:
    for is_directory in (True, False):
        read = partial(read_path, is_directory=is_directory, limits=DEFAULT_LIMITS)
        reason = refusal(read, raw)
        if reason is None:
            path = read(raw)
            assert path or is_directory
            assert "/".join(path).encode() in {b"", raw.removesuffix(b"/").removeprefix(b"./")}
            assert not any(is_refused(part) for part in path)


@given(st.text(max_size=60), st.sampled_from(["NFC", "NFD"]))
def test_names_that_a_file_system_may_take_for_one_are_folded_into_one(
    name: str, form: Literal["NFC", "NFD"]
) -> None:
    assert fold(name) == fold(unicodedata.normalize(form, name)) == fold(fold(name))
    assert fold(name.casefold()) == fold(name)
    if name.isascii():
        assert fold(name.upper()) == fold(name.swapcase()) == fold(name)


NAMES = st.sampled_from(["a", "A", "b", "\u00e9", "e\u0301", "\u00df", "ss"])
MEMBERS = st.builds(
    lambda path, is_directory: Member(path=("top", *path), is_directory=is_directory),
    st.lists(NAMES, min_size=1, max_size=3),
    st.booleans(),
)


@given(st.lists(MEMBERS, max_size=8))
def test_what_is_admitted_is_a_tree_in_which_no_place_has_two_meanings(members: list[Member]) -> None:
    table, admitted = MemberTable(DEFAULT_LIMITS), list[Member]()
    for member in members:
        reason = refusal(table.admit, member)
        if reason is not None:
            assert reason == "archive_error/collision"
            break
        admitted.append(member)
    files = {member.path for member in admitted if not member.is_directory}
    folders = {member.path[:depth] for member in admitted for depth in range(1, len(member.path))}
    folders |= {member.path for member in admitted if member.is_directory}
    assert len({member.path for member in admitted}) == len(admitted)
    assert not files & folders
    everything = files | folders
    assert len({fold("/".join(path)) for path in everything}) == len(everything)
    assert (table.files, table.directories) == (len(files), len(folders))


@given(st.lists(MEMBERS, min_size=1, max_size=8, unique_by=lambda member: fold(member.name)))
def test_members_in_different_places_are_admitted(members: list[Member]) -> None:
    leaves = [
        Member(path=("top", *(f"{part}-{n}" for part in member.path))) for n, member in enumerate(members)
    ]
    table = MemberTable(DEFAULT_LIMITS)
    for leaf in leaves:
        table.admit(leaf)
    assert table.files == len(leaves)


@given(st.binary(min_size=BLOCK, max_size=BLOCK), st.booleans())
def test_a_header_of_noise_is_refused_or_means_something(noise: bytes, sealed: bool) -> None:
    block = seal(noise) if sealed else noise
    with pytest.raises(LoopXError) as caught:
        read_header(block)
    assert caught.value.code == "archive_error"


@given(
    st.binary(max_size=100).filter(lambda name: b"\0" not in name),
    st.binary(max_size=155).filter(lambda name: b"\0" not in name),
    st.integers(0, 0o77777777777),
    st.integers(0, 0o7777777),
    st.sampled_from([b"0", b"5", b"x", b"g"]),
)
def test_a_header_is_read_as_it_was_written(
    name: bytes, prefix: bytes, size: int, mode: int, kind: bytes
) -> None:
    found = read_header(header(name, prefix=prefix, size=size, mode=octal(mode, 8), type=kind))
    assert (found.size, found.mode, found.type, found.dialect) == (size, mode, kind, Dialect.POSIX)
    assert found.name == (prefix + b"/" + name if prefix else name)


@given(st.integers(0, BLOCK * 8 - 1))
def test_a_flipped_bit_is_noticed(bit: int) -> None:
    block = bytearray(header(b"top/a", size=10))
    block[bit // 8] ^= 1 << bit % 8
    if FIELDS["checksum"][0] <= bit // 8 < sum(FIELDS["checksum"]):
        # Some bytes behind its digits may say the same.
        assert refusal(read_header, bytes(block)) in {None, "archive_error/header"}
    else:
        assert refusal(read_header, bytes(block)) == "archive_error/header"


@given(st.binary(max_size=12))
@example(b"0000000010\0")
@example(b"\xff" * 12)
def test_a_size_is_digits_and_an_end_or_refused(field: bytes) -> None:
    block = header(b"a", size=field.ljust(12, b"\0"))
    if re.fullmatch(rb"[0-7]+[ \0]+", field.ljust(12, b"\0")):
        assert read_header(block).size == int(field.strip(b" \0"), 8)
    else:
        with pytest.raises(LoopXError, match="header"):
            read_header(block)


@given(
    st.binary(min_size=1, max_size=300).filter(lambda path: b"\0" not in path),
    st.integers(0, 10**18),
    st.permutations([b"path", b"size", b"mtime", b"SCHILY.xattr.user.x"]),
)
def test_extended_records_are_read_as_they_were_written(path: bytes, size: int, keys: list[bytes]) -> None:
    values = {b"path": path, b"size": b"%d" % size}
    data = b"".join(record(key, values.get(key, b"a=\n b")) for key in keys)
    assert read_extension(data) == Extension(path, size)


@given(
    st.binary(max_size=60)
    | st.lists(st.sampled_from([b"9 path=a\n", b"path", b"=", b"\n", b"10 ", b"6 a=b\n"])).map(b"".join)
)
def test_other_records_are_refused(data: bytes) -> None:
    is_path = re.fullmatch(rb"(9 path=a\n)", data)
    assert bool(refusal(read_extension, data)) is not bool(is_path)
    assert bool(refusal(check_global, data)) is bool(data)


@given(st.binary(max_size=2000))
def test_any_bytes_are_described(start: bytes) -> None:
    description = describe_bytes(start)
    assert description.isascii()
    assert description == describe_bytes(start[:SNIFFED_BYTES])


@given(st.text() | st.binary())
def test_any_name_can_be_quoted(name: str | bytes) -> None:
    shown = quoted(name).replace("…", "")
    assert shown.isascii()
    assert shown.isprintable()
    assert len(shown) <= 80


@pytest.mark.parametrize("field", ArchiveLimits.__dataclass_fields__)
@given(limit=st.integers(max_value=0))
def test_a_limit_of_nothing_is_a_mistake(field: str, limit: int) -> None:
    with pytest.raises(ValueError, match=field):
        ArchiveLimits(**{field: limit})
