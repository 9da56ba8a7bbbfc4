"""The wheel as a user has it: installed into an environment of its own, run from another folder."""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from architecture.checkout import run

pytestmark = pytest.mark.xdist_group("wheel")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment that holds the wheel.

    No index is asked: third-party packages are read from where the tests have them. A path file adds
    them behind the environment's own, and the path files there (this checkout's among them) stay unread.
    """
    home = tmp_path_factory.mktemp("installed")
    run([sys.executable, "-m", "venv", "--without-pip", str(home)], cwd=home)
    python = home / "bin" / "python"
    (purelib,) = run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], cwd=home
    ).splitlines()
    Path(purelib, "third-party.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    run([*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)], cwd=home)
    return python.parent


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def output(command: list[str | Path], cwd: Path) -> str:
    answer = subprocess.run(
        command,
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "Traceback" not in answer.stderr
    return answer.stdout


def test_the_installed_package_is_the_one_that_runs(installed: Path, tmp_path: Path) -> None:
    where = output(
        [installed / "python", "-c", "import loopx.domain; print(loopx.domain.__file__)"], tmp_path
    )
    assert Path(where.strip()).is_relative_to(installed.parent)


def test_the_command_tells_its_version(installed: Path, tmp_path: Path) -> None:
    assert re.fullmatch(r"loopx\b.* \d+\.\d+\.\d+\S*\n", output([installed / "loopx", "--version"], tmp_path))


def test_the_module_tells_the_same_version(installed: Path, tmp_path: Path) -> None:
    command = output([installed / "loopx", "--version"], tmp_path)
    assert output([installed / "python", "-m", "loopx", "--version"], tmp_path) == command


def test_the_demo_prints_the_queue(installed: Path, tmp_path: Path) -> None:
    queue = output([installed / "loopx", "demo"], tmp_path)
    assert len(re.findall(r"#\d+", queue)) > 1
