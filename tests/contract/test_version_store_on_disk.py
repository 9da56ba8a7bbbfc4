"""Versions on a disk: what was changed by hand, what a killed process left, and names of every kind."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.installing import install, unpacked
from fakes.releases import pack
from fakes.update_bench import Parts, on_disk
from loopx.domain.errors import LoopXError
from loopx.domain.updates.found import Installed, Pointers
from loopx.domain.updates.journal import JournalEntry
from loopx.domain.updates.release import ENTRY, RELEASE_FILE
from loopx.domain.updates.seal import SEAL_FILE
from loopx.domain.versions import Version

FIRST = pack("0.1.0")


def pair(deed: Callable[[], object]) -> str:
    with pytest.raises(LoopXError) as caught:
        deed()
    return f"{caught.value.code}/{caught.value.reason}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "a home" / "mit Umläuten"
    home.mkdir(parents=True)
    return home


@pytest.fixture
def parts(home: Path) -> Parts:
    return on_disk(home)


def test_the_seal_is_written_and_the_interpreter_noted(parts: Parts, home: Path) -> None:
    seal = install(parts)
    folder = home / "versions" / seal.name
    assert (folder / "interpreter").read_text() == "/usr/bin/python3\n"
    assert (folder / SEAL_FILE).is_file()


def test_the_pointer_is_a_relative_link(parts: Parts, home: Path) -> None:
    seal = install(parts)
    parts.pointers.switch(seal.name)
    assert (home / "current").readlink() == Path("versions", seal.name)


@pytest.mark.parametrize(
    "target", ["/absolute/versions/0.1.0-aaaaaaaaaaaa", "versions/../x", "versions", "", "elsewhere/x"]
)
def test_a_pointer_made_by_hand_leads_nowhere(parts: Parts, home: Path, target: str) -> None:
    (home / "current").symlink_to(target or ".")
    assert parts.store.found().pointers == Pointers()


def test_a_folder_in_the_place_of_the_pointer_is_left_alone(parts: Parts, home: Path) -> None:
    seal = install(parts)
    (home / "current").mkdir()
    assert parts.store.found().pointers == Pointers()
    assert pair(lambda: parts.pointers.switch(seal.name)) == "state_error/unwritable"
    assert (home / "current").is_dir()


def test_a_changed_description_breaks_the_seal(parts: Parts, home: Path) -> None:
    seal = install(parts)
    (home / "versions" / seal.name / RELEASE_FILE).write_bytes(b"{}")
    assert parts.store.found().installed == (Installed(seal.name, None),)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b'{"schema":"loopx.complete/9"}'])
def test_a_broken_seal_counts_as_none(parts: Parts, home: Path, content: bytes) -> None:
    seal = install(parts)
    (home / "versions" / seal.name / SEAL_FILE).write_bytes(content)
    assert parts.store.found().installed == (Installed(seal.name, None),)


def test_other_things_among_the_versions_are_none(parts: Parts, home: Path) -> None:
    seal = install(parts)
    (home / "versions" / "notes.txt").write_text("mine")
    (home / "versions" / "old-backup").mkdir()
    assert [each.name for each in parts.store.found().installed] == [seal.name]


def test_what_a_killed_process_left_is_swept_and_nothing_else(parts: Parts, home: Path) -> None:
    seal = install(parts)
    parts.pointers.switch(seal.name)
    (home / "versions" / ".removed-0123").mkdir(mode=0o500)
    (home / "bad").mkdir()
    (home / "bad" / ".x.0123.tmp").touch()
    (home / ".current.new").symlink_to("versions/x")
    (home / "staging" / "0123").mkdir()
    before = parts.store.found()
    for each in parts.leftovers:
        each.sweep()
    left = {str(path.relative_to(home)) for path in home.rglob("*") if "versions/0" not in str(path)}
    assert left == {"bad", "current", "staging", "staging.lock", "versions"}
    assert parts.store.found() == before


def test_an_entry_that_a_crash_cut_off_does_not_count(parts: Parts, home: Path) -> None:
    parts.journal.write(JournalEntry(old=FIRST.name))
    content = (home / "update.journal").read_bytes()
    (home / "update.journal").write_bytes(content + b'{"schema":"loo')
    assert parts.journal.pending() == JournalEntry(old=FIRST.name)


def test_a_journal_that_is_none_is_reported_with_its_path(parts: Parts, home: Path) -> None:
    (home / "update.journal").write_bytes(b"nonsense\n")
    with pytest.raises(LoopXError) as caught:
        parts.journal.pending()
    assert (caught.value.code, caught.value.reason) == ("state_error", "corrupt")
    assert str(home / "update.journal") in caught.value.detail


def test_links_and_pipes_in_a_tree_fit_no_list(parts: Parts, home: Path) -> None:
    with unpacked(parts, FIRST.content) as root:
        Path(root, "lib", "link").symlink_to("/etc/passwd")
        os.mkfifo(f"{root}/lib/pipe")
        measured = asyncio.run(parts.tree.measure(root))
    assert measured["lib/link"].sha256 == measured["lib/pipe"].sha256 == ""


def test_bytecode_is_not_measured(parts: Parts) -> None:
    with unpacked(parts, FIRST.content) as root:
        Path(root, "lib", "__pycache__").mkdir()
        Path(root, "lib", "__pycache__", "x.pyc").touch()
        assert asyncio.run(parts.tree.measure(root)).keys() == {ENTRY, "lib/loopx/__init__.py"}


def test_the_place_is_told_also_before_it_is_there(tmp_path: Path) -> None:
    place = on_disk(tmp_path / "not" / "yet").place.inspect()
    assert place.path == str(tmp_path / "not" / "yet")
    assert (place.owner, place.user, place.writable) == (os.geteuid(), os.geteuid(), True)
    assert place.free > 0


def test_the_host_is_one_that_a_release_of_it_fits(parts: Parts) -> None:
    host = parts.host.host()
    assert host.python == Version.parse(host.python.text)
    assert Path(host.interpreter).is_file()
    assert not Path(host.interpreter).is_symlink()
    assert host.platform.count("-") in {1, 2}
