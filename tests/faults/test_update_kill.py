"""kill -9 before every change that an update makes to the disk: old or new, and nothing left behind."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fakes.releases import FAILING_THROUGH_POINTER, Packed, pack
from fakes.update_child import REFUSED, Order, Workshop, bench_at

KILLED = -9
FIRST, SECOND = pack("0.1.0"), pack("0.2.0")
SICK = pack("0.2.0", script=FAILING_THROUGH_POINTER)
LATER = tuple(pack(f"0.{number}.0") for number in range(3, 6))


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    with Workshop() as made:
        yield made


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A deed on a prepared home; ``allowed`` is what may be started after a kill, the last at the end."""

    deed: str
    before: tuple[Packed, ...]
    release: Packed | None
    allowed: tuple[str | None, ...]
    kept: frozenset[str]
    exit_code: int = 0
    killed_before: int = 0
    least: int = 6


CASES = {
    "first": Case(
        deed="update",
        before=(),
        release=FIRST,
        allowed=(None, FIRST.name),
        kept=frozenset({FIRST.name}),
        least=15,
    ),
    "update": Case(
        deed="update",
        before=(FIRST,),
        release=SECOND,
        allowed=(FIRST.name, SECOND.name),
        kept=frozenset({FIRST.name, SECOND.name}),
        least=20,
    ),
    "roll back": Case(
        deed="roll_back",
        before=(FIRST, SECOND),
        release=None,
        allowed=(SECOND.name, FIRST.name),
        kept=frozenset({FIRST.name, SECOND.name}),
    ),
    "return": Case(
        deed="update",
        before=(FIRST,),
        release=SICK,
        allowed=(FIRST.name, SICK.name, FIRST.name),
        kept=frozenset({FIRST.name}),
        exit_code=REFUSED,
        least=20,
    ),
    "collect": Case(
        deed="update",
        before=(FIRST, SECOND, LATER[0]),
        release=LATER[1],
        allowed=(LATER[0].name, LATER[1].name),
        kept=frozenset({SECOND.name, LATER[0].name, LATER[1].name}),
        least=20,
    ),
}


def prepare(home: Path, case: Case) -> None:
    for release in case.before:
        bench_at(home).update(release)


def started(home: Path) -> str | None:
    """What the pointer starts: it must answer, with the version that its name says."""
    name = bench_at(home).current
    if name is None:
        return None
    launcher = home / "current" / "bin" / "loopx"
    answer = subprocess.run([launcher, "--version"], capture_output=True, text=True, check=False)
    # The sick one works only when it is started by its own path.
    if name != SICK.name:
        assert answer.stdout == f"loopx {name.rpartition('-')[0]}\n"
    return name


def leftovers(home: Path) -> set[str]:
    """Whatever lies in a home besides versions, pointers, marks and locks."""
    usual = {"current", "previous", "versions", "bad", "staging", "update.lock", "staging.lock"}
    found = {path.name for path in home.iterdir()} - usual if home.exists() else set[str]()
    for folder in ("staging", "versions", "bad"):
        names = {path.name for path in (home / folder).glob("*")} | {
            path.name for path in (home / folder).glob(".*")
        }
        found |= {f"{folder}/{name}" for name in names if folder == "staging" or name.startswith(".")}
    return found


def points(
    workshop: Workshop, tmp_path: Path, case: Case, check: Callable[[Path], None], stride: int = 1
) -> int:
    """Run the deed again and again, killed so many changes later each time; the last of them."""
    archive, template = tmp_path / "archive", tmp_path / "template"
    archive.write_bytes(case.release.content if case.release else b"")
    order = Order(deed=case.deed, home="", archive=str(archive) if case.release else "")
    if case.release:
        order = replace(order, sha256=case.release.sha256)
    for number in range(1, 1000, stride):
        home = tmp_path / f"home-{number}"
        if template.exists():
            shutil.copytree(template, home, symlinks=True)
        code = workshop.run(replace(order, home=str(home), kill_at=number))
        check(home)
        shutil.rmtree(home, ignore_errors=True)
        if code != KILLED:
            assert code == case.exit_code
            return number - stride
    raise AssertionError("it never came to its end")


@pytest.mark.parametrize("name", CASES)
def test_killed_before_any_change_it_is_old_or_new(workshop: Workshop, tmp_path: Path, name: str) -> None:
    case = CASES[name]

    def check(home: Path) -> None:
        assert started(home) in case.allowed
        bench = bench_at(home)
        bench.recover()
        assert leftovers(home) == set()
        assert started(home) in {case.allowed[0], case.allowed[-1]}
        assert bench.parts.journal.pending() is None
        here = {each.name for each in bench.parts.store.found().installed}
        assert here <= case.kept | {release.name for release in case.before}
        assert all(each.seal for each in bench.parts.store.found().installed)

    prepare(tmp_path / "template", case)
    assert points(workshop, tmp_path, case, check) >= case.least


def test_killed_while_recovering_it_recovers_at_the_next_start(workshop: Workshop, tmp_path: Path) -> None:
    """Each point of each case whose recovery has something to do, and each point of that recovery."""
    killed = 0
    for name, number in (("update", 12), ("update", 18), ("return", 20), ("return", 22)):
        case = CASES[name]
        folder = tmp_path / f"{name}-{number}"
        prepare(folder / "template", case)
        archive = folder / "archive"
        assert case.release is not None
        archive.write_bytes(case.release.content)
        order = Order(
            deed="update", home=str(folder / "template"), archive=str(archive), sha256=case.release.sha256
        )
        assert workshop.run(replace(order, kill_at=number)) == KILLED

        def check(home: Path, case: Case = case) -> None:
            assert started(home) in case.allowed
            bench_at(home).recover()
            assert leftovers(home) == set()
            assert started(home) in {case.allowed[0], case.allowed[-1]}

        recovery = replace(case, deed="recover", release=None, exit_code=0)
        killed += points(workshop, folder, recovery, check)
    assert killed >= 10


@pytest.mark.parametrize("name", ["first", "update"])
def test_after_any_kill_the_same_update_goes_through(workshop: Workshop, tmp_path: Path, name: str) -> None:
    case = CASES[name]
    release = case.release
    assert release is not None

    def check(home: Path) -> None:
        bench_at(home).update(release)
        assert started(home) == release.name
        assert leftovers(home) == set()

    prepare(tmp_path / "template", case)
    assert points(workshop, tmp_path, case, check, stride=4) >= case.least
