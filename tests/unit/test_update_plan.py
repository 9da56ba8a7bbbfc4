"""A plan tells each step beforehand, what blocks it and what would be skipped."""

from dataclasses import replace

from fakes.updates import seal
from loopx.domain.updates.found import Found, Installed, Pointers
from loopx.domain.updates.journal import JournalEntry
from loopx.domain.updates.owner import Owner, OwnerKind
from loopx.domain.updates.plan import PlannedStep, Situation, Verdict, Wish, plan_update
from loopx.domain.updates.preflight import Place
from loopx.domain.updates.seal import BadMark

OLD, NOW = seal("0.1.0", "a"), seal("0.2.0", "b")
FOUND = Found(Pointers(NOW.name, OLD.name), (Installed(OLD.name, OLD), Installed(NOW.name, NOW)))
SITUATION = Situation(
    owner=Owner(OwnerKind.OWN, "It updates itself", is_command=False),
    place=Place(path="/data", owner=1, user=1, writable=True, free=10**9),
    found=FOUND,
    bad_marks="/data/bad",
)
WISH = Wish(url="https://example.com/loopx.tar.gz", sha256="c" * 64)


def plan(wish: Wish = WISH, situation: Situation = SITUATION) -> dict[str, PlannedStep]:
    return {step.does: step for step in plan_update(wish, situation)}


def test_an_update_that_would_go_through_has_nothing_blocked() -> None:
    steps = plan()
    assert list(steps) == [
        "owner", "place", "room", "release", "consent", "download", "check", "switch", "confirm", "remove",
    ]  # fmt: skip
    assert Verdict.BLOCKED not in {step.verdict for step in steps.values()}
    assert WISH.url is not None
    assert WISH.url in steps["download"].detail
    assert NOW.name in steps["switch"].detail


def test_without_a_release_the_download_is_unknown() -> None:
    steps = plan(Wish())
    assert steps["download"].verdict is Verdict.UNKNOWN
    assert "--url" in steps["download"].detail


def test_a_foreign_copy_blocks_the_update_with_its_command_and_not_the_adoption() -> None:
    situation = replace(SITUATION, owner=Owner(OwnerKind.PIPX, "pipx upgrade loopx"))
    step = plan(situation=situation)["owner"]
    assert step.verdict is Verdict.BLOCKED
    assert "pipx upgrade loopx" in step.detail
    assert step.error is not None
    assert plan(replace(WISH, adopt=True), situation)["owner"].verdict is Verdict.READY
    assert plan(replace(WISH, adopt=True))["owner"].verdict is Verdict.BLOCKED


def test_a_version_that_is_here_already_is_not_fetched_again() -> None:
    steps = plan(replace(WISH, sha256=OLD.sha256))
    assert steps["download"].verdict is Verdict.SKIPPED
    assert OLD.name in steps["switch"].detail
    assert steps["switch"].verdict is Verdict.READY
    assert plan(replace(WISH, sha256=NOW.sha256))["switch"].verdict is Verdict.SKIPPED


def test_a_bad_release_too_little_room_and_a_foreign_home_are_told() -> None:
    bad = {"0.3.0-cccccccccccc": BadMark("c" * 64, "it failed")}
    place = replace(SITUATION.place, user=0, free=10)
    steps = plan(situation=replace(SITUATION, place=place, found=replace(FOUND, bad=bad)))
    assert {name for name, step in steps.items() if step.verdict is Verdict.BLOCKED} == {
        "release",
        "place",
        "room",
    }


def test_an_interrupted_update_is_told() -> None:
    step = plan(situation=replace(SITUATION, journal=JournalEntry(old=NOW.name).storing("x")))["recover"]
    assert "storing" in step.detail
    assert NOW.name in step.detail


def test_what_would_be_removed_is_named() -> None:
    broken = Installed("0.0.1-dddddddddddd", None)
    found = replace(FOUND, installed=(*FOUND.installed, broken))
    step = plan(situation=replace(SITUATION, found=found))["remove"]
    assert (step.verdict, step.detail) == (Verdict.READY, broken.name)
    assert plan()["remove"].verdict is Verdict.SKIPPED
