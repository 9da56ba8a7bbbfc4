"""Remove an extension."""

from loopx.application.ports.consent import Consent
from loopx.application.steps.extension_records import ExtensionRecords
from loopx.domain.consent import Question
from loopx.domain.context import CallContext
from loopx.domain.registry.status import ExtensionStatus


class RemoveExtension:
    """Takes away what was approved in the project, and the entry; that needs nobody's consent."""

    def __init__(self, *, records: ExtensionRecords, consent: Consent) -> None:
        self._records = records
        self._consent = consent

    def __call__(self, name: str, context: CallContext, *, forget: bool = False) -> ExtensionStatus:
        """Remove an extension; gives its entry as it was, and that nothing of it is installed now.

        ``forget`` also forgets which bytes were seen under its versions. That lets other bytes in under
        a version that is known, so a person is asked.

        Raises:
            LoopXError: ``registry_error/unknown``; ``consent_required``; ``state_error``.
        """
        self._records.recover()
        self._records.status(name)
        if forget:
            fact = "The next download of any of its versions is trusted unseen, if no checksum is named."
            self._consent.ask(Question(f"Forget which bytes of {name} were seen", (fact,)), context)
        return self._records.withdraw(name, forget=forget)
