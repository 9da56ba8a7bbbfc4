"""Several processes that update at the same moment: one after the other, and nothing is lost."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fakes.releases import Packed, pack
from fakes.update_child import REFUSED, Order, Workshop, bench_at

FIRST = pack("0.1.0")
LATER = [pack(f"0.{number}.0") for number in range(2, 5)]


def update(home: Path, archive: Path, packed: Packed) -> int:
    archive.write_bytes(packed.content)
    with Workshop() as workshop:
        return workshop.run(Order(deed="update", home=str(home), archive=str(archive), sha256=packed.sha256))


def test_the_same_update_in_four_processes_is_done_once(tmp_path: Path) -> None:
    home = tmp_path / "home"
    bench_at(home).update(FIRST)
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(update, home, tmp_path / f"archive-{number}", LATER[0]) for number in range(4)]
    assert [job.result() for job in jobs] == [0] * 4
    assert {each.name: each.standing.value for each in bench_at(home).versions()} == {
        LATER[0].name: "current",
        FIRST.name: "previous",
    }


def test_of_different_updates_the_newest_wins_and_none_goes_back(tmp_path: Path) -> None:
    home = tmp_path / "home"
    bench_at(home).update(FIRST)
    with ThreadPoolExecutor(len(LATER)) as pool:
        jobs = [pool.submit(update, home, tmp_path / each.name, each) for each in LATER]
    codes = [job.result() for job in jobs]
    # An older one that came after a newer one is refused.
    assert codes[-1] == 0
    assert set(codes) <= {0, REFUSED}
    assert bench_at(home).current == LATER[-1].name
    assert bench_at(home).recover() is None
    assert list((home / "staging").iterdir()) == []
