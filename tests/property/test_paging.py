"""A walk over pages ends, whatever a server answers."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopx.domain.errors import LoopXError
from loopx.domain.paging import PATIENCE, PageWalk

PAGES = st.tuples(st.booleans(), st.none() | st.sampled_from("abcdef"), st.integers(0, 2))


@given(st.lists(PAGES, max_size=30))
def test_no_page_is_asked_for_twice(pages: list[tuple[bool, str | None, int]]) -> None:
    walk, asked = PageWalk(), list[str | None]([None])
    with suppress(LoopXError):
        for has_next, cursor, fresh in pages:
            if not walk.move_on(has_next=has_next, cursor=cursor, fresh=fresh):
                break
            asked.append(walk.cursor)
    assert len(asked) == len(set(asked))


def test_pages_without_end_and_without_news_are_given_up() -> None:
    walk = PageWalk()
    for number in range(PATIENCE - 1):
        assert walk.move_on(has_next=True, cursor=str(number), fresh=0)
    with pytest.raises(LoopXError) as caught:
        walk.move_on(has_next=True, cursor="one more", fresh=0)
    assert (caught.value.code, caught.value.reason) == ("provider_pagination_error", "no_progress")


def test_an_empty_page_now_and_then_is_no_loop() -> None:
    walk = PageWalk()
    for number in range(20):
        assert walk.move_on(has_next=True, cursor=str(number), fresh=number % 2)


@pytest.mark.parametrize(("cursor", "reason"), [(None, "missing_cursor"), ("a", "cursor_loop")])
def test_a_page_that_cannot_be_asked_for_is_named(cursor: str | None, reason: str) -> None:
    walk = PageWalk("a")
    with pytest.raises(LoopXError) as caught:
        walk.move_on(has_next=True, cursor=cursor, fresh=1)
    assert caught.value.reason == reason
