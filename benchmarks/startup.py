"""Measure what ``loopx --version`` costs beside the smallest program that imports click.

Whole processes, run in pairs, so that a busy machine slows both sides alike. The promise is a
ratio of medians of at most 1.5; the exit code is 1 when it is not kept.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

BAR = 1.5


def milliseconds(command: list[str], environment: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return (time.perf_counter() - started) * 1000


def measure(pairs: int, ours: list[str], baseline: list[str]) -> tuple[float, float]:
    """The medians of both commands in ms; each pair runs in the opposite order of the one before."""
    # The working directory's modules and the caller's Python settings are no part of the question.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    for command in (ours, baseline):  # byte code is compiled once, and not in the measurement
        milliseconds(command, environment)
    times: dict[bool, list[float]] = {True: [], False: []}
    for number in range(pairs):
        for is_ours in (True, False) if number % 2 else (False, True):
            times[is_ours].append(milliseconds(ours if is_ours else baseline, environment))
    return statistics.median(times[True]), statistics.median(times[False])


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=41)
    parser.add_argument(
        "--python", type=Path, default=Path(sys.executable), help="of the environment to measure"
    )
    options = parser.parse_args()
    loopx = options.python.parent / "loopx"
    ours, baseline = measure(
        options.pairs, [str(loopx), "--version"], [str(options.python), "-c", "import click"]
    )
    ratio = ours / baseline
    print(f"python -c 'import click'  {baseline:6.1f} ms  (median of {options.pairs})")
    print(f"loopx --version           {ours:6.1f} ms")
    print(f"ratio                     {ratio:6.2f}     (at most {BAR})")
    return 0 if ratio <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
