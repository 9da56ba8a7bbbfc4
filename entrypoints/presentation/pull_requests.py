"""Pull requests as a table for people."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, cast

from loopx.domain.schema import Data
from loopx.entrypoints.presentation.columns import Column
from loopx.entrypoints.presentation.style import Cell, Tone
from loopx.entrypoints.presentation.times import age
from loopx.entrypoints.presentation.view import View, noun

_REVIEWS: Final = {
    "approved": Cell("approved", Tone.GOOD),
    "changes_requested": Cell("changes", Tone.BAD),
    "review_required": Cell("required"),
    "none": Cell("none", Tone.QUIET),
}
_CHECKS: Final = {
    "pass": Cell("✓ pass", Tone.GOOD),
    "none": Cell("· none", Tone.QUIET),
    "unavailable": Cell("? hidden", Tone.BUSY),
}
_TURNS: Final = {
    "maintainer": Tone.YOURS,
    "reviewer": Tone.STRONG,
    "nobody": Tone.QUIET,
    "ci": Tone.QUIET,
}


def checks_cell(data: Data) -> Cell:
    """The checks in two words; only green is good."""
    checks = cast("dict[str, object]", data["checks"])
    failed = _count(checks, "failing", "cancelled")
    waiting = _count(checks, "pending", "missing_required")
    match checks["verdict"]:
        case "fail":
            return Cell(f"✗ {failed} fail", Tone.BAD)
        case "pending":
            return Cell(f"● {waiting} left" if waiting else "● pending", Tone.BUSY)
        case verdict:
            return _CHECKS.get(str(verdict), Cell("? unclear", Tone.BUSY))


def review_cell(data: Data) -> Cell:
    """What the reviews amount to, in a word."""
    review = cast("dict[str, object]", data["review"])
    return _REVIEWS.get(str(review["decision"]), Cell("unknown", Tone.BUSY))


def turn_cell(data: Data) -> Cell:
    """Who has to act next."""
    turn = str(cast("Data", data["attention"])["whose_turn"])
    return Cell(turn, _TURNS.get(turn, Tone.PLAIN))


def state_cell(data: Data) -> Cell:
    """Why, in the words of the triage."""
    return Cell(str(cast("Data", data["attention"])["state"]).replace("_", " "), turn_cell(data).tone)


def author_cell(data: Data) -> Cell:
    """Who wrote it."""
    author = cast("Data", data["author"])
    return Cell(str(author["login"]) if author["login"] else "(deleted)", Tone.QUIET)


def _columns(records: Sequence[Data], now: float) -> tuple[Column, ...]:
    several = len({(data["host"], data["repository"]) for data in records}) > 1
    repository = Column(
        title="REPOSITORY", cell=lambda data: Cell(str(data["repository"])), most=28, least=12, rank=1
    )
    return (
        *((repository,) if several else ()),
        Column(title="#", cell=lambda data: Cell(f"#{data['number']}", Tone.QUIET), right=True),
        Column(title="TITLE", cell=lambda data: Cell(str(data["title"])), most=72, least=24),
        Column(title="AUTHOR", cell=author_cell, most=14, least=10, rank=3),
        Column(title="AGE", cell=lambda data: Cell(age(data["created_at"], now)), right=True, rank=4),
        Column(title="CHECKS", cell=checks_cell),
        Column(title="REVIEW", cell=review_cell, rank=2),
        Column(title="TURN", cell=turn_cell),
        Column(title="WHY", cell=state_cell, rank=5),
    )


def _headline(records: Sequence[Data]) -> tuple[str, ...]:
    repositories = sorted({str(data["repository"]) for data in records})
    where = repositories[0] if len(repositories) == 1 else f"{len(repositories)} repositories"
    turns = Counter(turn_cell(data).text for data in records)
    order = ("maintainer", "reviewer", "author", "ci", "nobody")
    shares = " · ".join(f"{turn} {turns[turn]}" for turn in order if turns[turn])
    return (f"{where} · {noun('pull_request', len(records))}", f"whose turn: {shares}")


def _count(checks: Data, *lists: str) -> int:
    return sum(len(cast("list[object]", checks[name])) for name in lists)


PULL_REQUEST_VIEW: Final = View(_columns, _headline)
