"""The launcher of a release: the pointer is resolved once, nothing foreign gets in, a lock says it runs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from architecture.checkout import ROOT
from loopx.adapters.filesystem.version_store import FileVersionStore

OLD, NEW = "0.1.0-aaaaaaaaaaaa", "0.2.0-bbbbbbbbbbbb"

# A program in the place of LoopX: it tells what is around it, and what it imports only when it is told to.
PROGRAM = """
import sys
import loopx

def main():
    flags = sys.flags
    if sys.argv[1:] == ["wait"]:
        print("ready", flush=True)
        sys.stdin.readline()
        from loopx.late import VERSION
        print(VERSION)
        return
    print(loopx.VERSION, flags.isolated, flags.no_site, flags.dont_write_bytecode, *sys.argv[1:])
    print(*sys.path, sep="\\n")
"""


@dataclass(frozen=True, slots=True)
class Home:
    """A data home with two versions."""

    path: Path

    @property
    def launcher(self) -> Path:
        return self.path / "current" / "bin" / "loopx"

    def version(self, name: str) -> Path:
        return self.path / "versions" / name

    def point(self, name: str) -> None:
        new = self.path / "new"
        new.symlink_to(f"versions/{name}")
        new.replace(self.path / "current")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "data home")
    for name in (OLD, NEW):
        folder = home.version(name)
        shutil.copytree(
            ROOT / "scripts" / "launch", folder / "bin", ignore=shutil.ignore_patterns("__pycache__")
        )
        package = folder / "lib" / "loopx"
        (package / "entrypoints").mkdir(parents=True)
        (package / "__init__.py").write_text(f"VERSION = {name!r}\n")
        (package / "late.py").write_text(f"VERSION = {name!r}\n")
        (package / "entrypoints" / "__init__.py").touch()
        (package / "entrypoints" / "cli.py").write_text(PROGRAM)
        (folder / "interpreter").write_text(f"{Path(sys.executable).resolve()}\n")
    home.point(OLD)
    return home


def output(*words: str | Path, **environment: str) -> list[str]:
    answer = subprocess.run(words, capture_output=True, text=True, check=False, env=environment, timeout=30)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.splitlines()


def test_it_runs_isolated_with_nothing_but_its_own_version_and_the_standard_library(
    home: Home, tmp_path: Path
) -> None:
    foreign = tmp_path / "foreign"
    (foreign / "loopx").mkdir(parents=True)
    (foreign / "loopx" / "__init__.py").write_text("raise SystemExit('foreign code ran')")
    told, *path = output(home.launcher, "a b", PYTHONPATH=str(foreign), PYTHONSTARTUP="/x", HOME=str(foreign))
    assert told == f"{OLD} 1 1 1 a b"
    assert path[0] == str(home.version(OLD) / "lib")
    assert not any("site-packages" in entry or str(foreign) in entry for entry in path)


def test_it_is_found_through_links_from_anywhere(home: Home, tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "one").symlink_to(home.launcher)
    (tmp_path / "programs" / "two").symlink_to("one")
    assert output(tmp_path / "programs" / "two")[0].startswith(OLD)
    path = f"{tmp_path / 'programs'}:{os.environ['PATH']}"
    assert output("/bin/sh", "-c", "cd / && two", PATH=path)[0].startswith(OLD)


def test_without_its_interpreter_it_finds_another_one(home: Home, tmp_path: Path) -> None:
    (home.version(OLD) / "interpreter").write_text("/gone/python\n")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python3").symlink_to(Path(sys.executable).resolve())
    assert output(home.launcher, PATH=f"{programs}:/usr/bin:/bin")[0].startswith(OLD)
    (home.version(OLD) / "interpreter").unlink()
    assert output(home.launcher, PATH=f"{programs}:/usr/bin:/bin")[0].startswith(OLD)


def test_without_any_interpreter_it_says_so(home: Home, tmp_path: Path) -> None:
    (home.version(OLD) / "interpreter").unlink()
    (tmp_path / "empty").mkdir()
    answer = subprocess.run(
        ["/bin/sh", home.version(OLD) / "bin" / "loopx"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": str(tmp_path / "empty")},
    )
    assert answer.returncode == 69
    assert "no Python 3.11" in answer.stderr


@pytest.fixture
def waiting(home: Home) -> Iterator["subprocess.Popen[str]"]:
    """A program that runs from the old version, and has not imported everything yet."""
    with subprocess.Popen(
        [home.launcher, "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def test_a_running_program_stays_with_its_version_when_the_pointer_moves(
    home: Home, waiting: "subprocess.Popen[str]"
) -> None:
    home.point(NEW)
    assert output(home.launcher)[0].startswith(NEW)
    told, _ = waiting.communicate("go on\n", timeout=30)
    assert told == f"{OLD}\n"


def test_a_version_is_not_removed_while_a_program_runs_from_it(
    home: Home, waiting: "subprocess.Popen[str]"
) -> None:
    home.point(NEW)
    store = FileVersionStore(str(home.path))
    assert store.remove(OLD) is False
    told, _ = waiting.communicate("go on\n", timeout=30)
    assert told == f"{OLD}\n"
    assert store.remove(OLD) is True
    assert not home.version(OLD).exists()


def test_who_comes_too_late_to_a_removed_version_is_led_to_the_current_one(home: Home) -> None:
    program = "import runpy, sys; runpy.run_path(sys.argv[1])['hold'](sys.argv.pop(2)); print('stayed')"
    start = str(home.version(OLD) / "bin" / "start.py")
    gone = str(home.version("0.0.1-cccccccccccc"))
    words = (sys.executable, "-c", program, start)
    assert output(*words, gone)[0].startswith(f"{OLD} ")
    # Not in a circle: once led elsewhere, it goes on as it is.
    assert output(*words, gone, LOOPX_GONE=gone) == ["stayed"]
