"""What a project declares."""

from collections.abc import Callable
from typing import Protocol

from loopx.domain.registry.document import Registry


class RegistryFile(Protocol):
    """The registry of one project, read and replaced as a whole."""

    @property
    def project(self) -> str:
        """The absolute path of the project's folder, links resolved."""
        ...

    def read(self) -> Registry:
        """The registry as it is; an empty one where there is none.

        Raises:
            LoopXError: ``state_error`` with reason ``corrupt``, ``newer_version`` or ``unreadable``.
        """
        ...

    def update(self, change: Callable[[Registry], Registry]) -> Registry:
        """Replace it by what the function makes of it, while nobody else can; nothing is lost.

        Nothing is written where nothing changes, or where the function or the reading fails.

        Raises:
            LoopXError: as ``read``; ``state_error`` with reason ``unwritable`` or ``locked``; or what
                the function raises.
        """
        ...

    def recover(self) -> None:
        """Remove what a writer that was killed left behind.

        Raises:
            LoopXError: ``state_error/unwritable`` or ``state_error/locked``.
        """
        ...
