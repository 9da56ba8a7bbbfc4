"""Updating, adopting and going back, in memory and on the disk: old or new, never neither."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from fakes.releases import (
    FAILING,
    FAILING_THROUGH_POINTER,
    HANGING,
    LYING,
    Packed,
    pack,
    tarball,
)
from fakes.update_bench import FOREIGN, URL, Bench, Parts, in_memory, on_disk
from loopx.adapters.memory.machine import MemoryUpdatePlace, MemoryUpdateProgress
from loopx.adapters.memory.transport import Reply
from loopx.domain.errors import LoopXError
from loopx.domain.updates.change import Change, Deed
from loopx.domain.updates.plan import Verdict, Wish
from loopx.domain.updates.preflight import Place
from loopx.domain.updates.release import StateRange
from loopx.domain.updates.steps import Step

FIRST, SECOND, THIRD = pack("0.1.0"), pack("0.2.0"), pack("0.3.0")
PLACE = Place(path="/home", owner=1, user=1, writable=True, free=10**9)


@pytest.fixture(params=["memory", "disk"])
def parts(request: pytest.FixtureRequest, tmp_path: Path) -> Parts:
    made = in_memory() if request.param == "memory" else on_disk(tmp_path / "home")
    made.patience = 0.5
    return made


@pytest.fixture
def bench(parts: Parts) -> Bench:
    return Bench(parts)


def refusal(deed: Callable[[], object]) -> LoopXError:
    with pytest.raises(LoopXError) as caught:
        deed()
    return caught.value


def pair(deed: Callable[[], object]) -> str:
    error = refusal(deed)
    return f"{error.code}/{error.reason}"


def standings(bench: Bench) -> dict[str, str]:
    return {each.name: each.standing.value for each in bench.versions()}


def assert_settled(bench: Bench) -> None:
    """Nothing is left that only a crash could explain."""
    assert bench.parts.journal.pending() is None
    assert bench.recover() is None
    staging = Path(bench.parts.layout.home, "staging")
    assert list(staging.glob("*")) == []


def test_a_first_version_and_then_another_are_installed(bench: Bench) -> None:
    assert bench.update(FIRST).old is None
    change = bench.update(SECOND)
    assert change == Change(
        deed=Deed.UPDATED,
        old=FIRST.name,
        new=SECOND.name,
        version="0.2.0",
        sha256=SECOND.sha256,
        launcher=f"{bench.parts.layout.home}/current/bin/loopx",
    )
    assert standings(bench) == {SECOND.name: "current", FIRST.name: "previous"}
    assert_settled(bench)


def test_the_same_release_again_changes_nothing_and_fetches_nothing(bench: Bench) -> None:
    bench.update(FIRST)
    asked = len(bench.transport.requests)
    assert bench.update(FIRST).deed is Deed.UNCHANGED
    assert len(bench.transport.requests) == asked


def test_the_steps_come_in_their_order(parts: Parts) -> None:
    Bench(parts).update(FIRST)
    progress = parts.progress = MemoryUpdateProgress()
    Bench(parts).update(SECOND)
    assert progress.steps == [step for step in Step if step is not Step.RETURNING]


def test_there_and_back_again(bench: Bench) -> None:
    bench.update(FIRST)
    bench.update(SECOND)
    assert (bench.roll_back().new, bench.current) == (FIRST.name, FIRST.name)
    assert standings(bench) == {FIRST.name: "current", SECOND.name: "previous"}
    assert bench.roll_back().new == SECOND.name
    assert_settled(bench)


def test_a_version_that_is_kept_is_not_fetched_again(bench: Bench) -> None:
    bench.update(FIRST)
    bench.update(SECOND)
    bench.roll_back()
    asked = len(bench.transport.requests)
    assert bench.update(SECOND).new == SECOND.name
    assert len(bench.transport.requests) == asked
    assert bench.current == SECOND.name


def test_without_an_older_version_there_is_no_way_back(bench: Bench) -> None:
    assert pair(bench.roll_back) == "update_error/no_version"
    bench.update(FIRST)
    assert pair(bench.roll_back) == "update_error/no_version"
    assert bench.current == FIRST.name


@pytest.mark.parametrize("script", [FAILING, LYING, HANGING])
def test_a_version_that_is_not_healthy_never_becomes_current(bench: Bench, script: str) -> None:
    bench.update(FIRST)
    sick = pack("0.2.0", script=script)
    assert pair(lambda: bench.update(sick)) == "update_error/unhealthy"
    assert bench.current == FIRST.name
    assert standings(bench) == {FIRST.name: "current", sick.name: "bad"}
    assert pair(lambda: bench.update(sick)) == "update_error/bad"
    assert_settled(bench)


def test_a_version_that_fails_behind_the_pointer_is_taken_back(bench: Bench) -> None:
    bench.update(FIRST)
    sick = pack("0.2.0", script=FAILING_THROUGH_POINTER)
    error = refusal(lambda: bench.update(sick))
    assert (error.code, error.reason) == ("update_error", "returned")
    assert "exit code 4" in error.detail
    assert bench.current == FIRST.name
    assert standings(bench) == {FIRST.name: "current", sick.name: "bad"}
    assert bench.update(THIRD).old == FIRST.name
    assert_settled(bench)


def test_a_first_version_that_fails_behind_the_pointer_leaves_no_pointer(bench: Bench) -> None:
    sick = pack("0.2.0", script=FAILING_THROUGH_POINTER)
    assert pair(lambda: bench.update(sick)) == "update_error/returned"
    assert bench.current is None
    assert_settled(bench)


def test_other_bytes_stop_before_anything_is_unpacked(bench: Bench) -> None:
    bench.update(FIRST)
    progress = bench.parts.progress
    assert isinstance(progress, MemoryUpdateProgress)
    progress.steps.clear()
    error = refusal(lambda: bench.update(SECOND, sha256=THIRD.sha256))
    assert (error.code, error.reason) == ("integrity_error", "checksum")
    for shown in (SECOND.sha256, THIRD.sha256, f"{len(SECOND.content)} bytes", "gzip data"):
        assert shown in error.detail
    assert progress.steps == [Step.LOCKED, Step.SETTLED, Step.BEGUN]
    assert bench.current == FIRST.name
    assert_settled(bench)


@pytest.mark.parametrize(
    ("packed", "code"),
    [
        (pack("0.0.9"), "update_error/downgrade"),
        (pack("0.1.0", extra={"lib/more.py": b""}), "update_error/same_version"),
        (pack("0.2.0", platform="plan9-mips"), "update_error/platform"),
        (pack("0.2.0", python=">=4"), "update_error/python"),
        (pack("0.2.0", state=StateRange(2, 2)), "update_error/state"),
        (pack("0.2.0", unlisted={"lib/extra.py": b"1"}), "update_error/release"),
        (pack("0.2.0", manifest=b"{}"), "update_error/release"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_may_not_take_over_leaves_everything_as_it_was(bench: Bench, packed: Packed, code: str) -> None:
    bench.update(FIRST)
    assert pair(lambda: bench.update(packed)) == code
    assert standings(bench) == {FIRST.name: "current"}
    assert_settled(bench)


def test_an_archive_without_a_description_is_no_release(bench: Bench) -> None:
    content = tarball("loopx-0.2.0", {"bin/loopx": b"#!/bin/sh\n"})
    packed = Packed(content, sha256(content).hexdigest(), "x")
    error = refusal(lambda: bench.update(packed))
    assert (error.code, error.reason) == ("update_error", "release")
    assert "release.json" in error.detail


def test_what_is_no_archive_is_refused(bench: Bench) -> None:
    page = b"<!doctype html><html>Not found</html>"
    packed = Packed(page, sha256(page).hexdigest(), "x")
    assert pair(lambda: bench.update(packed)) == "archive_error/format"
    assert_settled(bench)


def test_a_failing_download_leaves_everything_as_it_was(bench: Bench) -> None:
    bench.update(FIRST)
    bench.transport = type(bench.transport)(lambda _request: Reply(status=404))
    assert pair(lambda: bench.update(SECOND)) == "provider_http_error/not_found"
    assert bench.current == FIRST.name
    assert_settled(bench)


def test_a_foreign_copy_is_not_updated_and_nothing_is_asked(parts: Parts) -> None:
    parts.evidence = FOREIGN
    bench = Bench(parts)
    for deed in (lambda: bench.update(FIRST), bench.roll_back):
        error = refusal(deed)
        assert (error.code, error.reason) == ("update_error", "owner")
        assert "/opt/python -m pip install -U loopx" in error.hint
    assert bench.transport.requests == []
    assert parts.consent.questions == []


def test_a_foreign_copy_is_adopted_and_an_own_one_is_not(parts: Parts) -> None:
    own = Bench(parts)
    assert pair(lambda: own.adopt(FIRST)) == "update_error/managed"
    parts.evidence = FOREIGN
    bench = Bench(parts)
    assert pair(lambda: bench.adopt(pack("0.0.9"))) == "update_error/downgrade"
    change = bench.adopt(FIRST)
    assert (change.deed, change.new) == (Deed.ADOPTED, FIRST.name)
    assert bench.current == FIRST.name


def test_a_person_is_asked_with_address_and_checksum(bench: Bench) -> None:
    bench.update(FIRST)
    bench.update(SECOND)
    bench.roll_back()
    update, _, back = bench.parts.consent.questions
    assert any(URL in fact for fact in update.facts)
    assert any(FIRST.sha256 in fact for fact in update.facts)
    assert any(FIRST.name in fact for fact in back.facts)


def test_two_old_versions_are_kept_and_no_more(bench: Bench) -> None:
    releases = [pack(f"0.{number}.0") for number in range(1, 6)]
    changes = [bench.update(release) for release in releases]
    assert changes[-1].removed == (releases[1].name,)
    assert set(standings(bench)) == {release.name for release in releases[2:]}


def test_too_little_room_is_told_before_anything_is_fetched_or_unpacked(parts: Parts) -> None:
    place = parts.place = MemoryUpdatePlace(replace(PLACE, free=100))
    bench = Bench(parts)
    assert pair(lambda: bench.update(FIRST)) == "update_error/space"
    place.place = PLACE
    bench.update(FIRST)
    place.place = replace(PLACE, free=10)
    asked = len(bench.transport.requests)
    assert pair(lambda: bench.update(SECOND)) == "update_error/space"
    assert len(bench.transport.requests) == asked
    assert_settled(bench)


def test_root_does_not_update_the_home_of_another(parts: Parts) -> None:
    parts.place = MemoryUpdatePlace(replace(PLACE, owner=1000, user=0))
    assert pair(lambda: Bench(parts).update(FIRST)) == "update_error/home"


def test_a_version_that_lost_its_seal_is_installed_anew(bench: Bench) -> None:
    bench.update(FIRST)
    bench.update(SECOND)
    bench.parts.store.remove(SECOND.name)
    assert bench.update(SECOND).new == SECOND.name
    assert standings(bench) == {SECOND.name: "current", FIRST.name: "previous"}


def test_a_plan_changes_nothing_and_asks_nobody(bench: Bench) -> None:
    bench.update(FIRST)
    before = bench.parts.store.found()
    asked, questions = len(bench.transport.requests), len(bench.parts.consent.questions)
    steps = {step.does: step for step in bench.plan(Wish(url=URL, sha256=SECOND.sha256))}
    assert steps["switch"].verdict is Verdict.READY
    assert FIRST.name in steps["switch"].detail
    assert bench.parts.store.found() == before
    assert (len(bench.transport.requests), len(bench.parts.consent.questions)) == (asked, questions)


def test_a_start_during_an_update_leaves_it_alone(parts: Parts) -> None:
    def start(step: Step) -> None:
        if step is Step.STORED:
            settlements.append(Bench(parts).recover())

    settlements: list[object] = []
    parts.progress = MemoryUpdateProgress(start)
    assert Bench(parts).update(FIRST).new == FIRST.name
    assert settlements == [None]
