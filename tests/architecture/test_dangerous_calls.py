"""What import contracts cannot see: parts of the standard library, and ways around a plain import.

The lists say who may, and why. An entry that nobody needs any more fails too.
"""

import ast

import pytest

from architecture.checkout import ROOT, product_code
from architecture.names import is_within, names_used

CONNECTIONS = [
    "_socket",
    "asyncio.create_connection",
    "asyncio.open_connection",
    "asyncio.open_unix_connection",
    "asyncio.start_server",
    "asyncio.start_unix_server",
    "http.client",
    "http.server",
    "select",
    "selectors",
    "socket",
    "ssl",
    "urllib.error",
    "urllib.request",
    "urllib.robotparser",
]
PROCESSES = [
    "asyncio.create_subprocess_exec",
    "asyncio.create_subprocess_shell",
    "asyncio.subprocess",
    "multiprocessing",
    "os.execv",
    "os.execve",
    "os.execvp",
    "os.execvpe",
    "os.fork",
    "os.forkpty",
    "os.popen",
    "os.posix_spawn",
    "os.posix_spawnp",
    "os.spawnv",
    "os.spawnve",
    "os.system",
    "pty",
    "subprocess",
]
DYNAMIC_CODE = [
    "builtins",
    "code",
    "codeop",
    "ctypes",
    "importlib",
    "marshal",
    "pickle",
    "pkgutil",
    "runpy",
    "shelve",
    "zipimport",
]
BUILT_IN = ["__import__", "compile", "eval", "exec"]
NOWHERE = [*CONNECTIONS, *PROCESSES, *DYNAMIC_CODE, *BUILT_IN]

# (folder or file, what it may use): why.
ALLOWED: dict[tuple[str, str], str] = {
    ("adapters/filesystem/", "ctypes"): "syncfs(2) syncs a whole tree, and Python has no name for it",
    ("adapters/http/", "socket"): "the transport resolves names itself and calls the address it checked",
    ("adapters/http/", "ssl"): "the transport chooses what a server must prove",
    (
        "adapters/process/",
        "asyncio.create_subprocess_exec",
    ): "git is asked what the checkout is of, and a new version whether it works",
    ("adapters/process/", "asyncio.subprocess"): "the pipes to those",
    ("adapters/process/restarter.py", "os.execve"): "the program starts anew in the version that is current",
    ("adapters/process/child.py", "subprocess"): "extensions run in processes that we alone reap",
    ("adapters/process/extension_child.py", "__import__"): "there: the module of a manifest",
    ("adapters/process/extension_child.py", "compile"): "there: the source of an extension",
    ("adapters/process/extension_child.py", "exec"): "there: the source of an extension",
    ("adapters/process/extension_child.py", "select"): "there: told when nobody listens any more",
    ("entrypoints/demo/", "asyncio.start_server"): "the sample GitHub of the demo listens on loopback",
    ("entrypoints/http/wire/", "socket"): "the status server binds its own address or socket file",
}

# Files belong to adapters, the terminal to the doors.
FILES_AND_TERMINAL = ["input", "io.FileIO", "io.open", "io.open_code", "open", "print"]

# Time comes from the Clock port, chance from the Entropy port.
CLOCKS = [
    "asyncio.sleep",
    "datetime.date.today",
    "datetime.datetime.now",
    "datetime.datetime.today",
    "datetime.datetime.utcnow",
    "uuid.uuid1",
    "uuid.uuid4",
]
SOURCES = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in product_code()}
USED = {path: names_used(source) for path, source in SOURCES.items()}


def offences(banned: list[str], folder: str = "") -> set[tuple[str, str]]:
    """(file, banned name) for every file of a folder that reaches for one."""
    return {
        (path, ban)
        for path, names in USED.items()
        if path.startswith(folder)
        for ban in banned
        if any(is_within(name, ban) for name in names)
    }


def test_nobody_reaches_for_network_processes_or_dynamic_code_unlisted() -> None:
    unlisted = {
        (path, name)
        for path, name in offences(NOWHERE)
        if not any(path.startswith(place) and name == thing for place, thing in ALLOWED)
    }
    assert unlisted == set()


def test_every_listed_permission_is_needed() -> None:
    used = offences(NOWHERE)
    unneeded = {
        (place, thing)
        for place, thing in ALLOWED
        if not any(path.startswith(place) and name == thing for path, name in used)
    }
    assert unneeded == set()


@pytest.mark.parametrize("layer", ["domain/", "application/"])
def test_the_core_opens_no_file_and_speaks_to_nobody(layer: str) -> None:
    assert offences(FILES_AND_TERMINAL, layer) == set()


@pytest.mark.parametrize("layer", ["domain/", "application/"])
def test_the_core_asks_for_time_and_chance_through_ports(layer: str) -> None:
    assert offences(CLOCKS, layer) == set()


def test_the_domain_takes_only_the_parser_from_urllib() -> None:
    names = {name for path, used in USED.items() if path.startswith("domain/") for name in used}
    assert {name for name in names if is_within(name, "urllib")} <= {
        name for name in names if name == "urllib" or is_within(name, "urllib.parse")
    }


def named_by_text(source: str) -> list[int]:
    """The lines where a provider is given a class as text, which is an import that no contract sees."""
    return [
        call.lineno
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant)
        if isinstance(call.func, ast.Attribute) and call.func.attr != "Object"
        if isinstance(call.func.value, ast.Name) and call.func.value.id == "providers"
        if isinstance(call.args[0].value, str)
    ]


def test_no_provider_names_its_class_by_text() -> None:
    assert named_by_text("clock = providers.Object('x')\nclock = providers.Factory('time.Clock')") == [2]
    assert named_by_text(SOURCES["entrypoints/container.py"]) == []


@pytest.mark.parametrize("banned", [*CONNECTIONS, *PROCESSES, *DYNAMIC_CODE, *CLOCKS, "io.open"])
def test_a_banned_name_is_seen_in_whatever_way_it_is_reached(banned: str) -> None:
    module, _, name = banned.rpartition(".")
    if module:
        ways = [
            f"from {module} import {name}",
            f"from {module} import {name} as alias",
            f"import {module}\n{banned}()",
            f"import {module} as alias\nalias.{name}",
        ]
    else:
        ways = [
            f"def late():\n    import {banned}",
            f"import {banned} as alias",
            f"from {banned} import anything",
        ]
    for way in ways:
        assert any(is_within(found, banned) for found in names_used(way)), way


@pytest.mark.parametrize("banned", [*BUILT_IN, "input", "open", "print"])
def test_a_banned_built_in_is_seen(banned: str) -> None:
    assert banned in names_used(f"run = {banned}")
    assert banned in names_used(f"{banned}('x')")


def test_a_name_that_only_looks_alike_is_not_seen() -> None:
    used = names_used(
        "import re, socketlike\nfrom importlibrary import x\nself.socket.close(code)\nre.compile('')"
    )
    assert not any(is_within(name, ban) for name in used for ban in NOWHERE)
