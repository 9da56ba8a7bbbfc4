"""The chain of audit rows: whatever happens to a row before a kept head is found."""

import json
from dataclasses import fields, replace
from hashlib import sha256

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fakes.audit import entries, plain_entries, pruning
from loopx.domain.audit.chain import FORMAT, GENESIS, Anchor, canonical, link_all, seal
from loopx.domain.audit.pruning import prune_note, read_prune_note
from loopx.domain.audit.row import AuditEntry, AuditPhase, AuditRow, Outcome, Subject, read_row, to_fields
from loopx.domain.audit.verification import BreachKind, Verdict, verify
from loopx.domain.errors import LoopXError

CHAINS = st.lists(plain_entries(), min_size=1, max_size=6).map(lambda some: list(link_all(GENESIS, some)))


PARTS = [
    *("at", "phase", "note"),
    *(f"subject.{field.name}" for field in fields(Subject)),
    *(f"outcome.{field.name}" for field in fields(Outcome)),
]


def breach(verdict: Verdict) -> tuple[int, BreachKind] | None:
    return (verdict.breach.sequence, verdict.breach.kind) if verdict.breach else None


def changes_of(entry: AuditEntry) -> st.SearchStrategy[AuditEntry]:
    """The same entry with one field of it drawn anew."""

    def with_part(name: str, other: AuditEntry) -> AuditEntry:
        owner, _, part = name.rpartition(".")
        if not owner:
            return replace(entry, **{part: getattr(other, part)})
        drawn = getattr(getattr(other, owner), part)
        return replace(entry, **{owner: replace(getattr(entry, owner), **{part: drawn})})

    return st.builds(with_part, st.sampled_from(PARTS), entries())


@given(CHAINS)
def test_a_chain_that_nobody_touched_is_whole(rows: list[AuditRow]) -> None:
    verdict = verify(GENESIS, rows)
    assert (verdict.breach, verdict.rows, verdict.head) == (None, len(rows), Anchor.of(rows[-1]))
    for row in rows:
        assert verify(GENESIS, rows, Anchor.of(row)).breach is None


@given(CHAINS, st.data())
def test_any_changed_field_of_any_row_is_found(rows: list[AuditRow], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(rows) - 1))
    changed = data.draw(changes_of(rows[place].entry))
    assume(changed != rows[place].entry)
    rows[place] = replace(rows[place], entry=changed)
    assert breach(verify(GENESIS, rows)) == (place + 1, BreachKind.CHANGED)


@given(CHAINS, st.data())
def test_a_changed_row_with_a_hash_that_fits_breaks_at_the_next_row_or_at_the_kept_head(
    rows: list[AuditRow], data: st.DataObject
) -> None:
    kept = Anchor.of(rows[-1])
    place = data.draw(st.integers(0, len(rows) - 1))
    changed = data.draw(changes_of(rows[place].entry))
    assume(changed != rows[place].entry)
    before = Anchor.of(rows[place - 1]) if place else GENESIS
    rows[place] = AuditRow(place + 1, changed, seal(before, place + 1, changed))
    found = breach(verify(GENESIS, rows, kept))
    last = place == len(rows) - 1
    assert found == ((place + 1, BreachKind.REPLACED) if last else (place + 2, BreachKind.CHANGED))


@given(CHAINS, st.data())
def test_a_chain_that_was_written_anew_does_not_fit_the_kept_head(
    rows: list[AuditRow], data: st.DataObject
) -> None:
    kept = Anchor.of(rows[data.draw(st.integers(0, len(rows) - 1))])
    place = data.draw(st.integers(0, kept.sequence - 1))
    changed = data.draw(changes_of(rows[place].entry))
    assume(changed != rows[place].entry)
    said = [row.entry for row in rows]
    said[place] = changed
    assert breach(verify(GENESIS, link_all(GENESIS, said), kept)) == (kept.sequence, BreachKind.REPLACED)


@given(CHAINS, st.data())
def test_any_removed_row_is_found(rows: list[AuditRow], data: st.DataObject) -> None:
    kept = Anchor.of(rows[-1])
    place = data.draw(st.integers(0, len(rows) - 1))
    last = place == len(rows) - 1
    del rows[place]
    kind = BreachKind.CUT_OFF if last else BreachKind.REMOVED
    assert breach(verify(GENESIS, rows, kept)) == (place + 1, kind)


@given(CHAINS, st.data())
def test_a_removed_row_is_found_although_the_others_were_renumbered(
    rows: list[AuditRow], data: st.DataObject
) -> None:
    assume(len(rows) > 1)
    place = data.draw(st.integers(0, len(rows) - 2))
    del rows[place]
    renumbered = [replace(row, sequence=number) for number, row in enumerate(rows, 1)]
    assert breach(verify(GENESIS, renumbered)) == (place + 1, BreachKind.CHANGED)


@given(CHAINS, st.data())
def test_any_two_rows_in_each_others_place_are_found(rows: list[AuditRow], data: st.DataObject) -> None:
    assume(len(rows) > 1)
    first, second = sorted(data.draw(st.permutations(range(len(rows))))[:2])
    moved = list(rows)
    moved[first], moved[second] = rows[second], rows[first]
    assert verify(GENESIS, moved).breach is not None
    # Also when each takes the number of its new place.
    moved[first], moved[second] = (
        replace(moved[first], sequence=first + 1),
        replace(moved[second], sequence=second + 1),
    )
    assert breach(verify(GENESIS, moved)) == (first + 1, BreachKind.CHANGED)


@given(CHAINS, st.data())
def test_a_row_that_was_put_in_between_is_found(rows: list[AuditRow], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(rows) - 1))
    before = Anchor.of(rows[place - 1]) if place else GENESIS
    (forged,) = link_all(before, [data.draw(plain_entries())])
    assume(forged != rows[place])
    assert verify(GENESIS, [*rows[:place], forged, *rows[place:]]).breach is not None


@given(CHAINS, st.data())
def test_any_end_that_was_cut_off_before_the_kept_head_is_found(
    rows: list[AuditRow], data: st.DataObject
) -> None:
    kept = Anchor.of(rows[-1])
    left = data.draw(st.integers(0, len(rows) - 1))
    assert breach(verify(GENESIS, rows[:left], kept)) == (left + 1, BreachKind.CUT_OFF)


@given(CHAINS, plain_entries())
def test_what_is_cut_off_and_written_anew_is_found(rows: list[AuditRow], other: AuditEntry) -> None:
    kept = Anchor.of(rows[-1])
    assume(other != rows[-1].entry)
    before = Anchor.of(rows[-2]) if len(rows) > 1 else GENESIS
    forged = [*rows[:-1], *link_all(before, [other])]
    assert breach(verify(GENESIS, forged, kept)) == (len(rows), BreachKind.REPLACED)


# Pruning


def pruned(rows: list[AuditRow], through: int) -> tuple[Anchor, list[AuditRow]]:
    start = Anchor.of(rows[through - 1])
    note = AuditEntry(at=5, phase=AuditPhase.NOTE, subject=pruning(), note=prune_note(start))
    return start, [*rows[through:], *link_all(Anchor.of(rows[-1]), [note])]


@given(CHAINS, st.data())
def test_a_pruned_chain_is_whole_and_says_when_it_was_pruned(
    rows: list[AuditRow], data: st.DataObject
) -> None:
    through = data.draw(st.integers(1, len(rows)))
    start, left = pruned(rows, through)
    verdict = verify(start, left)
    assert (verdict.breach, verdict.pruned_at, verdict.start) == (None, 5, start)
    for row in [*rows[through - 1 :], *left]:
        assert verify(start, left, Anchor.of(row)).breach is None


@given(CHAINS, st.data())
def test_a_head_that_was_pruned_away_vouches_for_nothing(rows: list[AuditRow], data: st.DataObject) -> None:
    assume(len(rows) > 1)
    through = data.draw(st.integers(2, len(rows)))
    kept = Anchor.of(rows[data.draw(st.integers(0, through - 2))])
    verdict = verify(*pruned(rows, through), kept)
    assert verdict.breach is not None
    assert (verdict.breach.kind, verdict.breach.error().reason) == (BreachKind.PRUNED, "head_pruned")


@given(CHAINS, st.data())
def test_a_start_that_was_dropped_without_a_word_is_found(rows: list[AuditRow], data: st.DataObject) -> None:
    through = data.draw(st.integers(1, len(rows)))
    start = Anchor.of(rows[through - 1])
    assume(all(read_prune_note(row.entry) != start for row in rows))
    found = breach(verify(start, rows[through:], Anchor.of(rows[-1])))
    assert found == (through + 1, BreachKind.DROPPED)


@given(CHAINS, st.data())
def test_more_than_what_the_prune_says_cannot_be_dropped(rows: list[AuditRow], data: st.DataObject) -> None:
    assume(len(rows) > 1)
    through = data.draw(st.integers(1, len(rows) - 1))
    _, left = pruned(rows, through)
    more = data.draw(st.integers(1, len(rows) - through))
    assert verify(Anchor.of(left[more - 1]), left[more:]).breach is not None


# The encoding


@given(st.integers(1, 3), entries(), st.integers(1, 3), entries())
def test_two_rows_are_encoded_alike_only_if_they_are_the_same(
    first: int, one: AuditEntry, second: int, other: AuditEntry
) -> None:
    assert (canonical(first, one) == canonical(second, other)) == ((first, one) == (second, other))


@given(entries(), st.data())
def test_one_changed_field_changes_the_encoding(entry: AuditEntry, data: st.DataObject) -> None:
    changed = data.draw(changes_of(entry))
    assert (canonical(1, entry) == canonical(1, changed)) == (entry == changed)


@pytest.mark.parametrize(("one", "other"), [("\ud83d\ude00", "\U0001f600"), ("a", "a\0"), ("é", "e\u0301")])
def test_texts_that_other_encodings_confuse_stay_apart(one: str, other: str) -> None:
    def said(text: str) -> bytes:
        return canonical(1, AuditEntry(at=1, phase=AuditPhase.NOTE, subject=pruning(), note=text))

    assert said(one) != said(other)


@given(entries())
def test_the_encoding_is_json_that_anyone_can_read_and_hash(entry: AuditEntry) -> None:
    (row,) = link_all(GENESIS, [entry])
    text = canonical(1, entry)
    assert json.loads(text) == [FORMAT, 1, *to_fields(entry)]
    assert sha256(b"0" * 64 + b"\n" + text).hexdigest() == row.hash


@given(entries())
def test_a_row_that_is_stored_comes_back_the_same(entry: AuditEntry) -> None:
    for row in link_all(GENESIS, [entry]):
        assert read_row(row.sequence, to_fields(row.entry), row.hash) == row


@given(CHAINS, st.data())
def test_a_value_of_another_kind_is_not_a_row(rows: list[AuditRow], data: st.DataObject) -> None:
    row = rows[0]
    stored: list[object] = [row.sequence, *to_fields(row.entry), row.hash]
    place = data.draw(st.integers(0, len(stored) - 1))
    strange: list[object] = [b"bytes", 1.5, True, "words" if isinstance(stored[place], int) else 7]
    stored[place] = data.draw(st.sampled_from(strange))
    if stored[place] == "words" or stored[place] == 7:
        # A null may be replaced by a value of the right kind, and the hash finds that.
        assume((row.sequence, *to_fields(row.entry), row.hash)[place] is not None)
    with pytest.raises(LoopXError) as caught:
        read_row(stored[0], stored[1:-1], stored[-1])
    assert (caught.value.code, caught.value.reason) == ("audit_error", "chain_broken")


@given(st.integers(0, 10**15), st.binary(min_size=32, max_size=32))
def test_a_head_reads_back_what_was_printed(sequence: int, digest: bytes) -> None:
    anchor = Anchor(sequence, digest.hex())
    assert Anchor.parse(f"{anchor}\n") == anchor


@pytest.mark.parametrize(
    "text", ["", "1", "1:", f"01:{'a' * 64}", f"-1:{'a' * 64}", f"1:{'A' * 64}", f"1:{'a' * 63}"]
)
def test_what_is_no_head_is_refused(text: str) -> None:
    with pytest.raises(LoopXError) as caught:
        Anchor.parse(text)
    assert caught.value.code == "usage_error"
