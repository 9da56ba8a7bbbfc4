"""What an update announces before it does it."""

from typing import Protocol

from loopx.domain.updates.journal import JournalEntry


class UpdateJournal(Protocol):
    """Holds the last entry of an update that did not end; nothing between updates."""

    def pending(self) -> JournalEntry | None:
        """The entry that counts.

        Raises:
            LoopXError: ``state_error/corrupt`` or ``state_error/unreadable``.
        """
        ...

    def write(self, entry: JournalEntry) -> None:
        """Announce what comes next; on return it would survive a crash of the machine.

        Raises:
            LoopXError: ``state_error/unwritable``; the entries before it still count.
        """
        ...

    def clear(self) -> None:
        """The update came to its end.

        Raises:
            LoopXError: ``state_error/unwritable``.
        """
        ...
