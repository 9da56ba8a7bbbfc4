"""The person's word."""

from typing import Protocol

from loopx.domain.consent import Question
from loopx.domain.context import CallContext


class Consent(Protocol):
    """Asks a person before trust is widened."""

    def ask(self, question: Question, context: CallContext) -> None:
        """Return when the person agrees.

        Raises:
            LoopXError: ``consent_required`` with reason ``agent``, ``unattended`` or ``declined``.
        """
        ...
