"""Extract or pack on disks that fail, one fault after the other, in a process that may lose its limits.

``python -m fakes.failing_disk extract|pack SOURCE DESTINATION FAULTS`` takes a JSON list and writes one
JSON object a line. A fault is ``{"mount": OPTIONS}`` of a tmpfs, with ``"read_only": true`` if wanted, or
``{"limit": NAME, "value": N}`` of a resource; for NOFILE the value counts from what is open already.
Mounts need a mount namespace of one's own: ``unshare --mount``.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from loopx.adapters.tarball.archive_reader import TarballReader
from loopx.adapters.tarball.archive_writer import TarballWriter
from loopx.domain.archives.limits import DEFAULT_LIMITS
from loopx.domain.errors import LoopXError

Fault = dict[str, Any]


@contextmanager
def mounted(place: Path, fault: Fault) -> Generator[None]:
    if "mount" not in fault:
        yield
        return
    subprocess.run(["/bin/mount", "-t", "tmpfs", "-o", fault["mount"], "tmpfs", place], check=True)
    if fault.get("read_only"):
        subprocess.run(["/bin/mount", "-o", "remount,ro", place], check=True)
    yield
    subprocess.run(["/bin/umount", place], check=True)


@contextmanager
def limited(fault: Fault) -> Generator[None]:
    if "limit" not in fault:
        yield
        return
    kind = getattr(resource, f"RLIMIT_{fault['limit']}")
    soft, hard = resource.getrlimit(kind)
    value = fault["value"]
    if kind == resource.RLIMIT_NOFILE:
        value += max(int(path.name) for path in Path("/proc/self/fd").iterdir())
    resource.setrlimit(kind, (value, hard))
    try:
        yield
    finally:
        resource.setrlimit(kind, (soft, hard))


async def extract(source: Path, destination: Path, fault: Fault) -> None:
    await asyncio.to_thread(os.getpid)  # the thread is there before the limit is
    with source.open("rb") as archive, limited(fault):
        await TarballReader().extract(archive, str(destination), DEFAULT_LIMITS)


async def pack(source: Path, destination: Path, fault: Fault) -> None:
    await asyncio.to_thread(os.getpid)
    with limited(fault):
        await TarballWriter().pack(
            str(source), str(destination / "packed.tar.gz"), top="top", limits=DEFAULT_LIMITS
        )


def attempt(deed: str, source: Path, destination: Path, fault: Fault) -> dict[str, object]:
    try:
        asyncio.run((extract if deed == "extract" else pack)(source, destination, fault))
    except LoopXError as error:
        return {"error": f"{error.code}/{error.reason}", "detail": error.detail}
    return {"error": None, "detail": ""}


def main(deed: str, source: Path, destination: Path, faults: list[Fault]) -> None:
    for fault in faults:
        with mounted(destination, fault):
            outcome = attempt(deed, source, destination, fault)
            left = sorted(str(path.relative_to(destination)) for path in destination.rglob("*"))
        sys.stdout.write(json.dumps({"fault": fault} | outcome | {"left": left}) + "\n")
        sys.stdout.flush()
        if outcome["error"] is None:
            return


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), json.loads(sys.argv[4]))
