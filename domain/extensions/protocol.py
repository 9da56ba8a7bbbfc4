"""What is said on the pipes to an extension's process, as frames and as values.

To it: ``load``, then ``start``, then a ``reply`` or ``failed`` for each ``ask``. From it: ``loaded``, then
``ask``, ``emit`` and ``note``, and at the end ``done`` or ``broken``. What comes from it is not trusted.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from loopx.domain.errors import LoopXError
from loopx.domain.extensions.code import ExtensionCode
from loopx.domain.extensions.framing import Frame
from loopx.domain.extensions.limits import HostLimits
from loopx.domain.extensions.refusal import quoted, refused
from loopx.domain.extensions.session import Answer, Ask, Done, Emit, Failed, Note, Step
from loopx.domain.http.message import SUCCESS, Headers
from loopx.domain.schema import Data

LONGEST_NOTE: Final = 1000

NOT_PASSED_ON: Final = ("set-cookie", "set-cookie2")
_BROKEN: Final = frozenset({"entry", "load", "raised", "memory"})
_ENTRY: Final = {
    "no_dict": "it must be a dict of unit names to generator functions",
    "unknown": "the manifest provides no such unit",
    "missing": "it gives no such unit",
    "no_generator": "it is no generator function",
    "parameters": "it does not take all parameters of the manifest by name",
}
_UNIT: Final = re.compile(r"[a-z0-9_.]{1,64}")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_PLACE: Final = re.compile(r"[A-Za-z0-9_./-]{1,200}:[0-9]{1,9}")
_MOST_HEADERS: Final = 100
_STATUSES: Final = range(100, 600)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The code is imported and gives what its manifest promises."""


@dataclass(frozen=True, slots=True)
class Unhandled:
    """The code let the failure of its last request end it."""


Said = Loaded | Unhandled | Step


def load_frame(code: ExtensionCode, authoring: bytes, limits: HostLimits) -> Frame:
    """All code, and what of it has to be there; ``authoring`` is the source of ``loopx.extension``."""
    paths = sorted(code.files)
    head: dict[str, object] = {
        "say": "load",
        "package": code.package,
        "entry": [code.manifest.entry.module, code.manifest.entry.object],
        "units": {unit.name: [one.name for one in unit.spec.parameters] for unit in code.manifest.units},
        "files": [[path, len(code.files[path])] for path in paths],
        "authoring": len(authoring),
        "memory": limits.memory,
        "cpu": limits.cpu,
        "open_files": limits.files,
    }
    return Frame(head, b"".join([*(code.files[path] for path in paths), authoring]))


def start_frame(unit: str, parameters: Data) -> Frame:
    """Which unit runs, with which parameters."""
    return Frame({"say": "start", "unit": unit, "parameters": dict(parameters)})


def answer_frame(answer: Answer) -> Frame:
    """The answer to an ``Ask``; cookies are kept by nobody, so nobody needs to see them."""
    if isinstance(answer, Failed):
        error = answer.error
        return Frame(
            {
                "say": "failed",
                "code": error.code,
                "reason": error.reason,
                "message": error.what,
                "status": error.status,
                "retryable": error.retryable,
                "retry_after": error.retry_after,
            }
        )
    headers = [[name.lower(), value] for name, value in answer.headers.without(*NOT_PASSED_ON).fields]
    head = {"say": "reply", "status": answer.status, "url": answer.url, "headers": headers}
    return Frame(head, answer.body)


def read_said(frame: Frame) -> Said:
    """What the process said.

    Raises:
        LoopXError: ``extension_error``: ``protocol`` when it makes no sense; what it says of itself
            when it is broken.
    """
    said = _Said(frame.head)
    word = said.text("say")
    if frame.body and word != "ask":
        raise refused("protocol", f"bytes with {quoted(word)}")
    match word:
        case "loaded":
            step: Said = Loaded()
        case "ask":
            step = _read_ask(said, frame.body)
        case "emit":
            step = Emit(said.object("data"))
        case "note":
            step = Note(said.text("text")[:LONGEST_NOTE])
        case "done":
            step = Done()
        case "unhandled":
            step = Unhandled()
        case "broken":
            raise _broken(said)
        case _:
            raise refused("protocol", f"it says {quoted(word)}")
    said.finish()
    return step


class _Said:
    """The parts of a frame, each taken once."""

    def __init__(self, head: Mapping[str, object]) -> None:
        self._left = dict(head)

    def take(self, key: str) -> object:
        if key not in self._left:
            raise refused("protocol", f"{key} is missing")
        return self._left.pop(key)

    def text(self, key: str) -> str:
        value = self.take(key)
        if not isinstance(value, str):
            raise refused("protocol", f"{key} is no text")
        return value

    def list(self, key: str, most: int) -> "list[object]":
        value = self.take(key)
        if not isinstance(value, list) or len(cast("list[object]", value)) > most:
            raise refused("protocol", f"{key} is no list, or too long")
        return cast("list[object]", value)

    def object(self, key: str) -> "dict[str, object]":
        value = self.take(key)
        if not isinstance(value, dict):
            raise refused("protocol", f"{key} is no object")
        return cast("dict[str, object]", value)

    def finish(self) -> None:
        if self._left:
            raise refused("protocol", f"{quoted(next(iter(self._left)))} is not known")


def _read_ask(said: _Said, body: bytes) -> Ask:
    credential, timeout = said.take("credential"), said.take("timeout")
    if credential is not None and not isinstance(credential, str):
        raise refused("protocol", "credential is no text")
    if timeout is not None and (not isinstance(timeout, int | float) or isinstance(timeout, bool)):
        raise refused("protocol", "timeout is no number")
    return Ask(
        method=said.text("method"),
        url=said.text("url"),
        headers=Headers(tuple(_read_header(pair) for pair in said.list("headers", _MOST_HEADERS))),
        body=body,
        accept_status=SUCCESS | _read_statuses(said.list("accept_status", len(_STATUSES))),
        credential=credential,
        timeout=timeout,
    )


def _read_header(pair: object) -> tuple[str, str]:
    match pair:
        case [str(name), str(value)]:
            return name, value
        case _:
            raise refused("protocol", "a header that is no pair of texts")


def _read_statuses(items: list[object]) -> frozenset[int]:
    statuses = frozenset(item for item in items if type(item) is int and item in _STATUSES)
    if len(statuses) < len(set(map(repr, items))):
        raise refused("protocol", "accept_status holds what is no status")
    return statuses


def _broken(said: _Said) -> LoopXError:
    """Where it broke; the words of its exception are for whoever debugs it, and no part of the error."""
    reason, kind, place = said.text("reason"), said.text("kind"), said.text("place")
    message = said.text("message")
    said.finish()
    if reason not in _BROKEN:
        raise refused("protocol", f"it is broken by {quoted(reason)}")
    if reason == "entry":
        words = _ENTRY.get(kind, "it is not usable")
        return refused(reason, f"{place}: {words}" if _UNIT.fullmatch(place) else words)
    what = kind if _NAME.fullmatch(kind) else "an exception"
    error = refused(reason, f"{what} at {place}" if _PLACE.fullmatch(place) else what)
    error.add_note(f"The extension says: {message}")
    return error
