"""Other programs."""

from typing import Protocol

from loopx.domain.processes import Command, Finished


class ProcessRunner(Protocol):
    """Runs programs to their end."""

    async def run(self, command: Command) -> Finished:
        """Run one without input; when its time is over, or the caller's, it and its children are killed.

        A program that is not there ends with 127, one that cannot be executed with 126, as in a shell.

        Raises:
            LoopXError: ``update_error/process`` when the system has no room for another process.
        """
        ...
