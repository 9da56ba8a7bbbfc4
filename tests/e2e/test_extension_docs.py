"""docs/extensions.md is true: its files pass, its commands run, its keys are all that there are."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.program import CHECKOUT, run
from loopx.domain.extensions import manifest_reader, unit_reader
from loopx.domain.extensions.limits import DEFAULT_HOST_LIMITS

PAGE = (CHECKOUT / "docs" / "extensions.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FILES = {name: content for _, name, content in BLOCKS if name}
COMMANDS = [line[2:] for kind, _, text in BLOCKS if kind == "console" for line in text.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The extension of the page."""
    for name, content in FILES.items():
        path = tmp_path / "page" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return tmp_path / "page"


def test_the_files_of_the_page_are_an_extension_that_passes_its_check(folder: Path) -> None:
    assert set(FILES) == {"extension.toml", "tea_shop/units.py", "tea_shop/prices.py", "test_units.py"}
    checked = run("extension", "check", str(folder))
    assert (checked.code, checked.stderr) == (0, "")


def test_the_test_of_the_page_passes(folder: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)],
        cwd=folder,
        env={"PYTHONPATH": f"{CHECKOUT / 'src'}:{folder}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    assert "1 passed" in ran.stdout


def test_the_commands_of_the_page_run_one_after_the_other(tmp_path: Path) -> None:
    assert len(COMMANDS) == 3
    for command in COMMANDS:
        program, *arguments = shlex.split(command, comments=True)
        assert program == "loopx"
        ran = run(*arguments, cwd=tmp_path)
        assert ran.code == 0, ran.stderr
    assert (tmp_path / "tea-shop-0.1.0.tar.gz").is_file()


def test_what_a_new_extension_begins_with_passes_its_own_test(tmp_path: Path) -> None:
    assert run("extension", "new", "first-one", cwd=tmp_path).code == 0
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(tmp_path / "first-one")],
        cwd=tmp_path / "first-one",
        env={"PYTHONPATH": f"{CHECKOUT / 'src'}:{tmp_path / 'first-one'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in ran.stdout
    # What pytest leaves behind is no part of it.
    packed = [run("extension", "pack", "first-one", "-o", "json", cwd=tmp_path).stdout for _ in range(2)]
    assert packed[0] == packed[1]
    assert '"files":4' in packed[0]


def test_every_key_is_explained() -> None:
    rows = [line.split("|") for line in PAGE.splitlines() if line.startswith("| `")]
    explained = {word for row in rows for word in re.findall(r"`([a-z_]+)`", "|".join(row))}
    keys = {*manifest_reader.KEYS, *unit_reader.UNIT_KEYS, *unit_reader.PARAMETER_KEYS}
    keys |= {*unit_reader.RECORD_KEYS, *unit_reader.FIELD_KEYS, "host", "methods", "slot"}
    assert keys - explained == set()
    assert {*unit_reader.SHAPES, *unit_reader.KINDS} - explained == set()


def test_the_limits_are_those_that_hold() -> None:
    limits = DEFAULT_HOST_LIMITS
    mebibyte = 1 << 20
    for words in (
        f"{limits.step:g} seconds",
        f"{limits.memory // (1 << 30)} GiB",
        f"at most {limits.head // mebibyte} MiB",
        f"a request {limits.body // mebibyte} MiB",
        f"together {limits.output // mebibyte} MiB",
    ):
        assert words in PAGE.replace("\n", " "), words
