"""Programs that write the audit log, to be killed, starved or crowded.

``python -m fakes.audit_writer call FOLDER URL`` sends requests to URL for ever, each written down in FOLDER.
``… fill FOLDER NAME COUNT`` writes COUNT intents as NAME.
``… strain FOLDER JSON`` writes until it fails, within what JSON says: ``{"mount": OPTIONS}`` of a tmpfs,
with ``"read_only": true`` if it becomes so after some rows, or ``{"limit": BYTES}`` of a file; prints what
came of it.
"""

import asyncio
import json
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from fakes.audit import DONE, subject
from loopx.adapters.http.resolving import SystemResolver
from loopx.adapters.http.stack import HttpxTransport, TransportPorts, TransportSettings
from loopx.adapters.memory.credentials import MemoryCredentials
from loopx.adapters.process.clock import SystemClock
from loopx.adapters.process.entropy import SystemEntropy
from loopx.adapters.sqlite.audit_log import SqliteAuditLog
from loopx.domain.audit.chain import Anchor
from loopx.domain.audit.verification import verify
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import HttpRequest

CONTEXT: Final = CallContext(trace=TraceContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"))
_MOST: Final = 20_000


def open_log(folder: Path, *, patience: float = 5.0) -> SqliteAuditLog:
    return SqliteAuditLog(folder, clock=SystemClock(), patience=patience)


async def call(folder: Path, url: str) -> None:
    ports = TransportPorts(
        clock=SystemClock(),
        entropy=SystemEntropy(),
        credentials=MemoryCredentials(),
        resolver=SystemResolver(),
        audit=open_log(folder),
    )
    async with HttpxTransport(ports, TransportSettings("loopx/test")) as wire:
        while True:
            await wire.send(HttpRequest(method="GET", url=url), CONTEXT)


def fill(folder: Path, name: str, count: int) -> None:
    log = open_log(folder, patience=60.0)
    for number in range(count):
        log.intent(subject(number, agent_id=name))
    log.close()


def write_until_it_fails(folder: Path) -> tuple[int, str | None]:
    log = open_log(folder)
    for number in range(_MOST):
        try:
            log.intent(subject(number))
            log.outcome(subject(number), DONE)
        except LoopXError as error:
            return number, f"{error.code}/{error.reason}: {error.detail}"
    return _MOST, None


def strain(folder: Path, fault: dict[str, Any]) -> dict[str, object]:
    """Write, then look at what is left once there is room again."""
    if "mount" in fault:
        subprocess.run(["/bin/mount", "-t", "tmpfs", "-o", fault["mount"], "tmpfs", folder], check=True)
    if "limit" in fault:
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault["limit"], resource.RLIM_INFINITY))
    if fault.get("read_only"):
        fill(folder, "before", 5)
        subprocess.run(["/bin/mount", "-o", "remount,ro", folder], check=True)
    written, error = write_until_it_fails(folder)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    if "mount" in fault and not fault.get("read_only"):
        subprocess.run(["/bin/mount", "-o", "remount,size=64m", folder], check=True)
    log = open_log(folder)
    verdict = verify(*log.chain())
    whole = verdict.breach is None
    again = None
    if not fault.get("read_only"):
        log.intent(subject(1))
        again = verify(*log.chain(), Anchor(verdict.head.sequence, verdict.head.hash)).breach is None
    return {"written": written, "error": error, "rows": verdict.rows, "whole": whole, "again": again}


def main(deed: str, folder: Path, *more: str) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    match deed:
        case "call":
            asyncio.run(call(folder, more[0]))
        case "fill":
            fill(folder, more[0], int(more[1]))
        case _:
            sys.stdout.write(json.dumps(strain(folder, json.loads(more[0]))))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
