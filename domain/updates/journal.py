"""What an update writes down before each thing that a crash must not leave half done.

One JSON object a line, appended and synced; each is the whole entry, and the last whole line counts. A line
without its end is one that the crash cut off: what it announced was not begun.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, cast

from loopx.domain.errors import LoopXError
from loopx.domain.http.json_text import read_json

JOURNAL_SCHEMA: Final = "loopx.update-journal/1"


class Phase(StrEnum):
    """What may have happened since the entry was written."""

    BEGUN = "begun"
    """Something may lie in the staging area."""
    STORING = "storing"
    """The candidate may lie among the versions."""
    SWITCHING = "switching"
    """The candidate may be current; that it works through the pointer is not known yet."""
    CONFIRMED = "confirmed"
    """The candidate is current and works."""
    RETURNING = "returning"
    """The candidate failed, and the old version may not be current again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One state of an update; ``fresh`` says that the candidate was not here before."""

    phase: Phase = Phase.BEGUN
    old: str | None = None
    candidate: str | None = None
    fresh: bool = False

    def storing(self, candidate: str) -> "JournalEntry":
        """The next entry: a new version is about to be put among the others."""
        return replace(self, phase=Phase.STORING, candidate=candidate, fresh=True)

    def switching(self, candidate: str) -> "JournalEntry":
        """The next entry: the pointer is about to be moved."""
        return replace(self, phase=Phase.SWITCHING, candidate=candidate)

    def confirmed(self) -> "JournalEntry":
        """The next entry: the candidate passed its last check."""
        return replace(self, phase=Phase.CONFIRMED)

    def returning(self) -> "JournalEntry":
        """The next entry: the pointer is about to be moved back."""
        return replace(self, phase=Phase.RETURNING)


def write_entry(entry: JournalEntry) -> bytes:
    """The line of an entry."""
    data = {
        "schema": JOURNAL_SCHEMA,
        "phase": entry.phase.value,
        "old": entry.old,
        "candidate": entry.candidate,
        "fresh": entry.fresh,
    }
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def read_journal(content: bytes, place: str) -> JournalEntry:
    """The entry that counts; an update whose first line was cut off had just begun.

    Raises:
        LoopXError: ``state_error/corrupt`` naming the line, when it is not one of ours.
    """
    entry = JournalEntry()
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        found = _read_line(line)
        if found is None:
            raise LoopXError("state_error", "corrupt", detail=f"{place}: line {number} is no entry of it")
        entry = found
    return entry


def _read_line(line: bytes) -> JournalEntry | None:
    try:
        document = read_json(line)
    except LoopXError:
        return None
    data = cast("Mapping[str, object]", document) if isinstance(document, dict) else {}
    phase, fresh = data.get("phase"), data.get("fresh")
    old, candidate = data.get("old"), data.get("candidate")
    if data.get("schema") != JOURNAL_SCHEMA or phase not in list(Phase) or not isinstance(fresh, bool):
        return None
    if not isinstance(old, str | None) or not isinstance(candidate, str | None):
        return None
    return JournalEntry(phase=Phase(str(phase)), old=old, candidate=candidate, fresh=fresh)
