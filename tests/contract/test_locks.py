"""What every lock promises, between processes and in memory."""

from pathlib import Path

import pytest

from fakes.outcomes import outcome_of, pair_of
from loopx.adapters.filesystem.locks import FileLocks
from loopx.adapters.memory.machine import MemoryLocks
from loopx.application.ports.locks import Locks


@pytest.fixture(params=["memory", "real"])
def locks(request: pytest.FixtureRequest, tmp_path: Path) -> Locks:
    return MemoryLocks() if request.param == "memory" else FileLocks(tmp_path / "locks", patience=0.0)


def take(locks: Locks, name: str) -> str:
    with locks.hold(name):
        return "held"


def test_a_lock_that_nobody_holds_is_given(locks: Locks) -> None:
    assert take(locks, "registry") == "held"


def test_a_lock_that_is_held_is_refused_in_time(locks: Locks) -> None:
    with locks.hold("registry"):
        assert pair_of(outcome_of(take, locks, "registry")) == "state_error/locked"


def test_locks_of_other_names_do_not_know_each_other(locks: Locks) -> None:
    with locks.hold("registry"):
        assert take(locks, "update") == "held"


def test_a_lock_is_free_again_after_the_block_also_when_it_failed(locks: Locks) -> None:
    with pytest.raises(ZeroDivisionError), locks.hold("registry"):
        raise ZeroDivisionError
    assert take(locks, "registry") == "held"
