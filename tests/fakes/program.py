"""The program under test as a process of its own, as a user starts it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

CHECKOUT: Final = Path(__file__).resolve().parents[2]
PATIENCE: Final = 60.0
"""Seconds; a process that takes longer hangs."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What a run left behind."""

    code: int
    stdout: str
    stderr: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Stdout as NDJSON."""
        return [json.loads(line) for line in self.stdout.splitlines()]

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        """The NDJSON objects of one type."""
        return [line for line in self.lines if line["type"] == kind]

    @property
    def error(self) -> dict[str, Any]:
        """The fatal error on stderr, as JSON; talk may stand before it."""
        found: dict[str, Any] = json.loads(self.stderr.splitlines()[-1])["error"]
        return found


def start(
    *arguments: str, environment: Mapping[str, str] | None = None, **options: Any
) -> subprocess.Popen[str]:
    """Start ``loopx`` with pipes, on this checkout's code."""
    return subprocess.Popen(
        [sys.executable, "-m", "loopx", *arguments],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT / "src"), **(environment or {})},
        text=True,
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
    )


def run(*arguments: str, environment: Mapping[str, str] | None = None, **options: Any) -> Finished:
    """Run ``loopx`` to its end."""
    process = start(*arguments, environment=environment, **options)
    try:
        stdout, stderr = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return Finished(process.returncode, stdout, stderr)


# The high-water mark of the process itself: what wait4 tells includes the parent it was forked from.
_MEASURED: Final = """
import re, sys
from pathlib import Path
from loopx.entrypoints.cli import main
report = Path(sys.argv.pop(1))
try:
    main()
finally:
    report.write_text(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


def peak_memory(report: Path, *arguments: str) -> int:
    """The most memory that a run of ``loopx`` held at once, in KiB; its output is read by nobody."""
    subprocess.run(
        [sys.executable, "-c", _MEASURED, str(report), *arguments],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT / "src")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
        timeout=PATIENCE,
    )
    return int(report.read_text())


def scan(repository: str, *more: object) -> tuple[str, ...]:
    """The arguments of the scan that a program asks for."""
    return ("capability", "run", "pr_review", "--repo", repository, "--output", "ndjson", *map(str, more))
