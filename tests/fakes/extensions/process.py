"""Units that run in a real process, and what is left of it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from fakes.extensions import code_of
from fakes.extensions.playing import Played, play
from loopx.adapters.process.clock import SystemClock
from loopx.adapters.process.extension_host import ProcessExtensionHost
from loopx.domain.extensions.code import ExtensionCode
from loopx.domain.extensions.limits import DEFAULT_HOST_LIMITS, HostLimits
from loopx.domain.extensions.session import Answer, Emit

# Hostile code finds the pipe to LoopX by itself, and says on it what it likes.
_HEADER: Final = """
import os, sys
from loopx.extension import Note, Record, Request

def find_pipe():
    import stat
    found = []
    for fd in range(3, 20):
        try:
            if stat.S_ISFIFO(os.fstat(fd).st_mode):
                found.append(fd)
        except OSError:
            pass
    return found[-1]

def say(head, size=None, body=0):
    content = head.encode()
    announced = len(content) if size is None else size
    os.write(find_pipe(), announced.to_bytes(4, "big") + body.to_bytes(4, "big") + content)
"""


def host_of(limits: HostLimits = DEFAULT_HOST_LIMITS) -> ProcessExtensionHost:
    """The real one."""
    return ProcessExtensionHost(clock=SystemClock(), environment=dict(os.environ), limits=limits)


def unit_code(body: str, *, before: str = "") -> ExtensionCode:
    """An extension with one unit of this body; ``before`` runs while its module is imported."""
    indented = "\n".join(f"    {line}" for line in body.strip().splitlines())
    unit = f"def unit(word, count):\n{indented}\n    yield Record({{'end': 1}})"
    return code_of(f"{_HEADER}\n{before}\n{unit}\n\nUNITS = {{'sample.unit': unit}}\n", "unit")


def run_unit(body: str, *answers: Answer, limits: HostLimits = DEFAULT_HOST_LIMITS) -> Played:
    """Play a unit of this body to its end."""
    return play(host_of(limits), unit_code(body), "unit", *answers)


def data_of(played: Played) -> list[Any]:
    """The records of a session that went well."""
    assert played.error is None, played.error.__notes__
    return [step.data for step in played.steps if isinstance(step, Emit)]


def children() -> set[int]:
    """The processes that this one started and has not reaped."""
    return {pid for pid, parent in _processes() if parent == os.getpid()}


def is_alive(pid: int) -> bool:
    """Whether a process is there and no zombie that somebody else has yet to reap."""
    return pid in {found for found, _ in _processes()}


def _processes() -> Iterator[tuple[int, int]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent, *_ = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            # Zombies of our own count: they should have been reaped.
            if state not in {"Z", "X"} or int(parent) == os.getpid():
                yield int(entry.name), int(parent)
