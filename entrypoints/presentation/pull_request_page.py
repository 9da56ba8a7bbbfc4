"""One pull request on a page of its own."""

from collections.abc import Iterator
from typing import Final, cast

from loopx.domain.schema import Data
from loopx.entrypoints.presentation.frame import Frame
from loopx.entrypoints.presentation.page import fact_lines, heading_lines
from loopx.entrypoints.presentation.pull_requests import checks_cell, review_cell, turn_cell
from loopx.entrypoints.presentation.style import Cell, Tone
from loopx.entrypoints.presentation.times import age
from loopx.entrypoints.presentation.untrusted import one_line
from loopx.entrypoints.presentation.view import noun

_MOST_CHECKS: Final = 12
_YES: Final = {"mergeable": "yes", "conflicting": "no, it conflicts"}
_GHOST: Final = "a deleted account"
_DECISIONS: Final = {
    "approved": "approved",
    "changes_requested": "changes are wanted",
    "review_required": "a review is required",
    "none": "no decision",
}
_MARKS: Final = {
    "failing": ("✗", Tone.BAD),
    "cancelled": ("✗", Tone.BAD),
    "pending": ("●", Tone.BUSY),
}


def pull_request_page(data: Data, frame: Frame) -> Iterator[str]:
    """Title, verdict with its reasons, then checks, reviews and the rest."""
    terminal = frame.terminal
    yield from heading_lines(data, terminal)
    for line in _bylines(data, frame.now):
        yield terminal.paint(one_line(line), Tone.QUIET)
    yield ""
    facts = {
        "turn": _turn(data),
        "checks": _checks(data),
        "reviews": _reviews(data),
        "threads": _threads(data),
        "branch": _branch(data),
        "size": _size(data),
        "labels": _labels(data),
    }
    for name, cells in facts.items():
        yield from fact_lines(name, cells, terminal)


def _bylines(data: Data, now: float) -> Iterator[str]:
    author = _part(data, "author")
    who = author["login"] or _GHOST
    association = str(data["author_association"])
    role = "" if association == "none" else f" ({association.replace('_', ' ')})"
    state = f"draft, {data['state']}" if data["draft"] else data["state"]
    yield f"{data['repository']} · {state} · by {who}{role}"
    yield f"opened {_ago(data['created_at'], now)} · updated {_ago(data['updated_at'], now)}"


def _turn(data: Data) -> Iterator[Cell]:
    attention = _part(data, "attention")
    yield Cell(
        f"{attention['whose_turn']}: {str(attention['state']).replace('_', ' ')}", turn_cell(data).tone
    )
    for reason in cast("list[str]", attention["reasons"]):
        yield Cell(reason)


def _checks(data: Data) -> Iterator[Cell]:
    checks = _part(data, "checks")
    counts = cast("dict[str, int]", checks["counts"])
    verdict = checks_cell(data)
    shares = ", ".join(f"{number} {word}" for word, number in counts.items() if number)
    yield Cell(f"{verdict.text}{f'  ({shares})' if shares else ''}", verdict.tone)
    listed = [(kind, check) for kind in _MARKS for check in cast("list[Data]", checks[kind])]
    for kind, check in listed[:_MOST_CHECKS]:
        mark, tone = _MARKS[kind]
        name = f"{check['workflow']} / {check['name']}" if check["workflow"] else check["name"]
        yield Cell(f"{mark} {name}: {str(check['state']).replace('_', ' ')}", tone)
        if kind == "failing" and check["url"]:
            yield Cell(f"  {check['url']}", Tone.QUIET)
    if len(listed) > _MOST_CHECKS:
        yield Cell(f"and {len(listed) - _MOST_CHECKS} more", Tone.QUIET)
    for name in cast("list[str]", checks["missing_required"]):
        yield Cell(f"● {name}: required, never reported", Tone.BUSY)
    if checks["truncated"]:
        yield Cell("not all checks could be read", Tone.BUSY)


def _reviews(data: Data) -> Iterator[Cell]:
    review = _part(data, "review")
    stale = cast("list[str | None]", review["stale_approvals"])
    approvals = [
        (name or _GHOST) + (" (an older commit)" if name in stale else "")
        for name in cast("list[str | None]", review["approved_by"])
    ]
    objections = [name or _GHOST for name in cast("list[str | None]", review["changes_requested_by"])]
    yield Cell(_DECISIONS.get(str(review["decision"]), "could not be read"), review_cell(data).tone)
    if objections:
        yield Cell(f"changes wanted by {', '.join(objections)}")
    if approvals:
        yield Cell(f"approval of {', '.join(approvals)}")
    requested = cast("list[Data]", review["requested"])
    if requested:
        yield Cell(f"asked: {', '.join(map(_asked, requested))}")
    bots = cast("list[Data]", review["bot_reviews"])
    if bots:
        shown = ", ".join(f"{bot['login']} ({str(bot['state']).replace('_', ' ')})" for bot in bots)
        yield Cell(f"bots, which do not count: {shown}", Tone.QUIET)


def _asked(request: Data) -> str:
    return f"{request['name'] or 'somebody hidden'}{' (code owner)' if request['code_owner'] else ''}"


def _threads(data: Data) -> Iterator[Cell]:
    threads = _part(data, "threads")
    if threads["truncated"]:
        yield Cell("not all threads could be read", Tone.BUSY)
    if not threads["total"]:
        return
    outdated = f", {threads['outdated']} on outdated code" if threads["outdated"] else ""
    text = f"{threads['unresolved']} of {threads['total']} open{outdated}"
    yield Cell(text, Tone.BUSY if threads["unresolved"] or threads["truncated"] else Tone.PLAIN)


def _branch(data: Data) -> Iterator[Cell]:
    head, base = _part(data, "head"), _part(data, "base")
    own = head["repository"] == data["repository"]
    source = head["ref"] if own else f"{head['repository'] or '(deleted fork)'}:{head['ref']}"
    yield Cell(f"{source} → {base['ref']}")
    queue, auto_merge = data["merge_queue"], data["auto_merge"]
    facts = [
        f"mergeable: {_YES.get(str(data['mergeable']), 'unknown')}",
        f"merge state: {data['merge_state']}",
    ]
    if queue is not None:
        facts.append(f"in the merge queue, position {cast('Data', queue)['position'] or 'unknown'}")
    if auto_merge is not None:
        facts.append(f"merges by itself ({cast('Data', auto_merge)['method']})")
    yield Cell(" · ".join(facts), Tone.QUIET)


def _size(data: Data) -> Iterator[Cell]:
    size = _part(data, "size")
    files = noun("file", cast("int", size["files"]))
    yield Cell(f"+{size['additions']} -{size['deletions']} in {files}")


def _labels(data: Data) -> Iterator[Cell]:
    labels = cast("list[str]", data["labels"])
    milestone = [f"milestone {data['milestone']}"] if data["milestone"] else []
    if labels or milestone:
        yield Cell(" · ".join([*labels, *milestone]))


def _part(data: Data, name: str) -> Data:
    return cast("Data", data[name])


def _ago(since: object, now: float) -> str:
    passed = age(since, now)
    return "just now" if passed == "now" else f"{passed} ago"
