"""A process that updates and is killed before any one of the changes that it makes to the disk.

Run as ``python -m fakes.update_child``: each line on stdin is an order as JSON, each line on stdout the exit
code of the process that was forked for it, negative for the signal that ended it.
"""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from fakes.program import CHECKOUT
from fakes.releases import Packed
from fakes.update_bench import Bench, on_disk
from loopx.adapters.process.runner import SystemProcessRunner
from loopx.domain.errors import LoopXError
from loopx.domain.processes import Command, Finished
from loopx.domain.updates.journal import JournalEntry

REFUSED: Final = 70
UNWRITABLE: Final = 73
"""Exit codes: the deed ended with an error, or with ``state_error/unwritable``."""

_CHANGES: Final = frozenset(
    {"os.mkdir", "os.rmdir", "os.remove", "os.rename", "os.symlink", "os.link", "os.chmod", "os.truncate"}
)
_WRITING: Final = os.O_WRONLY | os.O_RDWR


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to do in a home, before which change to be killed, and the largest file to write; 0 for none."""

    deed: str
    home: str
    archive: str = ""
    sha256: str = ""
    kill_at: int = 0
    largest_file: int = 0


class WithoutBytecode:
    """Runs everything but the compiler, which only costs time here."""

    def __init__(self) -> None:
        self._runner = SystemProcessRunner()

    async def run(self, command: Command) -> Finished:
        if "compileall" in command.arguments:
            return Finished(exit_code=0)
        return await self._runner.run(command)


def bench_at(home: Path) -> Bench:
    """The use cases on a home on the disk."""
    parts = on_disk(home)
    parts.runner = WithoutBytecode()
    return Bench(parts)


class Workshop:
    """The process that forks one for each order, which is quicker than to start one."""

    def __enter__(self) -> Self:
        path = os.pathsep.join([str(CHECKOUT / "src"), str(CHECKOUT / "tests")])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "fakes.update_child"],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def run(self, order: Order) -> int:
        """The exit code."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asdict(order)) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()


def _main() -> None:
    for line in sys.stdin:
        order = Order(**json.loads(line))
        child = os.fork()
        if child == 0:
            os._exit(_obey(order))
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _obey(order: Order) -> int:
    bench = bench_at(Path(order.home))
    packed = Packed(Path(order.archive).read_bytes(), order.sha256, "") if order.archive else None
    deeds: dict[str, Callable[[], object]] = {
        "update": lambda: packed and bench.update(packed),
        "roll_back": bench.roll_back,
        "recover": bench.recover,
        "fill_journal": lambda: _fill_journal(bench),
    }
    if order.largest_file:
        resource.setrlimit(resource.RLIMIT_FSIZE, (order.largest_file, resource.RLIM_INFINITY))
    if order.kill_at:
        sys.addaudithook(_Tripwire(order.home, order.kill_at))
    try:
        deeds[order.deed]()
    except LoopXError as error:
        return UNWRITABLE if error.reason == "unwritable" else REFUSED
    return 0


def _fill_journal(bench: Bench) -> None:
    """Write until there is no more room, and once more when there is again: that entry must be read."""
    entry = JournalEntry(old="0.1.0-aaaaaaaaaaaa")
    try:
        while True:
            bench.parts.journal.write(entry)
    except LoopXError:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        bench.parts.journal.write(entry.storing("0.2.0-bbbbbbbbbbbb"))
        if bench.parts.journal.pending() == entry.storing("0.2.0-bbbbbbbbbbbb"):
            raise


class _Tripwire:
    """Kills this process right before the n-th change to the home (PEP 578)."""

    def __init__(self, home: str, left: int) -> None:
        self._home = home
        self._left = left

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _CHANGES or (event == "open" and _writes(arguments)):
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def _writes(arguments: tuple[Any, ...]) -> bool:
    flags = arguments[2]
    return isinstance(flags, int) and bool(flags & _WRITING)


if __name__ == "__main__":
    _main()
