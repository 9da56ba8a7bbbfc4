"""The person's word, given beforehand."""

from collections.abc import Collection

from loopx.domain.consent import Answer, Question, decide_consent
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError


class StandingConsent:
    """Nobody is there to be asked: what was said beforehand counts, and without that the answer is no.

    ``asked`` keeps the questions; ``declines`` plays a person who was asked and said no.
    """

    def __init__(
        self, *, assume_yes: bool = False, allowed_agents: Collection[str] = (), declines: bool = False
    ) -> None:
        self._assume_yes = assume_yes
        self._allowed_agents = allowed_agents
        self._declines = declines
        self.asked: list[Question] = []

    def ask(self, question: Question, context: CallContext) -> None:
        self.asked.append(question)
        answer = decide_consent(
            question,
            agent_id=context.agent_id,
            assume_yes=self._assume_yes,
            interactive=self._declines,
            allowed_agents=self._allowed_agents,
        )
        if answer is Answer.ASK:
            raise LoopXError("consent_required", "declined", detail=question.deed)
