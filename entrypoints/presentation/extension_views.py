"""Extensions of the registry as people see them: in tables and on pages."""

from collections.abc import Iterator, Sequence
from typing import Final, cast

from loopx.domain.schema import Data
from loopx.entrypoints.presentation.columns import Column
from loopx.entrypoints.presentation.footer import footer_lines
from loopx.entrypoints.presentation.frame import Frame, write_lines
from loopx.entrypoints.presentation.lists import Result
from loopx.entrypoints.presentation.page import fact_lines
from loopx.entrypoints.presentation.style import Cell, Tone
from loopx.entrypoints.presentation.times import age
from loopx.entrypoints.presentation.untrusted import one_line
from loopx.entrypoints.presentation.view import View, noun

_SHORT: Final = 12
_NAMED: Final = 3
_STATES: Final = {
    "installed": Cell("installed", Tone.GOOD),
    "update_waiting": Cell("installed, update waits", Tone.BUSY),
    "pin_changed": Cell("pinned to another", Tone.BUSY),
    "not_installed": Cell("not installed", Tone.QUIET),
}
_VERDICTS: Final = {
    "intact": Cell("intact", Tone.GOOD),
    "damaged": Cell("damaged", Tone.BAD),
    "unreadable": Cell("unreadable", Tone.BAD),
    "not_installed": Cell("not installed", Tone.BUSY),
}


def state_cell(data: Data) -> Cell:
    """How far an extension is, in words."""
    return _STATES.get(str(data["state"]), Cell(str(data["state"])))


def _columns(_records: Sequence[Data], now: float) -> tuple[Column, ...]:
    return (
        Column(title="NAME", cell=lambda data: Cell(str(data["name"]), Tone.STRONG)),
        Column(title="VERSION", cell=lambda data: Cell(str(data["version"] or "?"))),
        Column(title="STATE", cell=state_cell),
        Column(title="AGE", cell=lambda data: Cell(age(data["approved_at"], now)), right=True, rank=3),
        Column(title="SHA256", cell=_digest_cell, rank=2),
        Column(title="FROM", cell=lambda data: Cell(str(data["url"]), Tone.QUIET), least=16, rank=1),
    )


def _digest_cell(data: Data) -> Cell:
    digest = data["sha256"]
    return Cell(str(digest)[:_SHORT], Tone.QUIET) if digest else Cell("none yet", Tone.BUSY)


EXTENSION_VIEW: Final = View(_columns)


def extension_pages(result: Result, frame: Frame) -> None:
    """Each extension on a page of its own, then what to know and what to do next."""
    for data in result.records:
        write_lines(frame.out, _page(data, frame))
    write_lines(frame.out, footer_lines(result.summary, frame.spec, frame.terminal))


def _page(data: Data, frame: Frame) -> Iterator[str]:
    title = " ".join(str(part) for part in (data["name"], data["version"]) if part)
    yield frame.terminal.paint(one_line(title), Tone.STRONG)
    if data["description"]:
        yield one_line(str(data["description"]))
    for name, cells in _facts(data, frame.now).items():
        yield from fact_lines(name, cells, frame.terminal)


def _facts(data: Data, now: float) -> dict[str, list[Cell]]:
    following = cast("Data | None", data["next"])
    return {
        "state": [state_cell(data)],
        "approved": [Cell(_when(data["approved_at"], now))] if data["approved_at"] else [],
        "from": [Cell(str(data["url"]))],
        "sha256": [_pinned(data)],
        "next": [Cell(f"{following['url']} (sha256 {following['sha256'] or 'not named'})")]
        if following
        else [],
        "provides": [Cell(f"{one['name']} ({one['kind']})") for one in _parts(data, "provides")],
        "may call": [Cell(_host(one)) for one in _parts(data, "hosts")],
        "may use": [
            Cell(f"{one['name']}: the credential of {one['host']}") for one in _parts(data, "credentials")
        ],
        "project": [Cell(str(data["project"]), Tone.QUIET)],
    }


def _when(time: object, now: float) -> str:
    said = age(time, now)
    return f"{time} ({said if said == 'now' else f'{said} ago'})"


def _pinned(data: Data) -> Cell:
    if not data["sha256"]:
        return Cell("none named: the first download will be trusted unseen", Tone.BUSY)
    note = " (first download, trusted unseen)" if data["trust"] == "first_download" else ""
    return Cell(f"{data['sha256']}{note}")


def _host(grant: Data) -> str:
    return f"{', '.join(cast('list[str]', grant['methods']))} https://{grant['host']}"


def _parts(data: Data, name: str) -> list[Data]:
    return cast("list[Data]", data[name])


def verdict_cell(data: Data) -> Cell:
    """What a verification found, in words."""
    return _VERDICTS.get(str(data["verdict"]), Cell(str(data["verdict"])))


def _verified_columns(_records: Sequence[Data], _now: float) -> tuple[Column, ...]:
    return (
        Column(title="NAME", cell=lambda data: Cell(str(data["name"]), Tone.STRONG)),
        Column(title="VERSION", cell=lambda data: Cell(str(data["version"] or "?"))),
        Column(title="VERDICT", cell=verdict_cell),
        Column(title="FILES", cell=lambda data: Cell(str(data["files"])), right=True),
        Column(title="DIFFERS", cell=_differences_cell, least=16),
    )


def _differences_cell(data: Data) -> Cell:
    found = cast("list[Data]", data["differences"])
    named = [f"{one['path']} ({one['change']})" for one in found[:_NAMED]]
    more = [noun("more_file", len(found) - _NAMED)] if len(found) > _NAMED else []
    return Cell(", ".join((*named, *more)) or str(data["error"] or ""), Tone.BAD)


VERIFICATION_VIEW: Final = View(_verified_columns)
