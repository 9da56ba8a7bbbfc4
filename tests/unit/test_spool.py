"""The bounded memory of a run: nothing is lost to who reads, nothing is kept for ever."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopx.application.steps.spool import Spool
from loopx.domain.errors import LoopXError

LINE = b"0123456789"


def filled(lines: int, window: int = 100) -> Spool:
    spool = Spool(window)
    for _ in range(lines):
        spool.append(LINE)
    return spool


def test_a_reader_gets_every_line_from_its_place_on() -> None:
    spool = filled(3)
    reader = spool.attach(1)
    assert spool.take(reader, 1_000) == LINE * 2
    assert spool.take(reader, 1_000) == b""
    spool.append(b"more")
    assert spool.take(reader, 1_000) == b"more"


def test_pieces_are_of_whole_lines_and_about_as_large_as_wanted() -> None:
    spool = filled(5)
    reader = spool.attach(0)
    assert [len(spool.take(reader, 15)) for _ in range(4)] == [20, 20, 10, 0]


def test_the_writer_is_asked_to_pause_when_nobody_catches_up() -> None:
    assert filled(9).has_room
    spool = filled(10)
    room = [spool.has_room]
    reader = spool.attach(0)
    room.append(spool.has_room)
    spool.take(reader, 10)
    room.append(spool.has_room)
    assert room == [False, False, True]


def test_the_slowest_reader_sets_the_pace() -> None:
    spool = filled(10)
    slow, fast = spool.attach(0), spool.attach(0)
    spool.take(fast, 1_000)
    room = [spool.has_room]
    spool.detach(slow)
    room.append(spool.has_room)
    assert room == [False, True]


def test_lines_that_all_have_are_kept_for_a_while_and_then_dropped() -> None:
    spool = Spool(100)
    reader = spool.attach(0)
    for _ in range(50):
        spool.append(LINE)
        spool.take(reader, 1_000)
    assert (spool.first, spool.last) == (31, 50)
    with pytest.raises(LoopXError, match="gone/lines"):
        spool.attach(29)
    assert spool.take(spool.attach(30), 1_000) == LINE * 20


def test_lines_that_somebody_still_needs_are_never_dropped() -> None:
    spool = filled(50)
    late = spool.attach(0)
    spool.append(LINE)
    assert (spool.first, spool.take(late, 10_000)) == (1, LINE * 51)


def test_a_place_that_is_not_there_yet_is_refused() -> None:
    with pytest.raises(LoopXError, match="not_found/lines"):
        filled(3).attach(4)


STEPS = st.lists(
    st.tuples(st.just("write"), st.integers(0, 40))
    | st.tuples(st.just("take"), st.integers(0, 2))
    | st.tuples(st.just("attach"), st.integers(0, 60))
    | st.tuples(st.just("detach"), st.integers(0, 2)),
    max_size=60,
)


@given(STEPS)
def test_whatever_order_things_happen_in_no_reader_misses_or_repeats_a_line(
    steps: list[tuple[str, int]],
) -> None:
    spool = Spool(50)
    written: list[bytes] = []
    readers: list[tuple[object, int, bytearray]] = []
    for step, number in steps:
        if step == "write" and spool.has_room:
            written.append(f"{len(written)}{'x' * number}\n".encode())
            spool.append(written[-1])
        elif step == "attach" and spool.first - 1 <= number <= spool.last:
            readers.append((spool.attach(number), number, bytearray()))
        elif step == "take" and number < len(readers):
            reader, _, taken = readers[number]
            taken += spool.take(reader, 30)  # type: ignore[arg-type]  # an opaque position
        elif step == "detach" and number < len(readers):
            spool.detach(readers.pop(number)[0])  # type: ignore[arg-type]  # the same
        for _, start, taken in readers:
            assert b"".join(written[start:]).startswith(bytes(taken))
        # The window, as much again for who comes back, and the line that went over.
        assert sum(map(len, written[spool.first - 1 :])) <= 2 * 50 + 45
