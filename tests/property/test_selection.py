"""``--fields`` keeps exactly what was asked for, and names what it does not know."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.pull_requests import pull_request
from loopx.domain.errors import LoopXError
from loopx.domain.pull_requests.data import PULL_REQUEST, to_data
from loopx.entrypoints.presentation.selection import Selection, value_at

DATA = to_data(pull_request())
TOP = [field.name for field in PULL_REQUEST.fields]
DEEP = [
    "author.login", "review.decision", "review.requested.name", "checks.counts.pass", "checks.failing.url",
    "merge_queue.position", "attention.reasons", "base.sha", "threads.unresolved",
]  # fmt: skip


def paths_in(value: object, above: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    if isinstance(value, dict) and value:
        return {path for name, part in value.items() for path in paths_in(part, (*above, name))}
    return {above}


@given(st.lists(st.sampled_from(TOP + DEEP), min_size=1, max_size=6))
def test_the_asked_fields_are_kept_with_their_values_and_nothing_else(asked: list[str]) -> None:
    selection = Selection.read(",".join(asked), PULL_REQUEST)
    kept = selection.keep(DATA)
    for path in selection.paths:
        assert value_at(kept, path) == value_at(DATA, path)
    for path in paths_in(kept):
        assert any(path[: len(one)] == one or one[: len(path)] == path for one in selection.paths)


@given(st.permutations(TOP[:6]))
def test_fields_come_in_the_order_in_which_they_were_asked_for(order: list[str]) -> None:
    assert list(Selection.read(",".join(order), PULL_REQUEST).keep(DATA)) == order


@given(st.text(max_size=20))
def test_whatever_is_asked_for_is_known_or_refused(text: str) -> None:
    try:
        selection = Selection.read(text, PULL_REQUEST)
    except LoopXError as error:
        refused = (error.code, error.reason, bool(error.hint))
        assert refused == ("usage_error", "parameter", True)
    else:
        assert selection.keep(DATA)


@pytest.mark.parametrize(
    ("asked", "near"), [("titel", "title"), ("review.decison", "review.decision"), ("sha", "base.sha")]
)
def test_near_names_are_told(asked: str, near: str) -> None:
    with pytest.raises(LoopXError) as caught:
        Selection.read(asked, PULL_REQUEST)
    assert near in caught.value.hint


def test_a_whole_field_counts_over_a_part_of_it_in_either_order() -> None:
    for asked in ("review,review.decision", "review.decision,review"):
        assert Selection.read(asked, PULL_REQUEST).keep(DATA) == {"review": DATA["review"]}


def test_a_part_of_something_that_is_null_is_null() -> None:
    assert Selection.read("merge_queue.position", PULL_REQUEST).keep(DATA) == {"merge_queue": None}


def test_blanks_between_names_do_not_count() -> None:
    assert Selection.read("number, title", PULL_REQUEST).paths == (("number",), ("title",))
