"""Who may widen trust: a person, or a script that a person told so, never an agent by itself."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from loopx.domain.errors import LoopXError


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked: the deed in one line, and the facts to decide by."""

    deed: str
    facts: tuple[str, ...] = ()


class Answer(StrEnum):
    """What follows from the circumstances, before anybody is asked."""

    AGREED = "agreed"
    ASK = "ask"


def decide_consent(
    question: Question,
    *,
    agent_id: str | None,
    assume_yes: bool,
    interactive: bool,
    allowed_agents: Collection[str] = (),
) -> Answer:
    """Whether the deed may go on, must be asked for, or is refused.

    ``allowed_agents`` comes from user-level policy only.

    Raises:
        LoopXError: ``consent_required/agent`` or ``consent_required/unattended``.
    """
    if agent_id is not None and agent_id not in allowed_agents:
        raise LoopXError("consent_required", "agent", detail=question.deed)
    if assume_yes:
        return Answer.AGREED
    if not interactive:
        raise LoopXError("consent_required", "unattended", detail=question.deed)
    return Answer.ASK
