"""After a crash at any moment the old or the new version is current, and settling twice is settling once."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from fakes.updates import NAMES, SEALS, founds
from loopx.domain.updates.collection import choose_garbage
from loopx.domain.updates.found import Found, Installed, Pointers
from loopx.domain.updates.journal import JournalEntry, Phase
from loopx.domain.updates.seal import BadMark
from loopx.domain.updates.settlement import INTERRUPTED, Settlement, settle

ENTRIES = st.builds(
    JournalEntry,
    phase=st.sampled_from(Phase),
    old=st.none() | st.sampled_from(NAMES),
    candidate=st.none() | st.sampled_from(NAMES),
    fresh=st.booleans(),
)


def apply(settlement: Settlement, found: Found, until: int = 5) -> Found:
    """The home after the first of the settlement's deeds."""
    deeds: list[Callable[[Found], Found]] = [
        lambda f: mark(f, settlement.bad),
        lambda f: point(f, settlement),
        lambda f: remember(f, settlement.previous),
        lambda f: discard(f, settlement.discard),
    ]
    for deed in deeds[:until]:
        found = deed(found)
    return found


def mark(found: Found, name: str | None) -> Found:
    return replace(found, bad={**found.bad, name: BadMark("0" * 64, "it failed")}) if name else found


def point(found: Found, settlement: Settlement) -> Found:
    current = None if settlement.unpoint else settlement.current or found.pointers.current
    return replace(found, pointers=replace(found.pointers, current=current))


def remember(found: Found, name: str | None) -> Found:
    return replace(found, pointers=replace(found.pointers, previous=name or found.pointers.previous))


def discard(found: Found, name: str | None) -> Found:
    return replace(found, installed=tuple(each for each in found.installed if each.name != name))


@given(ENTRIES, founds())
def test_the_pointer_leads_to_a_usable_version_or_there_is_none(entry: JournalEntry, found: Found) -> None:
    after = apply(settle(entry, found), found)
    if after.pointers.current is not None:
        assert after.usable(after.pointers.current)
    else:
        left = [each for each in found.installed if found.usable(each.name) and each.name != entry.candidate]
        assert left == []


@given(ENTRIES, founds())
def test_a_pointer_that_leads_somewhere_moves_only_back_from_a_failed_or_unchecked_candidate(
    entry: JournalEntry, found: Found
) -> None:
    settlement = settle(entry, found)
    at = found.pointers.current
    if found.usable(at) and settlement.changes_pointer:
        assert at == entry.candidate
        assert entry.phase is not Phase.CONFIRMED


@given(ENTRIES, founds(), st.integers(0, 5))
def test_a_crash_while_settling_changes_nothing_about_the_outcome(
    entry: JournalEntry, found: Found, until: int
) -> None:
    settlement = settle(entry, found)
    whole = apply(settlement, found)
    interrupted = apply(settlement, found, until)
    assert apply(settle(entry, interrupted), interrupted).pointers.current == whole.pointers.current
    assert settle(entry, whole).changes_pointer is False


@given(ENTRIES, founds())
def test_only_the_candidate_is_ever_marked_or_discarded(entry: JournalEntry, found: Found) -> None:
    settlement = settle(entry, found)
    assert {settlement.bad, settlement.discard} <= {None, entry.candidate}
    after = apply(settlement, found)
    assert settlement.discard is None or settlement.discard != after.pointers.current


@given(founds())
def test_without_an_update_a_home_in_order_is_left_alone(found: Found) -> None:
    if found.usable(found.pointers.current):
        assert settle(INTERRUPTED, found) == Settlement()


@given(founds(), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_a_switch_is_kept_once_it_is_confirmed_and_undone_before(
    found: Found, old: str, candidate: str
) -> None:
    found = replace(found, pointers=Pointers(candidate, found.pointers.previous))
    if found.usable(candidate):
        entry = JournalEntry(old=old).storing(candidate).switching(candidate)
        after = apply(settle(entry.confirmed(), found), found)
        assert after.pointers == Pointers(candidate, old)
        if found.usable(old) and old != candidate:
            back = apply(settle(entry, found), found)
            assert back.pointers.current == old


@given(founds(), st.integers(0, 3))
def test_what_is_needed_is_never_garbage(found: Found, keep: int) -> None:
    garbage = choose_garbage(found, keep)
    kept = [each for each in found.installed if each.name not in garbage]
    needed = {found.pointers.current, found.pointers.previous}
    assert all(each.seal is None for each in found.installed if each.name in needed and each.name in garbage)
    assert not any(each.in_use for each in found.installed if each.name in garbage)
    idle = [each for each in kept if not each.in_use and each.name not in needed]
    assert len(idle) <= keep
    assert all(found.usable(each.name) for each in idle)


@given(founds())
def test_collecting_twice_is_collecting_once(found: Found) -> None:
    garbage = choose_garbage(found)
    left = replace(found, installed=tuple(each for each in found.installed if each.name not in garbage))
    assert choose_garbage(left) == ()


def test_the_previous_version_counts_among_the_old_ones_that_are_kept() -> None:
    ages = {NAMES[index]: SEALS[index] for index in (0, 2, 4, 6, 8)}
    installed = tuple(
        Installed(name, replace(each, installed_at=age)) for age, (name, each) in enumerate(ages.items())
    )
    oldest, *_, newest = ages
    found = Found(Pointers(newest, oldest), installed)
    assert choose_garbage(found) == (NAMES[2], NAMES[4])
