"""List extensions."""

from loopx.application.steps.extension_records import ExtensionRecords
from loopx.domain.registry.status import ExtensionStatus


class ListExtensions:
    """Tells what the project declares and how far each of it is on this machine."""

    def __init__(self, *, records: ExtensionRecords) -> None:
        self._records = records

    def __call__(self, name: str | None = None) -> tuple[ExtensionStatus, ...]:
        """Every extension in order of name, or the one of a name.

        Raises:
            LoopXError: ``registry_error/unknown``; ``state_error``.
        """
        self._records.recover_if_possible()
        return self._records.statuses() if name is None else (self._records.status(name),)
