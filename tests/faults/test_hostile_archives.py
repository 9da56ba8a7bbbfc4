"""Every archive that somebody could send, extracted by the real adapter in processes that are watched."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fakes.hostile_archives import CASES
from fakes.hostile_archives.case import Case
from fakes.tar_bytes import END, file, gz_repeating, header, targz
from loopx.domain.error_table import ERROR_TABLE

MAXIMUM_SECONDS = 5
MAXIMUM_KIB = 256 * 1024
TESTS = Path(__file__).resolve().parent.parent

Outcome = Mapping[str, Any]


def run(archives: Sequence[bytes], folder: Path) -> list[Outcome]:
    """What becomes of each archive in the runner."""
    inbox = folder / "archives"
    inbox.mkdir(parents=True)
    for number, archive in enumerate(archives):
        (inbox / f"{number:04}").write_bytes(archive)
    (folder / "all").mkdir()
    program = subprocess.run(
        [sys.executable, "-m", "fakes.hostile_archives.runner", inbox, folder / "all" / "world"],
        env=os.environ | {"PYTHONPATH": str(TESTS)},
        check=True,
        capture_output=True,
    )
    shutil.rmtree(folder)
    return [json.loads(line) for line in program.stdout.splitlines()]


def expected(case: Case) -> dict[str, str]:
    """As ``describe`` in the runner."""
    return {
        path: "755"
        if content is None
        else f"{'755' if path in case.executable else '644'} {hashlib.sha256(content).hexdigest()}"
        for path, content in case.tree.items()
    }


def objections(case: Case, outcome: Outcome) -> list[str]:
    wanted = None if case.reason is None else f"archive_error/{case.reason}"
    rules = {
        f"{outcome['error']} instead of {wanted}: {outcome['message']}": outcome["error"] == wanted,
        f"there is {outcome['tree']}": outcome["tree"] == expected(case),
        "something outside was touched": outcome["untouched"],
        f"took {outcome['seconds']} s": outcome["seconds"] < MAXIMUM_SECONDS,
        f"took {outcome['peak_kib']} KiB": outcome["peak_kib"] < MAXIMUM_KIB,
    }
    return [objection for objection, is_kept in rules.items() if not is_kept]


def test_there_are_at_least_120_kinds() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 120


def test_every_documented_reason_is_met() -> None:
    documented = {reason for code, reason in ERROR_TABLE if code == "archive_error"}
    assert {case.reason for case in CASES if case.reason} == documented - {"changed"}


def test_every_archive_is_refused_or_extracted_as_documented(tmp_path: Path) -> None:
    # One test, because each worker would have to run the program for its share of many.
    outcomes = run([case.build() for case in CASES], tmp_path / "hostile")
    found = {case.name: objections(case, outcome) for case, outcome in zip(CASES, outcomes, strict=True)}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_memory_does_not_grow_with_the_content(tmp_path: Path) -> None:
    unit = os.urandom(1 << 20)
    large = gz_repeating(header(b"top/noise", size=48 << 20), unit, 48, end=END)
    small, big = run([targz(file(b"top/a")), large], tmp_path / "flat")
    assert (small["error"], big["error"]) == (None, None)
    assert big["peak_kib"] - small["peak_kib"] < 8 * 1024
