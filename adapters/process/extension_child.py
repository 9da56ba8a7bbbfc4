"""The other end of the pipes: loads the code of one extension and steps one of its units.

Started as ``python -I -S -B -X utf8 extension_child.py``, with nothing but the standard library around it.
It guards nothing that matters: whoever listens checks all it says. What it refuses (sockets, processes,
files) it refuses so that an honest extension learns early what it cannot have; hostile code gets around
that, as around every rule inside a Python process. The border is the process.
"""

from __future__ import annotations

import _thread
import json
import os
import sys
from _frozen_importlib import ModuleSpec  # importlib.machinery would cost more than all the rest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import ModuleType
    from typing import Any, NoReturn

    Head = dict[str, Any]

_REFUSED = (
    *("ctypes.", "pty.", "signal.pthread_kill", "socket.", "subprocess."),
    *("os.exec", "os.fork", "os.kill", "os.posix_spawn", "os.spawn", "os.system"),
    *("os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate"),
)
_READABLE = ("/dev/null", "/dev/urandom", "/usr/share/zoneinfo/")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_IS_GENERATOR, _TAKES_ANY_NAME = 0x20, 0x08  # inspect.CO_GENERATOR and CO_VARKEYWORDS


class Pipes:
    """Frames in and out, on descriptors that the code of the extension does not meet by accident."""

    def __init__(self) -> None:
        self._source, self._sink = os.dup(0), os.dup(1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)  # what is printed is talk: on the pipe it would be taken for a frame

    def receive(self) -> tuple[Head, bytes]:
        """The next frame; the process ends when nobody sends any more."""
        prefix = self._read(8)
        head = json.loads(self._read(int.from_bytes(prefix[:4], "big")))
        return head, self._read(int.from_bytes(prefix[4:], "big"))

    def send(self, head: Head, body: bytes = b"") -> None:
        text = json.dumps(head, allow_nan=False, separators=(",", ":")).encode()
        left = memoryview(b"".join((len(text).to_bytes(4, "big"), len(body).to_bytes(4, "big"), text, body)))
        while left:
            left = left[os.write(self._sink, left) :]

    def watch(self) -> None:
        """End with the other side, also in the middle of a long computation."""
        import select  # noqa: PLC0415 - the thread loads it while the process waits for its code
        import signal  # noqa: PLC0415 - as above

        poll = select.poll()
        poll.register(self._source, 0)
        poll.poll()
        os.killpg(0, signal.SIGKILL)

    def _read(self, size: int) -> bytes:
        pieces: list[bytes] = []
        while size:
            piece = os.read(self._source, min(size, 1 << 20))
            if not piece:
                os._exit(0)
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)


class Tree:
    """Finds and loads the modules of one extension, from memory and under a name of its own."""

    def __init__(self, package: str, files: dict[str, bytes], authoring: bytes) -> None:
        self._files = {f"{package}/{path}": content for path, content in files.items()}
        self._modules = {"loopx": "", "loopx.extension": "loopx/extension.py", package: ""}
        self.own = {path.partition("/")[0].removesuffix(".py") for path in files}
        for path in self._files:
            self._add(path)
        self._files["loopx/extension.py"] = authoring

    def _add(self, path: str) -> None:
        parts = path.split("/")
        for depth in range(2, len(parts)):  # a folder is a package, with or without __init__.py
            self._modules.setdefault(".".join(parts[:depth]), "")
        if path.endswith("/__init__.py"):
            self._modules[".".join(parts[:-1])] = path
        elif path.endswith(".py"):
            self._modules.setdefault(".".join([*parts[:-1], parts[-1].removesuffix(".py")]), path)

    def find_spec(self, name: str, _path: object, _target: object = None) -> ModuleSpec | None:
        if name not in self._modules:
            return None
        path = self._modules[name]
        is_package = not path or path.endswith("/__init__.py")
        spec = ModuleSpec(name, self, origin=path or None, is_package=is_package)  # type: ignore[arg-type]  # it need not inherit
        spec.has_location = bool(path)
        return spec

    def create_module(self, _spec: ModuleSpec) -> ModuleType | None:
        return None  # a plain one

    def exec_module(self, module: ModuleType) -> None:
        if path := self._modules[module.__name__]:
            exec(compile(self._files[path], path, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - it is what this process is for

    def get_source(self, name: str) -> str:
        return self._files.get(self._modules[name], b"").decode("utf-8", "replace")

    def get_data(self, path: str) -> bytes:
        if path not in self._files:
            raise FileNotFoundError(path)
        return self._files[path]


class Absolute:
    """Comes last: says how to import what is there and was asked for by the wrong name."""

    def __init__(self, own: set[str]) -> None:
        self._own = own

    def find_spec(self, name: str, _path: object, _target: object = None) -> None:
        if name.partition(".")[0] in self._own:
            raise ModuleNotFoundError(
                f"an extension imports its own modules relatively: from . import {name}", name=name
            )


class _EntryError(Exception):
    def __init__(self, kind: str, unit: str = "") -> None:
        self.kind, self.unit = kind, unit


def guard(readable: tuple[str, ...], trusted: int) -> Callable[[str, tuple[Any, ...]], None]:
    """An audit hook that refuses what an extension has no use for (PEP 578)."""

    def refuse(event: str, details: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = details
            name = os.fsdecode(path) if isinstance(path, str | bytes) else ""
            if name and (flags & _WRITING or not os.path.normpath(name).startswith(readable)):
                raise PermissionError("an extension opens no files; it reads its own with pkgutil.get_data")
        elif event == "import" and details[0] == "_posixsubprocess":
            raise ImportError("an extension starts no processes")
        elif event.startswith(_REFUSED) and _thread.get_ident() != trusted:
            raise PermissionError(f"an extension may not do {event}; it yields a Request to be sent")

    return refuse


def limit(head: Head) -> None:
    """Bound memory and time; no files are written and no processes started (root is not bound by that)."""
    import resource  # noqa: PLC0415 - not there on every system

    wanted = {"RLIMIT_AS": head["memory"], "RLIMIT_CPU": head["cpu"], "RLIMIT_NOFILE": head["open_files"]}
    for name, value in {**wanted, "RLIMIT_CORE": 0, "RLIMIT_FSIZE": 0, "RLIMIT_NPROC": 0}.items():
        if (kind := getattr(resource, name, None)) is not None:
            hard = resource.getrlimit(kind)[1]
            most = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (most, most))


def load(head: Head, body: bytes) -> tuple[Head, ModuleType]:
    """The units of the extension, and the module in which its values are."""
    files: dict[str, bytes] = {}
    start = 0
    for path, size in head["files"]:
        files[path] = body[start : start + size]
        start += size
    tree = Tree(head["package"], files, body[start:])
    sys.meta_path.insert(0, tree)
    sys.meta_path.append(Absolute(tree.own))
    module, name = head["entry"]
    __import__(f"{head['package']}.{module}")
    units: Any = getattr(sys.modules[f"{head['package']}.{module}"], name, None)
    check(units, head["units"])
    __import__("loopx.extension")
    return units, sys.modules["loopx.extension"]


def check(units: Any, wanted: dict[str, list[str]]) -> None:
    """Compare what there is with what the manifest promises."""
    if not hasattr(units, "keys"):
        raise _EntryError("no_dict")
    for name in set(units.keys()).difference(wanted):
        raise _EntryError("unknown", str(name))
    for name, parameters in wanted.items():
        if name not in units:
            raise _EntryError("missing", name)
        code: Any = getattr(units[name], "__code__", None)
        if not callable(units[name]) or (code and not code.co_flags & _IS_GENERATOR):
            raise _EntryError("no_generator", name)
        taken = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code else ()
        if code and not code.co_flags & _TAKES_ANY_NAME and not {*parameters} <= {*taken}:
            raise _EntryError("parameters", name)


def framed(step: Any, api: ModuleType) -> tuple[Head, bytes]:
    """A step as a frame."""
    if isinstance(step, api.Request):
        head = {name: getattr(step, name) for name in ("method", "url", "credential", "timeout")}
        lists = {"headers": [*step.headers.items()], "accept_status": [*step.accept_status]}
        return {"say": "ask", **head, **lists}, step.body
    if isinstance(step, api.Record):
        json.dumps(step.data, allow_nan=False)  # here, so that what cannot be said fails where it was yielded
        return {"say": "emit", "data": step.data}, b""
    if isinstance(step, api.Note):
        return {"say": "note", "text": str(step.text)}, b""
    raise TypeError(f"a unit yields Request, Record and Note, not {type(step).__name__}")


def answered(head: Head, body: bytes, api: ModuleType) -> tuple[Any, Exception | None]:
    """What a request gives: a response, or why there is none."""
    if head.pop("say") == "failed":
        code, reason, message = (head.pop(name) for name in ("code", "reason", "message"))
        return None, api.RequestFailedError(code, reason, message, **head)
    headers: dict[str, str] = {}
    for name, value in head["headers"]:
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return api.Response(head["status"], body, headers=headers, url=head["url"]), None


def step_through(pipes: Pipes, steps: Generator[Any, Any, None], api: ModuleType) -> Head:
    """Step a unit to its end; how it ended."""
    answer: Any = None
    raised: Exception | None = None
    failure: Exception | None = None
    while True:
        try:
            step = steps.throw(raised) if raised is not None else steps.send(answer)
        except StopIteration:
            return {"say": "done"}
        except api.RequestFailedError as error:
            if error is failure:
                return {"say": "unhandled"}
            raise
        answer = raised = None
        try:
            head, body = framed(step, api)
        except (AttributeError, RecursionError, TypeError, ValueError) as error:
            raised = error
            continue
        pipes.send(head, body)
        if head["say"] == "ask":
            answer, failure = answered(*pipes.receive(), api)
            raised = failure


def broken(error: BaseException, reason: str, package: str) -> Head:
    """What went wrong where: the innermost place that is the extension's own; tells the rest on stderr."""
    if isinstance(error, _EntryError):
        return {"say": "broken", "reason": "entry", "kind": error.kind, "place": error.unit, "message": ""}
    first, last, trace = None, None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(f"{package}/"):
            first, last = first or trace, trace
        trace = trace.tb_next
    place = f"{last.tb_frame.f_code.co_filename}:{last.tb_lineno}" if last else ""
    place = f"{error.filename}:{error.lineno}" if isinstance(error, SyntaxError) else place
    if isinstance(error, MemoryError):
        reason = "memory"
    else:
        import traceback  # noqa: PLC0415 - it costs, and is for the worst case

        traceback.print_exception(error.with_traceback(first))
    said = {"kind": type(error).__name__, "place": place.removeprefix(f"{package}/")}
    return {"say": "broken", "reason": reason, **said, "message": str(error)[:500]}


def serve() -> NoReturn:
    """Load, run one unit, end."""
    pipes = Pipes()
    _thread.stack_size(256 * 1024)
    trusted = _thread.start_new_thread(pipes.watch, ())
    _thread.stack_size(0)
    head, body = pipes.receive()
    limit(head)
    sys.addaudithook(guard((*sys.path, *_READABLE), trusted))
    package, reason = head["package"], "load"
    try:
        units, api = load(head, body)
        pipes.send({"say": "loaded"})
        reason = "raised"
        head, _ = pipes.receive()
        end = step_through(pipes, units[head["unit"]](**head["parameters"]), api)
    except BaseException as error:  # noqa: BLE001 - the border of the process: whatever the extension raises is told
        end = broken(error, reason, package)
    sys.stdout.flush()
    pipes.send(end)
    os._exit(0)


if __name__ == "__main__":
    serve()
