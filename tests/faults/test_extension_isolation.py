"""What the process of an extension shares with LoopX and with the machine: as little as a process can."""

import asyncio
import os
import signal
import socket
import stat
import subprocess
import sys
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from architecture.checkout import ROOT
from fakes.extensions import CONTEXT
from fakes.extensions.playing import play
from fakes.extensions.process import data_of, host_of, is_alive, run_unit, unit_code
from loopx.domain.extensions.session import Emit

PARENT = """
import asyncio, os, sys
from fakes.extensions import CONTEXT
from fakes.extensions.process import host_of, unit_code

async def main():
    code = unit_code("yield Record({'pid': os.getpid()})\\n" + sys.argv[1])
    session = await host_of().open(code, "sample.unit", {"word": "", "count": None}, CONTEXT)
    print((await session.step()).data["pid"], flush=True)
    await session.step()
    await asyncio.Event().wait()

asyncio.run(main())
"""
# As hostile code does: the list of what is refused lies in a module, and modules can be changed.
UNGUARDED = "import __main__\n__main__._REFUSED = ('nothing',)\n"


def test_no_variable_of_the_parent_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GH_TOKEN", "HOME", "PATH", "PYTHONPATH", "PYTHONSTARTUP", "HTTPS_PROXY", "LOOPX_SECRET"):
        monkeypatch.setenv(name, "planted")
    (seen,) = data_of(run_unit("yield Record(dict(os.environ))\nreturn"))
    assert "planted" not in seen.values()
    assert set(seen) <= {"LC_CTYPE", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "__CF_USER_TEXT_ENCODING"}


def test_no_descriptor_of_the_parent_is_there(tmp_path: Path) -> None:
    mine = (tmp_path / "mine").open("w")
    with mine, socket.create_server(("127.0.0.1", 0)) as server:
        os.set_inheritable(mine.fileno(), True)
        os.set_inheritable(server.fileno(), True)
        body = """
kinds = []
for fd in range(256):
    try: kinds.append(os.fstat(fd).st_mode)
    except OSError: pass
yield Record({"kinds": kinds})
return
"""
        (seen,) = data_of(run_unit(body))
    kinds = [stat.S_IFMT(mode) for mode in seen["kinds"]]
    assert set(kinds) == {stat.S_IFIFO, stat.S_IFCHR}  # the pipes, and /dev/null
    assert len(kinds) <= 6


def test_its_directory_is_empty_and_nothing_can_be_put_there() -> None:
    body = f"""
yield Record({{"files": os.listdir(".")}})
{UNGUARDED}
for deed in (lambda: os.mkdir("x"), lambda: os.symlink("/", "x"), lambda: os.listdir(os.getcwd())):
    try: deed()
    except OSError as error: yield Record({{"kind": type(error).__name__}})
return
"""
    assert data_of(run_unit(body)) == [{"files": []}, *[{"kind": "FileNotFoundError"}] * 3]


def test_it_leads_a_session_of_its_own_without_a_terminal() -> None:
    (seen,) = data_of(run_unit("yield Record({'own': os.getsid(0) == os.getpgid(0) == os.getpid()})\nreturn"))
    assert seen == {"own": True}


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("click", False),
        ("loopx.domain", False),
        ("fakes", False),
        ("loopx.extension", True),
        ("decimal", True),
    ],
)
def test_only_the_standard_library_and_what_it_is_written_with_are_there(name: str, there: bool) -> None:
    body = f"try:\n    import {name}\nexcept ModuleNotFoundError:\n    return"
    assert data_of(run_unit(body)) == ([{"end": 1}] if there else [])


def test_its_modules_have_names_that_no_other_tree_has() -> None:
    (seen,) = data_of(run_unit("yield Record({'name': __name__, 'top': sorted(sys.modules)})\nreturn"))
    package = seen["name"].partition(".")[0]
    assert seen["name"] == f"{package}.sample.units"
    assert package.startswith("loopx_ext_sample_")
    assert "sample" not in seen["top"]


def test_its_own_files_can_be_read_and_the_standard_library_too() -> None:
    body = """
import pkgutil, csv, datetime, html.parser, json, re, xml.etree.ElementTree, zoneinfo
yield Record({"data": pkgutil.get_data(__package__, "data/words.txt").decode()})
return
"""
    code = unit_code(body)
    code = replace(code, files={**code.files, "sample/data/words.txt": "é".encode()})
    assert data_of(play(host_of(), code, "unit")) == [{"data": "é"}]


@pytest.mark.parametrize(
    "deed",
    [
        "import socket; socket.socket()",
        "import socket; socket.getaddrinfo('localhost', 1)",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:1/')",
        "import subprocess; subprocess.run(['true'])",
        "os.system('true')",
        "os.fork()",
        "os.execv('/bin/true', ['true'])",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "import ctypes",
        "open('/etc/passwd')",
        "open('/proc/self/environ')",
        "open('../../etc/passwd')",
        "os.remove('/tmp/none')",
        "os.kill(os.getppid(), 0)",
    ],
)
def test_an_honest_extension_learns_what_it_cannot_have(deed: str) -> None:
    lines = "\n    ".join(deed.split("; "))
    told = "except (OSError, ImportError) as error:\n    yield Record({'says': str(error)})\n    return"
    body = f"try:\n    {lines}\n{told}"
    (seen,) = data_of(run_unit(body))
    assert "an extension" in seen["says"]


def test_processes_that_it_leaves_behind_go_with_it() -> None:
    body = f"{UNGUARDED}pid = os.fork()\nif not pid:\n    while True: pass\nyield Record({{'pid': pid}})"

    async def leave() -> int:
        parameters = {"word": "", "count": None}
        session = await host_of().open(unit_code(body), "sample.unit", parameters, CONTEXT)
        async with aclosing(session):
            step = await session.step()
            assert isinstance(step, Emit)
            pid = step.data["pid"]
            assert isinstance(pid, int)
            assert is_alive(pid)
            return pid

    if os.geteuid() == 0:
        assert not is_alive(asyncio.run(leave()))
    else:  # the limit on processes binds everybody but root: there are none to leave
        assert "BlockingIOError" in str(run_unit(body).error)


@pytest.mark.parametrize(
    "then", ["while True: pass", "import select; select.select([], [], [], 99)", "yield Request('GET', 'x')"]
)
def test_it_does_not_outlive_a_parent_that_was_killed(then: str) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}"}
    command = [sys.executable, "-c", PARENT, then]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert is_alive(pid)
        parent.send_signal(signal.SIGKILL)
    assert asyncio.run(gone(pid))


async def gone(pid: int) -> bool:
    """Whether a process ends within some seconds."""
    for _ in range(500):
        if not is_alive(pid):
            return True
        await asyncio.sleep(0.02)
    return False
