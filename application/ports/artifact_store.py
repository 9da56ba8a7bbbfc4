"""Where the trees of extensions lie, each under the digest of its archive."""

from collections.abc import Callable, Collection
from typing import Protocol

from loopx.application.ports.staging import Staging, StagingArea
from loopx.domain.registry.approvals import Artifact
from loopx.domain.registry.tree import Examination, Tree


class ArtifactStore(Staging, Protocol):
    """Trees that are never changed once they are in."""

    async def seal(self, area: StagingArea, top: str) -> Tree:
        """Read all that was staged below its top directory, list it, and bring it to the disk.

        Raises:
            LoopXError: ``state_error`` with reason ``unreadable`` or ``unwritable``;
                ``extension_error/tree`` when there is too much of it.
        """
        ...

    async def commit(self, area: StagingArea, artifact: Artifact) -> None:
        """Take a sealed tree in under its digest, at once and as a whole; what is there intact stays.

        Raises:
            LoopXError: ``state_error/unwritable``.
        """
        ...

    async def examine(self, artifact: Artifact) -> Examination:
        """Read what is stored for an artifact, and compare every byte of it with what was approved.

        Raises:
            LoopXError: ``state_error/unreadable``.
        """
        ...

    def collect(self, keep: Callable[[], Collection[str]]) -> None:
        """Remove abandoned staging areas, and trees whose archive's digest is not to be kept.

        Trees stay as long as anybody stages: one that was just taken in may be about to be approved.

        Raises:
            LoopXError: ``state_error/unwritable`` or ``state_error/locked``, or what ``keep`` raises.
        """
        ...
