"""Store, pointers, journal and trees of releases: the same promises in memory and on the disk."""

import asyncio
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from fakes.releases import pack
from fakes.update_bench import Parts, in_memory, on_disk
from fakes.updates import seal as make_seal
from loopx.adapters.memory.versions import MemoryVersions
from loopx.domain.archives.limits import DEFAULT_LIMITS
from loopx.domain.errors import LoopXError
from loopx.domain.updates.found import Found, Installed, Pointers
from loopx.domain.updates.journal import JournalEntry, Phase
from loopx.domain.updates.release import ENTRY, RELEASE_FILE, read_release
from loopx.domain.updates.seal import SEAL_FILE, BadMark, Seal
from loopx.domain.versions import Version

FIRST, SECOND = pack("0.1.0"), pack("0.2.0")


@pytest.fixture(params=["memory", "disk"])
def parts(request: pytest.FixtureRequest, tmp_path: Path) -> Parts:
    home = tmp_path / "home"
    home.mkdir()
    return in_memory() if request.param == "memory" else on_disk(home)


@contextmanager
def unpacked(parts: Parts, content: bytes) -> Iterator[str]:
    """The root of an unpacked archive in a staging area."""
    with parts.staging.stage() as area:
        summary = asyncio.run(parts.reader.extract(BytesIO(content), area.tree, DEFAULT_LIMITS))
        yield f"{area.tree}/{summary.top}"


def install(parts: Parts, number: str = "0.1.0") -> Seal:
    packed = pack(number)
    with unpacked(parts, packed.content) as root:
        manifest = asyncio.run(parts.tree.manifest(root))
        described = read_release(manifest)
        seal = Seal(
            version=described.version,
            sha256=packed.sha256,
            manifest=sha256(manifest).hexdigest(),
            state=described.state,
            size=described.size,
            installed_at=1_700_000_000,
        )
        asyncio.run(parts.tree.seal(root, seal, "/usr/bin/python3"))
        parts.store.add(root, seal.name)
    return seal


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


class TestDisk:
    """What only a disk can do."""

    @pytest.fixture
    def home(self, tmp_path: Path) -> Path:
        home = tmp_path / "a home" / "mit Umläuten"
        home.mkdir(parents=True)
        return home

    @pytest.fixture
    def parts(self, home: Path) -> Parts:
        return on_disk(home)

    def test_the_seal_is_written_and_the_interpreter_noted(self, parts: Parts, home: Path) -> None:
        seal = install(parts)
        folder = home / "versions" / seal.name
        assert (folder / "interpreter").read_text() == "/usr/bin/python3\n"
        assert (folder / SEAL_FILE).is_file()

    def test_the_pointer_is_a_relative_link(self, parts: Parts, home: Path) -> None:
        seal = install(parts)
        parts.pointers.switch(seal.name)
        assert (home / "current").readlink() == Path("versions", seal.name)

    @pytest.mark.parametrize(
        "target", ["/absolute/versions/0.1.0-aaaaaaaaaaaa", "versions/../x", "versions", "", "elsewhere/x"]
    )
    def test_a_pointer_made_by_hand_leads_nowhere(self, parts: Parts, home: Path, target: str) -> None:
        (home / "current").symlink_to(target or ".")
        assert parts.store.found().pointers == Pointers()

    def test_a_folder_in_the_place_of_the_pointer_is_left_alone(self, parts: Parts, home: Path) -> None:
        seal = install(parts)
        (home / "current").mkdir()
        assert parts.store.found().pointers == Pointers()
        assert pair(lambda: parts.pointers.switch(seal.name)) == "state_error/unwritable"
        assert (home / "current").is_dir()

    def test_a_changed_description_breaks_the_seal(self, parts: Parts, home: Path) -> None:
        seal = install(parts)
        (home / "versions" / seal.name / RELEASE_FILE).write_bytes(b"{}")
        assert parts.store.found().installed == (Installed(seal.name, None),)

    @pytest.mark.parametrize("content", [b"", b"{", b"\xff", b'{"schema":"loopx.complete/9"}'])
    def test_a_broken_seal_counts_as_none(self, parts: Parts, home: Path, content: bytes) -> None:
        seal = install(parts)
        (home / "versions" / seal.name / SEAL_FILE).write_bytes(content)
        assert parts.store.found().installed == (Installed(seal.name, None),)

    def test_other_things_among_the_versions_are_none(self, parts: Parts, home: Path) -> None:
        seal = install(parts)
        (home / "versions" / "notes.txt").write_text("mine")
        (home / "versions" / "old-backup").mkdir()
        assert [each.name for each in parts.store.found().installed] == [seal.name]

    def test_what_a_killed_process_left_is_swept_and_nothing_else(self, parts: Parts, home: Path) -> None:
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

    def test_the_half_of_an_entry_that_a_full_disk_let_in_is_taken_back(
        self, parts: Parts, home: Path
    ) -> None:
        parts.journal.write(JournalEntry(old=FIRST.name))
        content = (home / "update.journal").read_bytes()
        (home / "update.journal").write_bytes(content + b'{"schema":"loo')
        assert parts.journal.pending() == JournalEntry(old=FIRST.name)

    def test_a_journal_that_is_none_is_reported_with_its_path(self, parts: Parts, home: Path) -> None:
        (home / "update.journal").write_bytes(b"nonsense\n")
        with pytest.raises(LoopXError) as caught:
            parts.journal.pending()
        assert (caught.value.code, caught.value.reason) == ("state_error", "corrupt")
        assert str(home / "update.journal") in caught.value.detail

    def test_links_and_pipes_in_a_tree_fit_no_list(self, parts: Parts, home: Path) -> None:
        with unpacked(parts, FIRST.content) as root:
            Path(root, "lib", "link").symlink_to("/etc/passwd")
            os.mkfifo(f"{root}/lib/pipe")
            measured = asyncio.run(parts.tree.measure(root))
        assert measured["lib/link"].sha256 == measured["lib/pipe"].sha256 == ""

    def test_bytecode_is_not_measured(self, parts: Parts) -> None:
        with unpacked(parts, FIRST.content) as root:
            Path(root, "lib", "__pycache__").mkdir()
            Path(root, "lib", "__pycache__", "x.pyc").touch()
            assert asyncio.run(parts.tree.measure(root)).keys() == {ENTRY, "lib/loopx/__init__.py"}

    def test_the_place_is_told_also_before_it_is_there(self, tmp_path: Path) -> None:
        place = on_disk(tmp_path / "not" / "yet").place.inspect()
        assert place.path == str(tmp_path / "not" / "yet")
        assert (place.owner, place.user, place.writable) == (os.geteuid(), os.geteuid(), True)
        assert place.free > 0

    def test_the_host_is_one_that_a_release_of_it_fits(self, parts: Parts) -> None:
        host = parts.host.host()
        assert host.python == Version.parse(host.python.text)
        assert Path(host.interpreter).is_file()
        assert not Path(host.interpreter).is_symlink()
        assert host.platform.count("-") in {1, 2}


def test_phases_are_told_apart() -> None:
    entry = JournalEntry(old="a").storing("b")
    assert (entry.phase, entry.fresh) == (Phase.STORING, True)
    assert entry.switching("b").phase is Phase.SWITCHING
    assert entry.switching("b").confirmed().phase is Phase.CONFIRMED
    assert entry.switching("b").returning().phase is Phase.RETURNING
