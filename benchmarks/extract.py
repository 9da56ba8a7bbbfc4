"""Measure what strict extraction costs beside tarfile.

Both sides hash the archive of 1,200 files with SHA-256 and extract it into a fresh directory; ours
also reads it once before anything is written. Runs go in pairs, so that a busy machine slows both
sides alike. The promise is a ratio of medians of at most 1.5; the exit code is 1 when it is not kept.
"""

import argparse
import asyncio
import hashlib
import random
import statistics
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from loopx.adapters.tarball.archive_reader import TarballReader
from loopx.adapters.tarball.archive_writer import TarballWriter
from loopx.domain.archives.limits import DEFAULT_LIMITS

BAR = 1.5
FILES = 1_200
WORDS = ("return", "value", "import", "self", "None", "for", "if", "request", "answer", "=", "(", ")", ":")


def plant(tree: Path) -> None:
    """An extension of plausible shape: packages three levels deep, files of 0 to 30 KiB of code-like text."""
    chance = random.Random(20_261_130)  # noqa: S311 - the same tree in every run
    for number in range(FILES):
        folder = tree / f"package_{number % 10}" / f"part_{number % 60}"
        folder.mkdir(parents=True, exist_ok=True)
        text = " ".join(chance.choices(WORDS, k=chance.randrange(4_000))) + f"\n# {chance.random()}\n"
        (folder / f"module_{number}.py").write_text(text, encoding="utf-8")


def ours(archive: Path, destination: Path) -> None:
    destination.mkdir()
    with archive.open("rb") as source:
        hashlib.file_digest(source, "sha256")
        asyncio.run(TarballReader().extract(source, str(destination), DEFAULT_LIMITS))


def tarfiles(archive: Path, destination: Path) -> None:
    with archive.open("rb") as source:
        hashlib.file_digest(source, "sha256")
        source.seek(0)
        with tarfile.open(fileobj=source, mode="r:gz") as tar:
            tar.extractall(destination, filter="data")


def milliseconds(extract: Callable[[Path, Path], None], archive: Path, destination: Path) -> float:
    started = time.perf_counter()
    extract(archive, destination)
    return (time.perf_counter() - started) * 1000


def measure(pairs: int, folder: Path) -> tuple[float, float]:
    """The medians of both in ms; each pair runs in the opposite order of the one before."""
    plant(folder / "tree")
    archive = folder / "tree.tar.gz"
    asyncio.run(TarballWriter().pack(str(folder / "tree"), str(archive), top="tree", limits=DEFAULT_LIMITS))
    print(f"archive                   {archive.stat().st_size / 1024:6.0f} KiB  ({FILES} files)")
    times: dict[bool, list[float]] = {True: [], False: []}
    for number in range(pairs + 1):  # the first pair warms up and does not count
        for is_ours in (True, False) if number % 2 else (False, True):
            destination = folder / f"{number}-{is_ours}"
            took = milliseconds(ours if is_ours else tarfiles, archive, destination)
            if number:
                times[is_ours].append(took)
    return statistics.median(times[True]), statistics.median(times[False])


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=11)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        own, baseline = measure(options.pairs, Path(folder))
    ratio = own / baseline
    print(f"tarfile, filter='data'    {baseline:6.1f} ms  (median of {options.pairs})")
    print(f"loopx                     {own:6.1f} ms")
    print(f"ratio                     {ratio:6.2f}     (at most {BAR})")
    return 0 if ratio <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
