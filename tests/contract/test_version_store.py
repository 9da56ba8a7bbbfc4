"""Store, pointers, journal and trees of releases: the same promises in memory and on the disk."""

import asyncio
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fakes.installing import install, unpacked
from fakes.releases import pack
from fakes.update_bench import Parts, in_memory, on_disk
from fakes.updates import seal as make_seal
from loopx.adapters.memory.versions import MemoryVersions
from loopx.domain.errors import LoopXError
from loopx.domain.updates.found import Found, Installed, Pointers
from loopx.domain.updates.journal import JournalEntry, Phase
from loopx.domain.updates.release import ENTRY, read_release
from loopx.domain.updates.seal import BadMark

FIRST, SECOND = pack("0.1.0"), pack("0.2.0")


@pytest.fixture(params=["memory", "disk"])
def parts(request: pytest.FixtureRequest, tmp_path: Path) -> Parts:
    home = tmp_path / "home"
    home.mkdir()
    return in_memory() if request.param == "memory" else on_disk(home)


@contextmanager
def running(parts: Parts, name: str) -> Iterator[None]:
    """A process that runs from a version, as its launcher makes sure of."""
    if isinstance(parts.store, MemoryVersions):
        parts.store.running.add(name)
        yield
        parts.store.running.discard(name)
        return
    descriptor = os.open(parts.layout.version(name), os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    yield
    os.close(descriptor)


def pair(deed: Callable[[], object]) -> str:
    with pytest.raises(LoopXError) as caught:
        deed()
    return f"{caught.value.code}/{caught.value.reason}"


def test_nothing_is_found_where_nothing_is(parts: Parts) -> None:
    assert parts.store.found() == Found()


def test_a_version_that_is_added_is_found_whole(parts: Parts) -> None:
    seal = install(parts)
    assert parts.store.found().installed == (Installed(seal.name, seal),)


def test_a_tree_without_a_seal_is_found_as_not_whole(parts: Parts) -> None:
    with unpacked(parts, FIRST.content) as root:
        parts.store.add(root, FIRST.name)
    assert parts.store.found().installed == (Installed(FIRST.name, None),)


def test_a_seal_of_another_name_counts_as_none(parts: Parts) -> None:
    with unpacked(parts, FIRST.content) as root:
        asyncio.run(parts.tree.seal(root, make_seal("0.9.0"), "/usr/bin/python3"))
        parts.store.add(root, FIRST.name)
    assert parts.store.found().installed == (Installed(FIRST.name, None),)


def test_a_tree_takes_the_place_of_what_has_its_name(parts: Parts) -> None:
    with unpacked(parts, FIRST.content) as root:
        parts.store.add(root, FIRST.name)
    seal = install(parts)
    assert parts.store.found().installed == (Installed(seal.name, seal),)


def test_what_was_never_staged_cannot_be_added(parts: Parts) -> None:
    assert pair(lambda: parts.store.add(f"{parts.layout.home}/staging/1/tree/top", FIRST.name)) == (
        "state_error/unwritable"
    )


def test_a_version_is_removed_once_nobody_runs_from_it(parts: Parts) -> None:
    seal = install(parts)
    with running(parts, seal.name):
        assert parts.store.found().installed == (Installed(seal.name, seal, in_use=True),)
        assert parts.store.remove(seal.name) is False
    assert parts.store.remove(seal.name) is True
    assert parts.store.remove(seal.name) is True
    assert parts.store.found() == Found()


def test_a_mark_stays_when_its_version_goes(parts: Parts) -> None:
    seal = install(parts)
    mark = BadMark(seal.sha256, "it failed")
    parts.store.mark_bad(seal.name, mark)
    parts.store.remove(seal.name)
    assert parts.store.found() == Found(bad={seal.name: mark})


def test_pointers_lead_where_they_are_told_to(parts: Parts) -> None:
    first, second = install(parts, "0.1.0"), install(parts, "0.2.0")
    parts.pointers.switch(first.name)
    parts.pointers.switch(second.name)
    parts.pointers.remember(first.name)
    assert parts.store.found().pointers == Pointers(second.name, first.name)
    parts.pointers.drop()
    parts.pointers.drop()
    assert parts.store.found().pointers == Pointers(None, first.name)


def test_the_pointer_is_never_led_to_what_is_not_whole(parts: Parts) -> None:
    seal = install(parts)
    parts.pointers.switch(seal.name)
    with unpacked(parts, SECOND.content) as root:
        parts.store.add(root, SECOND.name)
    for name in (SECOND.name, "0.9.0-aaaaaaaaaaaa"):
        assert pair(lambda name=name: parts.pointers.switch(name)) == "update_error/vanished"  # type: ignore[misc]  # bound at once
    assert parts.store.found().pointers.current == seal.name


def test_the_journal_gives_its_last_entry_until_it_is_cleared(parts: Parts) -> None:
    assert parts.journal.pending() is None
    entry = JournalEntry(old=FIRST.name)
    for next_entry in (entry, entry.storing(SECOND.name), entry.storing(SECOND.name).switching(SECOND.name)):
        parts.journal.write(next_entry)
        assert parts.journal.pending() == next_entry
    parts.journal.clear()
    parts.journal.clear()
    assert parts.journal.pending() is None


def test_a_tree_is_measured_as_its_release_says_before_and_after_it_is_sealed(parts: Parts) -> None:
    packed = pack(extra={"lib/a/b.txt": b"x", "lib/empty": b""})
    with unpacked(parts, packed.content) as root:
        described = read_release(asyncio.run(parts.tree.manifest(root)))
        assert asyncio.run(parts.tree.measure(root)) == described.files
        asyncio.run(parts.tree.seal(root, make_seal("0.2.0"), "/usr/bin/python3"))
        assert asyncio.run(parts.tree.measure(root)) == described.files
        assert described.files[ENTRY].executable


def test_a_tree_without_a_description_is_no_release(parts: Parts) -> None:
    with unpacked(parts, FIRST.content) as root:
        assert pair(lambda: asyncio.run(parts.tree.manifest(f"{root}-other"))) == "update_error/release"


def test_sweeping_leaves_what_is_whole(parts: Parts) -> None:
    seal = install(parts)
    parts.pointers.switch(seal.name)
    before = parts.store.found()
    for each in parts.leftovers:
        each.sweep()
    assert parts.store.found() == before


def test_phases_are_told_apart() -> None:
    entry = JournalEntry(old="a").storing("b")
    assert (entry.phase, entry.fresh) == (Phase.STORING, True)
    assert entry.switching("b").phase is Phase.SWITCHING
    assert entry.switching("b").confirmed().phase is Phase.CONFIRMED
    assert entry.switching("b").returning().phase is Phase.RETURNING
