"""The file system under the versions."""

from typing import Protocol

from loopx.domain.updates.preflight import Place


class UpdatePlace(Protocol):
    """Knows whose the data home is and what fits in there."""

    def inspect(self) -> Place:
        """The facts now; of a home that is not there yet, those of the folder that it would be made in.

        Raises:
            LoopXError: ``state_error/unreadable``.
        """
        ...
