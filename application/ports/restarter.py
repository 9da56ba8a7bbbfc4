"""A new start in place of this process."""

from collections.abc import Sequence
from typing import NoReturn, Protocol


class Restarter(Protocol):
    """Replaces the running program."""

    def restart(self, program: Sequence[str], guard: tuple[str, str]) -> NoReturn:
        """Flush what was written, then become that program; ``guard`` joins its environment.

        Raises:
            LoopXError: ``update_error/restart_failed``.
        """
        ...
