"""What an update would do, decided from what is there; nothing is fetched and nothing is written."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from loopx.domain.errors import LoopXError
from loopx.domain.updates.collection import choose_garbage
from loopx.domain.updates.found import Found
from loopx.domain.updates.journal import JournalEntry
from loopx.domain.updates.owner import Owner, require_foreign, require_own
from loopx.domain.updates.preflight import Place, check_place, check_room
from loopx.domain.updates.settlement import settle
from loopx.domain.updates.succession import check_digest


class Verdict(StrEnum):
    """What would become of a step."""

    READY = "ready"
    SKIPPED = "skipped"
    ASKS = "asks"
    UNKNOWN = "unknown"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One step, and what is known of it beforehand."""

    does: str
    verdict: Verdict
    detail: str
    error: LoopXError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is asked for; ``url`` and ``sha256`` may be missing from a plan."""

    url: str | None = None
    sha256: str | None = None
    adopt: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What there is; ``journal`` is that of an update that did not end."""

    owner: Owner
    place: Place
    found: Found
    bad_marks: str
    """The folder of the marks, for errors."""
    journal: JournalEntry | None = None


def plan_update(wish: Wish, situation: Situation) -> Iterator[PlannedStep]:
    """The steps in their order; those behind a blocked one say what they would have done."""
    found = situation.found
    stored = found.by_digest(wish.sha256) if wish.sha256 else None
    is_current = stored is not None and stored.name == found.pointers.current
    require = require_foreign if wish.adopt else require_own
    yield _check("owner", f"this copy belongs to {situation.owner.kind}", lambda: require(situation.owner))
    if situation.journal is not None:
        yield _recovery(situation.journal, found)
    yield _check("place", situation.place.path, lambda: check_place(situation.place))
    size = found.current.size if found.current else 0
    yield _check("room", f"{situation.place.free} bytes free", lambda: check_room(situation.place, size))
    if wish.sha256:
        digest = wish.sha256
        yield _check("release", f"sha256 {digest}", lambda: check_digest(digest, found, situation.bad_marks))
    yield PlannedStep("consent", Verdict.ASKS, "a person says yes, or --yes does")
    yield _download(wish, stored.name if stored else None)
    name = stored.name if stored else _unknown_name(wish)
    yield _act("check", f"start {name} by its path; it must tell its version", skipped=is_current)
    yield _act("switch", f"{found.pointers.current or 'nothing'} → {name}", skipped=is_current)
    yield _act("confirm", f"start {name} through the pointer; if it fails, go back", skipped=is_current)
    garbage = choose_garbage(found)
    yield _act("remove", ", ".join(garbage) or "no old version is too many", skipped=not garbage)


def _check(does: str, detail: str, check: Callable[[], None]) -> PlannedStep:
    try:
        check()
    except LoopXError as error:
        return PlannedStep(does, Verdict.BLOCKED, f"{error.what}. {error.hint}", error)
    return PlannedStep(does, Verdict.READY, detail)


def _act(does: str, detail: str, *, skipped: bool) -> PlannedStep:
    return PlannedStep(does, Verdict.SKIPPED if skipped else Verdict.READY, detail)


def _recovery(journal: JournalEntry, found: Found) -> PlannedStep:
    settlement = settle(journal, found)
    target = settlement.current or found.pointers.current or "nothing"
    detail = f"an update was interrupted while {journal.phase}: clear up, and start {target}"
    return PlannedStep("recover", Verdict.READY, detail)


def _download(wish: Wish, stored: str | None) -> PlannedStep:
    if stored is not None:
        return PlannedStep("download", Verdict.SKIPPED, f"{stored} is here already")
    if wish.url is None or wish.sha256 is None:
        return PlannedStep("download", Verdict.UNKNOWN, "say which release: --url URL --checksum SHA256")
    return PlannedStep("download", Verdict.READY, f"{wish.url}, which must have the checksum")


def _unknown_name(wish: Wish) -> str:
    return f"the release {wish.sha256[:12]}" if wish.sha256 else "the release"
