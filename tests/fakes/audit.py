"""Audit rows to write, in the shapes that calls give them."""

from typing import Final

from hypothesis import strategies as st

from loopx.domain.audit.pruning import CAPABILITY
from loopx.domain.audit.row import AuditEntry, AuditPhase, Outcome, Subject

TRACE_ID: Final = "4bf92f3577b34da6a3ce929d0e0e4736"
NOW: Final = 1_700_000_000_000_000
"""The moment at which the clock in memory stands, in microseconds."""


def subject(number: int = 1, **parts: object) -> Subject:
    """An attempt; its id is the number."""
    name = f"{number:016x}"
    usual: dict[str, object] = {
        "id": name,
        "trace_id": TRACE_ID,
        "span_id": name,
        "agent_id": "agent-7",
        "turn_id": "turn-3",
        "capability": "pr_review",
        "method": "POST",
        "host": "api.github.com",
        "url": "https://api.github.com/graphql",
    }
    return Subject(**{**usual, **parts})  # type: ignore[arg-type]  # each test names parts of the subject


def pruning(number: int = 999) -> Subject:
    """Who prunes."""
    return Subject(id=f"{number:016x}", trace_id=TRACE_ID, capability=CAPABILITY)


DONE: Final = Outcome(status=200, elapsed_ms=12, bytes_out=310, bytes_in=4_200, rate_remaining=4_999)
MISSING: Final = Outcome(
    status=404, code="provider_http_error", reason="not_found", elapsed_ms=9, bytes_out=310, bytes_in=700
)


def _texts() -> st.SearchStrategy[str]:
    return st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
        ["", "a", 'a","b', "null", "1"]
    )


def _numbers() -> st.SearchStrategy[int]:
    return st.integers(min_value=0, max_value=2**53 - 1) | st.integers(min_value=0, max_value=3)


def subjects() -> st.SearchStrategy[Subject]:
    """Any subject."""
    words = st.none() | _texts()
    return st.builds(
        Subject,
        id=_texts(),
        trace_id=_texts(),
        span_id=words,
        agent_id=words,
        turn_id=words,
        capability=words,
        method=words,
        host=words,
        url=words,
        attempt=_numbers(),
    )


def outcomes() -> st.SearchStrategy[Outcome]:
    """Any outcome."""
    words, numbers = st.none() | _texts(), st.none() | _numbers()
    return st.builds(
        Outcome,
        status=numbers,
        code=words,
        reason=words,
        elapsed_ms=numbers,
        bytes_out=numbers,
        bytes_in=numbers,
        cache=words,
        rate_remaining=numbers,
    )


def plain_entries() -> st.SearchStrategy[AuditEntry]:
    """Entries as calls give them: cheap to draw, for what is about their order."""
    return st.builds(
        AuditEntry,
        at=st.integers(NOW, NOW + 5),
        phase=st.sampled_from(AuditPhase),
        subject=st.integers(1, 3).map(subject),
        outcome=st.sampled_from([DONE, MISSING]),
    )


def entries() -> st.SearchStrategy[AuditEntry]:
    """Any entry."""
    return st.builds(
        AuditEntry,
        at=_numbers(),
        phase=st.sampled_from(AuditPhase),
        subject=subjects(),
        outcome=outcomes(),
        note=st.none() | _texts(),
    )
