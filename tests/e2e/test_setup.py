"""The set-up behind ``make demo`` and ``make test``, with interpreters that only pretend to install."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from architecture.checkout import ROOT

TOOLS = ("cat", "cksum", "dirname", "mkdir", "ps", "rm", "sed", "sleep")

# Real but for two things: a venv is this script copied, and what pip is asked for is written down.
PYTHON = f"""#!/bin/sh
case "$2 $3 $4" in
    "-m venv "*) mkdir -p "$4/bin"; cp "$0" "$4/bin/python" ;;
    "-m pip install") echo "$@" >>pip.log; exit "${{PIP_ENDS_WITH:-0}}" ;;
    "-m pip --version") ;;
    *) exec {sys.executable} "$@" ;;
esac
"""
SHIM = "#!/bin/sh\necho 'pyenv: python3.13: command not found' >&2\nexit 127\n"
OLD = "#!/bin/sh\necho 'is Python 3.9, older than 3.11' >&2\nexit 1\n"


@dataclass(frozen=True)
class Machine:
    """A checkout and a PATH on which lies what a test puts there."""

    checkout: Path
    path: Path

    def has(self, name: str, program: str) -> None:
        file = self.path / name
        file.write_text(program, encoding="utf-8")
        file.chmod(0o755)

    def set_up(self, level: str = "runtime", **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.path), **variables}
        command = [str(self.checkout / "scripts" / "setup.sh"), level]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=60
        )

    def asked_of_pip(self) -> list[str]:
        """What pip was asked for since the last time."""
        log = self.checkout / "pip.log"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    checkout = tmp_path / "checkout"
    for folder in ("scripts", "requirements"):
        shutil.copytree(ROOT / folder, checkout / folder)
    for name in ("pyproject.toml", "setup.py"):
        shutil.copy(ROOT / name, checkout)
    path = tmp_path / "bin"
    path.mkdir()
    for tool in (*TOOLS, "cp"):
        found = shutil.which(tool)
        assert found, tool
        (path / tool).symlink_to(found)
    return Machine(checkout, path)


@pytest.fixture
def ready(machine: Machine) -> Machine:
    """A machine on which the set-up has run."""
    machine.has("python3.11", PYTHON)
    assert machine.set_up().returncode == 0
    machine.asked_of_pip()
    return machine


def test_the_first_run_installs_with_hashes_and_then_the_checkout(machine: Machine) -> None:
    machine.has("python3.11", PYTHON)
    assert machine.set_up("test").returncode == 0
    pinned, own = machine.asked_of_pip()
    assert pinned.endswith("--require-hashes -r requirements/build.txt -r requirements/test.txt")
    assert own.endswith("--no-deps --no-build-isolation --editable .")


def test_the_second_run_does_nothing(ready: Machine) -> None:
    answer = ready.set_up()
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    assert ready.asked_of_pip() == []


def test_what_the_tests_need_is_enough_for_the_demo(ready: Machine) -> None:
    assert ready.set_up("test").returncode == 0
    assert len(ready.asked_of_pip()) == 2
    assert ready.set_up("runtime").stderr == ""


@pytest.mark.parametrize(
    "file", ["requirements/runtime.txt", "requirements/build.txt", "pyproject.toml", "setup.py"]
)
def test_a_change_of_what_was_installed_installs_again(ready: Machine, file: str) -> None:
    with (ready.checkout / file).open("a", encoding="utf-8") as text:
        text.write("# changed\n")
    assert ready.set_up().returncode == 0
    assert len(ready.asked_of_pip()) == 2


def test_an_interpreter_that_does_not_run_is_passed_over(machine: Machine) -> None:
    machine.has("python3.13", SHIM)
    machine.has("python3.12", OLD)
    machine.has("python3", PYTHON)
    assert machine.set_up().returncode == 0
    assert len(machine.asked_of_pip()) == 2


def test_without_an_interpreter_it_says_what_was_tried_and_what_to_do(machine: Machine) -> None:
    machine.has("python3.13", SHIM)
    machine.has("python3", OLD)
    answer = machine.set_up()
    assert answer.returncode == 1
    assert "python3.13: pyenv: python3.13: command not found\n" in answer.stderr
    assert "python3.12: not found\n" in answer.stderr
    assert "python3: is Python 3.9, older than 3.11\n" in answer.stderr
    assert "make PYTHON=/path/to/python3.11" in answer.stderr
    assert not (machine.checkout / ".venv").exists()


def test_an_interpreter_asked_for_by_name_is_not_replaced_by_another(machine: Machine) -> None:
    machine.has("python3.11", PYTHON)
    machine.has("mine", OLD)
    answer = machine.set_up(PYTHON="mine")
    assert answer.returncode == 1
    assert "mine: is Python 3.9" in answer.stderr


def test_what_was_cut_off_is_made_anew(ready: Machine) -> None:
    stale = ready.checkout / ".venv" / "half-written"
    stale.touch()
    (ready.checkout / ".venv" / ".loopx-unfinished").write_text("999999999\n", encoding="utf-8")
    assert ready.set_up().returncode == 0
    assert not stale.exists()
    assert len(ready.asked_of_pip()) == 2


def test_a_checkout_that_was_moved_is_set_up_anew(ready: Machine) -> None:
    elsewhere = ready.checkout.rename(ready.checkout.with_name("elsewhere"))
    moved = Machine(elsewhere, ready.path)
    assert moved.set_up().returncode == 0
    assert len(moved.asked_of_pip()) == 2


def test_when_pip_fails_it_says_so_and_the_next_run_goes_on(ready: Machine) -> None:
    kept = ready.checkout / ".venv" / "kept"
    kept.touch()
    answer = ready.set_up("dev", PIP_ENDS_WITH="1")
    assert answer.returncode == 1
    assert "Is the package index reachable?" in answer.stderr
    ready.asked_of_pip()
    assert ready.set_up("dev").returncode == 0
    assert len(ready.asked_of_pip()) == 2
    assert kept.exists()
