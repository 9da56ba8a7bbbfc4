"""Which release may take over, what a health check's answer means, and whether there is a place."""

from dataclasses import replace

import pytest

from fakes.updates import seal, version
from loopx.domain.errors import LoopXError
from loopx.domain.processes import Command, Finished
from loopx.domain.updates.found import Found, Installed, Pointers
from loopx.domain.updates.health import SELF_CHECK, find_fault, self_check
from loopx.domain.updates.preflight import Place, check_place, check_room
from loopx.domain.updates.release import StateRange
from loopx.domain.updates.seal import BadMark
from loopx.domain.updates.settlement import newest_first
from loopx.domain.updates.succession import (
    Candidate,
    check_digest,
    check_state,
    check_update,
    choose_way_back,
)

OLD, NOW = seal("0.1.0", "a"), seal("0.2.0", "b")
FOUND = Found(Pointers(NOW.name, OLD.name), (Installed(OLD.name, OLD), Installed(NOW.name, NOW)))
PLACE = Place(path="/home/ann/.local/share/loopx", owner=1000, user=1000, writable=True, free=10_000)


def candidate(number: str, digit: str = "c", state: StateRange | None = None) -> Candidate:
    return Candidate(version(number), digit * 64, state or StateRange(1, 1))


def reason(error: pytest.ExceptionInfo[LoopXError]) -> str:
    return f"{error.value.code}/{error.value.reason}"


@pytest.mark.parametrize("number", ["0.2.1", "0.3.0-rc.1", "1.0"])
def test_a_newer_release_takes_over(number: str) -> None:
    check_update(candidate(number), FOUND, None)


@pytest.mark.parametrize("number", ["0.1.5", "0.2.0-rc.1"])
def test_an_older_release_does_not(number: str) -> None:
    with pytest.raises(LoopXError) as caught:
        check_update(candidate(number), FOUND, None)
    assert reason(caught) == "update_error/downgrade"
    assert "--rollback" in caught.value.hint


def test_other_bytes_under_a_known_version_are_refused_with_both_digests() -> None:
    for known in (OLD, NOW):
        with pytest.raises(LoopXError) as caught:
            check_update(candidate(str(known.version)), FOUND, None)
        assert reason(caught) == "update_error/same_version"
        assert known.sha256 in caught.value.detail
        assert "c" * 64 in caught.value.detail


def test_other_bytes_under_the_version_of_a_bad_release_are_refused_too() -> None:
    bad = seal("0.3.0", "d")
    found = replace(FOUND, bad={bad.name: BadMark(bad.sha256, "it failed")})
    with pytest.raises(LoopXError, match="same_version"):
        check_update(candidate("0.3.0"), found, None)


def test_bytes_that_failed_before_are_refused_and_the_mark_is_named() -> None:
    bad = seal("0.3.0", "d")
    found = replace(FOUND, bad={bad.name: BadMark(bad.sha256, "it failed")})
    with pytest.raises(LoopXError) as caught:
        check_digest(bad.sha256, found, "/data/bad")
    assert reason(caught) == "update_error/bad"
    assert f"/data/bad/{bad.name}" in caught.value.detail
    check_digest("e" * 64, found, "/data/bad")


def test_where_nothing_is_installed_the_running_copy_is_what_is_replaced() -> None:
    check_update(candidate("0.2.0"), Found(), version("0.2.0"))
    check_update(candidate("0.1.0"), Found(), None)
    with pytest.raises(LoopXError, match="downgrade"):
        check_update(candidate("0.1.0"), Found(), version("0.2.0"))


@pytest.mark.parametrize("state", [StateRange(2, 3), StateRange(4, 9)])
def test_a_version_that_cannot_read_the_present_state_does_not_take_over(state: StateRange) -> None:
    with pytest.raises(LoopXError, match="state"):
        check_state(candidate("0.3.0", state=state), FOUND)


def test_the_way_back_is_barred_once_the_state_has_grown() -> None:
    grown = replace(NOW, state=StateRange(1, 2))
    found = replace(FOUND, installed=(Installed(OLD.name, OLD), Installed(NOW.name, grown)))
    with pytest.raises(LoopXError) as caught:
        check_state(Candidate(OLD.version, OLD.sha256, OLD.state), found)
    assert reason(caught) == "update_error/state"


def test_the_way_back_leads_to_the_previous_version() -> None:
    assert choose_way_back(FOUND, newest_first(FOUND)) == OLD.name


def test_without_a_previous_version_it_leads_to_the_newest_older_one() -> None:
    older = seal("0.1.5", "c")
    installed = (*FOUND.installed, Installed(older.name, older), Installed("0.3.0-000000000000", None))
    found = replace(FOUND, pointers=Pointers(NOW.name, None), installed=installed)
    assert choose_way_back(found, newest_first(found)) == older.name


def test_there_may_be_no_way_back() -> None:
    bad = {OLD.name: BadMark(OLD.sha256, "it failed")}
    for found in (Found(), replace(FOUND, bad=bad), replace(FOUND, installed=FOUND.installed[1:])):
        with pytest.raises(LoopXError) as caught:
            choose_way_back(found, newest_first(found))
        assert reason(caught) == "update_error/no_version"


def test_a_version_is_asked_by_its_path_and_with_little_environment() -> None:
    command = self_check(
        "/data/versions/x", {"PATH": "/bin", "HOME": "/h", "LOOPX_TOKEN": "no", "LD_PRELOAD": "no"}
    )
    assert command.arguments == ("/data/versions/x/bin/loopx", SELF_CHECK)
    assert command.environment == {"PATH": "/bin", "HOME": "/h"}


def test_only_the_expected_version_is_healthy() -> None:
    assert find_fault(Finished(exit_code=0, output=b"loopx 0.2.0\n"), version("0.2.0")) is None


@pytest.mark.parametrize(
    ("finished", "says"),
    [
        (Finished(exit_code=None), "did not answer in time"),
        (Finished(exit_code=-11), "signal 11"),
        (
            Finished(exit_code=1, talk=b"Traceback\nImportError: no\x1b[31m h11\n"),
            r"ImportError: no\x1b[31m h11",
        ),
        (Finished(exit_code=0, output=b"loopx 0.1.0\n"), "loopx 0.1.0"),
        (Finished(exit_code=0, output=b"\xff\xfe"), "instead of"),
        (Finished(exit_code=0), "instead of"),
        (Finished(exit_code=0, output=b"loopx 0.2.0\nand more"), "instead of"),
    ],
)
def test_every_other_answer_is_a_fault_that_is_told(finished: Finished, says: str) -> None:
    fault = find_fault(finished, version("0.2.0"))
    assert fault is not None
    assert says in fault
    assert fault.isprintable()


def test_a_command_names_its_program() -> None:
    with pytest.raises(ValueError, match="program"):
        Command(arguments=())


def test_root_does_not_install_into_the_home_of_another() -> None:
    check_place(PLACE)
    check_place(replace(PLACE, owner=0, user=0))
    check_place(replace(PLACE, owner=0))
    with pytest.raises(LoopXError) as caught:
        check_place(replace(PLACE, user=0))
    assert reason(caught) == "update_error/home"


def test_a_place_that_cannot_be_written_is_told() -> None:
    with pytest.raises(LoopXError) as caught:
        check_place(replace(PLACE, writable=False))
    assert reason(caught) == "state_error/unwritable"
    assert PLACE.path in caught.value.detail


def test_twice_the_size_must_be_free() -> None:
    check_room(PLACE, 5_000)
    with pytest.raises(LoopXError) as caught:
        check_room(PLACE, 5_001)
    assert reason(caught) == "update_error/space"
    assert "10002" in caught.value.detail
