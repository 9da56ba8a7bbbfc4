"""Extract every archive of a folder, each in a process of its own whose time and memory are measured.

``python -m fakes.hostile_archives.runner ARCHIVES WORLD`` writes one JSON object a line. The archives
are extracted to ``WORLD/staging``; the rest of the world must stay as it is.
"""

import asyncio
import hashlib
import json
import os
import resource
import shutil
import sys
from pathlib import Path

from loopx.adapters.tarball.archive_reader import TarballReader
from loopx.domain.archives.limits import DEFAULT_LIMITS
from loopx.domain.errors import LoopXError

CPU_SECONDS = 20
ESCAPED = Path("/tmp/loopx-escaped")  # noqa: S108 - what the absolute names of places.py name


def describe(path: Path) -> str:
    found = path.lstat()
    mode = f"{found.st_mode & 0o7777:o}"
    if path.is_symlink():
        return f"link to {path.readlink()}"
    return f"{mode} {hashlib.sha256(path.read_bytes()).hexdigest()}" if path.is_file() else mode


def tree(root: Path, *, without: Path | None = None) -> dict[str, str]:
    return {
        str(path.relative_to(root)): describe(path)
        for path in sorted(root.rglob("*"))
        if without is None or not path.is_relative_to(without)
    }


def surroundings(world: Path) -> object:
    """All of the world but the staging directory, with times, and whether an absolute name was followed."""
    staging = world / "staging"
    times = {
        str(path): path.lstat().st_mtime_ns for path in world.rglob("*") if not path.is_relative_to(staging)
    }
    return tree(world, without=staging), times, ESCAPED.exists(), tree(world.parent, without=world)


def extract(archive: Path, staging: Path) -> dict[str, object]:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    try:
        with archive.open("rb") as source:
            summary = asyncio.run(TarballReader().extract(source, str(staging), DEFAULT_LIMITS))
    except LoopXError as error:
        return {"error": f"{error.code}/{error.reason}", "message": str(error)}
    except BaseException as error:  # noqa: BLE001 - whatever else it is, the test must see it
        return {"error": repr(error), "message": ""}
    return {"error": None, "message": str(summary)}


def in_child(archive: Path, staging: Path) -> dict[str, object]:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, json.dumps(extract(archive, staging)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    usage = os.wait4(child, 0)[2]
    outcome: dict[str, object] = json.loads(answer or b'{"error": "killed", "message": ""}')
    # Of the processor, so that a busy machine is not taken for a slow archive.
    return outcome | {"seconds": usage.ru_utime + usage.ru_stime, "peak_kib": usage.ru_maxrss}


def main(archives: Path, world: Path) -> None:
    staging = world / "staging"
    outside = world / "outside"
    outside.mkdir(parents=True)
    (outside / "kept").write_text("kept\n")
    (outside / "x").write_text("kept\n")
    for archive in sorted(archives.iterdir()):
        staging.mkdir(mode=0o700)
        before = surroundings(world)
        outcome = in_child(archive, staging)
        kept = {"tree": tree(staging), "untouched": surroundings(world) == before}
        sys.stdout.write(json.dumps({"archive": archive.name} | outcome | kept) + "\n")
        shutil.rmtree(staging)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
