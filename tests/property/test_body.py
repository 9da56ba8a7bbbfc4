"""A body is read whole and true, or refused; never in part, never beyond its limits."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.outcomes import outcome_of, pair_of
from loopx.domain.errors import LoopXError
from loopx.domain.http.body import EXCERPT_SOURCE, BodyReader, has_body, read_start
from loopx.domain.http.message import Headers, Limits

GZIP = Headers((("Content-Encoding", "gzip"),))
CHUNKS = st.lists(st.integers(1, 50), max_size=30)
BODIES = st.binary(max_size=2000) | st.binary(min_size=1, max_size=3).map(lambda piece: piece * 3000)


def cut(data: bytes, sizes: list[int]) -> list[bytes]:
    pieces = []
    for size in sizes:
        pieces.append(data[:size])
        data = data[size:]
    return [*pieces, data]


def read(pieces: list[bytes], headers: Headers = GZIP, limits: Limits | None = None) -> bytes:
    reader = BodyReader(headers, limits or Limits())
    for piece in pieces:
        reader.feed(piece)
    return reader.finish()


def reason(pieces: list[bytes], headers: Headers = GZIP, limits: Limits | None = None) -> str:
    return pair_of(outcome_of(read, pieces, headers, limits)) or "read"


@given(st.lists(BODIES, min_size=1, max_size=3), CHUNKS)
def test_gzip_is_undone_however_it_is_cut_and_in_any_number_of_members(
    bodies: list[bytes], sizes: list[int]
) -> None:
    packed = b"".join(gzip.compress(body) for body in bodies)
    assert read(cut(packed, sizes)) == b"".join(bodies)


@given(BODIES, CHUNKS)
def test_an_uncompressed_body_is_kept_as_it_is(body: bytes, sizes: list[int]) -> None:
    assert read(cut(body, sizes), Headers()) == body


@given(BODIES, st.integers(1, 5000), CHUNKS)
def test_a_cut_gzip_body_is_no_body(body: bytes, missing: int, sizes: list[int]) -> None:
    packed = gzip.compress(body)
    start = packed[: max(len(packed) - missing, 1)]
    assert reason(cut(start, sizes)) == "provider_response_invalid/encoding"


@given(BODIES, st.binary(min_size=1, max_size=20), CHUNKS)
def test_junk_behind_gzip_is_refused(body: bytes, junk: bytes, sizes: list[int]) -> None:
    packed = gzip.compress(body) + b"\0" + junk
    assert reason(cut(packed, sizes)) == "provider_response_invalid/encoding"


@given(BODIES, st.integers(0, 10_000), st.integers(1, 255))
def test_a_changed_bit_is_never_taken_for_the_body(body: bytes, place: int, change: int) -> None:
    packed = bytearray(gzip.compress(body, mtime=0))
    packed[place % len(packed)] ^= change
    outcome = outcome_of(read, [bytes(packed)])
    # Time, name or system in the header do not matter.
    assert outcome == body or pair_of(outcome) == "provider_response_invalid/encoding"


@given(st.binary(max_size=300), CHUNKS)
def test_any_bytes_are_read_or_refused(data: bytes, sizes: list[int]) -> None:
    outcome = outcome_of(read, cut(data, sizes))
    assert isinstance(outcome, bytes) or outcome.reason == "encoding"


@given(st.integers(0, 3000), st.integers(1, 2500), CHUNKS)
def test_no_limit_is_passed_by_a_byte(size: int, allowed: int, sizes: list[int]) -> None:
    limits = Limits(wire=allowed)
    pieces = cut(b"x" * size, sizes)
    if size <= allowed:
        assert len(read(pieces, Headers(), limits)) == size
    else:
        assert reason(pieces, Headers(), limits) == "provider_response_too_large/wire"


@given(st.integers(0, 3000), st.integers(1, 2500), CHUNKS)
def test_no_decoded_limit_is_passed_by_a_byte(size: int, allowed: int, sizes: list[int]) -> None:
    limits = Limits(decoded=allowed)
    pieces = cut(gzip.compress(b"x" * size), sizes)
    if size <= allowed:
        assert len(read(pieces, GZIP, limits)) == size
    else:
        assert reason(pieces, GZIP, limits) == "provider_response_too_large/decoded"


def test_a_bomb_is_refused_by_its_ratio_long_before_it_is_unpacked() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    bomb = b"".join(packer.compress(bytes(1024 * 1024)) for _ in range(60)) + packer.flush()
    assert len(bomb) < 100_000
    assert reason([bomb]) == "provider_response_too_large/ratio"


def test_a_well_packed_but_small_body_is_no_bomb() -> None:
    body = bytes(512 * 1024)
    assert read([gzip.compress(body)]) == body


@pytest.mark.parametrize(
    "coding", ["br", "zstd", "deflate", "gzip, gzip", "compress", "gzip, br", "*", "gzipp"]
)
def test_a_compression_nobody_asked_for_is_refused(coding: str) -> None:
    headers = Headers((("Content-Encoding", coding),))
    assert reason([b""], headers) == "provider_response_invalid/encoding"


@pytest.mark.parametrize("coding", ["GZIP", " x-gzip ", "identity, gzip", "gzip,"])
def test_gzip_is_known_under_all_its_names(coding: str) -> None:
    headers = Headers((("content-encoding", coding),))
    assert read([gzip.compress(b"text")], headers) == b"text"


def test_an_empty_body_needs_no_compression() -> None:
    assert read([b""]) == b""


@pytest.mark.parametrize(
    ("announced", "refused"),
    [
        ("11", True),
        (" 11 ", True),
        ("10", False),
        (None, False),
        ("x", False),
        ("-1", False),
        ("9" * 5000, True),
    ],
)
def test_an_announced_length_is_judged_before_the_first_byte(announced: str | None, refused: bool) -> None:
    reader = BodyReader(Headers(), Limits(wire=10))
    if refused:
        with pytest.raises(LoopXError, match="provider_response_too_large/wire"):
            reader.expect(announced)
    else:
        reader.expect(announced)


@given(st.binary(max_size=200), st.sampled_from(["gzip", "br", ""]))
def test_the_start_of_an_explanation_is_never_an_error(start: bytes, coding: str) -> None:
    assert isinstance(read_start(Headers((("Content-Encoding", coding),)), start), bytes)


def test_the_start_of_a_packed_explanation_is_unpacked_within_bounds() -> None:
    packed = gzip.compress(b"reason " * 100_000)
    assert read_start(GZIP, packed[: len(packed) // 2]).startswith(b"reason reason")
    assert len(read_start(GZIP, packed)) == EXCERPT_SOURCE


@pytest.mark.parametrize(
    ("method", "status", "expected"),
    [("GET", 200, True), ("HEAD", 200, False), ("GET", 204, False), ("GET", 304, False), ("GET", 101, False)],
)
def test_some_answers_have_no_body(method: str, status: int, expected: bool) -> None:
    assert has_body(method, status) is expected
