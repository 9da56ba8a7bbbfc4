"""The parts of the store that only a real disk and real threads have."""

import asyncio
import os
from pathlib import Path
from threading import Event

import pytest

from fakes.extension_bench import NAME, Bench, Site, archive_of, disk_bench, files_of, sha256_of
from loopx.adapters.filesystem.background import in_background
from loopx.adapters.filesystem.syncing import sync_tree
from loopx.domain.registry.tree import Change, Difference

ONE = archive_of(files_of("1.0.0"))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    site = Site()
    bench = disk_bench(tmp_path, site)
    bench.add(site.offer("/one", ONE))
    bench.install()
    return bench


def content(tmp_path: Path) -> Path:
    return tmp_path / "data" / "extensions" / sha256_of(ONE) / "content"


def differences(bench: Bench) -> tuple[Difference, ...]:
    (found,) = bench.verify()
    return found.differences


def test_a_link_to_the_same_content_is_not_the_file(bench: Bench, tmp_path: Path) -> None:
    path = content(tmp_path) / "quotes" / "units.py"
    path.rename(tmp_path / "same.py")
    path.symlink_to(tmp_path / "same.py")
    assert differences(bench) == (Difference("quotes/units.py", Change.CHANGED),)


def test_a_link_in_place_of_a_folder_is_not_followed(bench: Bench, tmp_path: Path) -> None:
    path = content(tmp_path) / "quotes"
    path.rename(tmp_path / "quotes")
    path.symlink_to(tmp_path / "quotes")
    assert differences(bench) == (
        Difference("quotes", Change.UNEXPECTED),
        Difference("quotes/__init__.py", Change.MISSING),
        Difference("quotes/units.py", Change.MISSING),
    )


def test_a_pipe_in_the_tree_holds_nothing_up(bench: Bench, tmp_path: Path) -> None:
    os.mkfifo(content(tmp_path) / "pipe")
    assert differences(bench) == (Difference("pipe", Change.UNEXPECTED),)


def test_a_listing_that_was_changed_too_accuses_no_file_and_passes_none(bench: Bench, tmp_path: Path) -> None:
    listing = content(tmp_path).parent / "files.json"
    unit = content(tmp_path) / "quotes" / "units.py"
    before = sha256_of(unit.read_bytes())
    unit.write_bytes(b"import os")
    listing.write_text(listing.read_text().replace(before, sha256_of(b"import os")))
    assert differences(bench) == (Difference("files.json", Change.CHANGED),)
    unit.write_bytes(files_of("1.0.0")["quotes/units.py"])
    assert differences(bench) == ()


def test_nobody_else_can_read_what_is_staged_or_stored(bench: Bench, tmp_path: Path) -> None:
    with bench.store.stage() as area:
        assert Path(area.tree).stat().st_mode & 0o077 == 0
        assert Path(area.tree).parent.stat().st_mode & 0o077 == 0
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0
    assert (tmp_path / "data" / "approvals.json").stat().st_mode & 0o077 == 0


def test_what_is_not_a_tree_among_the_trees_is_left_alone(bench: Bench, tmp_path: Path) -> None:
    note = tmp_path / "data" / "extensions" / "README"
    note.write_text("mine")
    bench.remove()
    assert [path.name for path in note.parent.iterdir()] == ["README"]


def test_files_are_synced_one_by_one_where_a_whole_file_system_cannot_be(
    bench: Bench, tmp_path: Path
) -> None:
    asked: list[Path] = []

    def cannot(root: Path) -> bool:
        asked.append(root)
        return False

    sync_tree(content(tmp_path), at_once=cannot)
    sync_tree(content(tmp_path))
    assert asked == [content(tmp_path)]


def test_a_cancelled_caller_goes_on_only_when_the_work_is_over() -> None:
    ended: list[str] = []

    async def main() -> None:
        begun, go_on = Event(), Event()

        def work() -> None:
            begun.set()
            go_on.wait(10)
            ended.append("work")

        async def caller() -> None:
            try:
                await in_background(work)
            finally:
                ended.append("caller")

        task = asyncio.create_task(caller())
        await asyncio.to_thread(begun.wait, 10)
        task.cancel()
        await asyncio.to_thread(go_on.set)
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert ended == ["work", "caller"]


def test_what_is_loaded_is_what_was_verified_whatever_happens_to_the_disk(
    bench: Bench, tmp_path: Path
) -> None:
    code = bench.running()[NAME]
    (content(tmp_path) / "quotes" / "units.py").write_bytes(b"raise SystemExit")
    assert code.files == files_of("1.0.0")
