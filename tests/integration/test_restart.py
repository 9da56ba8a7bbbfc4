"""A new start in place of a process: nothing that was written is lost, and no loop goes on for ever."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.program import CHECKOUT
from fakes.update_bench import FOREIGN, OWN
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.machine import MemoryInstallOwner, MemoryRestarter, RestartedError
from loopx.adapters.process.restarter import SystemRestarter
from loopx.application.use_cases.restart_program import RestartProgram
from loopx.domain.errors import LoopXError
from loopx.domain.updates.layout import Layout
from loopx.domain.updates.owner import Evidence
from loopx.domain.updates.restarts import GUARD, MOST

# Prints into a pipe, so the text waits in a buffer when the process is replaced.
LOOPING = """
import os, sys
from loopx import LoopXError, self_update
print("run", os.getpid(), *sys.argv[1:])
try:
    self_update.restart()
except LoopXError as error:
    print(error.code, error.reason)
"""


def test_a_program_that_restarts_for_ever_is_stopped_and_loses_no_line(tmp_path: Path) -> None:
    script = tmp_path / "looping.py"
    script.write_text(LOOPING)
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT / "src")}
    with subprocess.Popen(
        [sys.executable, str(script), "a b", "ü"], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        told, _ = process.communicate(timeout=60)
    lines = told.splitlines()
    assert lines[:-1] == [f"run {process.pid} a b ü"] * (MOST + 1)
    assert lines[-1] == "update_error restart_loop"


def restarting(evidence: Evidence, restarter: MemoryRestarter, **environment: str) -> RestartProgram:
    return RestartProgram(
        owner=MemoryInstallOwner(evidence),
        layout=Layout("/home"),
        restarter=restarter,
        clock=MemoryClock(1000.0),
        environment=environment,
    )


def test_an_own_copy_becomes_the_current_version_and_not_itself_again() -> None:
    restarter = MemoryRestarter()
    with pytest.raises(RestartedError):
        restarting(OWN, restarter)(["/python", "-I", "/old/start.py", "serve"], ["serve"])
    assert restarter.programs == [(("/home/current/bin/loopx", "serve"), (GUARD, "1@1000"))]


def test_a_copy_of_another_tool_becomes_itself() -> None:
    restarter = MemoryRestarter()
    with pytest.raises(RestartedError):
        restarting(FOREIGN, restarter, **{GUARD: "1@990"})(["/python", "-m", "app"], [])
    assert restarter.programs == [(("/python", "-m", "app"), (GUARD, "2@990"))]


def test_the_guard_stops_it_before_anything_is_replaced() -> None:
    restarter = MemoryRestarter()
    with pytest.raises(LoopXError, match="restart_loop"):
        restarting(OWN, restarter, **{GUARD: f"{MOST}@990"})(["/python"], [])
    assert restarter.programs == []


def test_what_cannot_be_started_is_told(tmp_path: Path) -> None:
    with pytest.raises(LoopXError) as caught:
        SystemRestarter().restart([str(tmp_path / "absent")], (GUARD, "1@1"))
    assert (caught.value.code, caught.value.reason) == ("update_error", "restart_failed")
