"""The tree of a release, before it is installed."""

from collections.abc import Mapping
from typing import Protocol

from loopx.domain.updates.release import FileDigest
from loopx.domain.updates.seal import Seal


class ReleaseTree(Protocol):
    """Reads and seals a tree by its root: the staging area's tree, a slash and the archive's top name."""

    async def manifest(self, root: str) -> bytes:
        """The content of ``release.json``.

        Raises:
            LoopXError: ``update_error/release`` when there is none; ``state_error/unreadable``.
        """
        ...

    async def measure(self, root: str) -> Mapping[str, FileDigest]:
        """Every other file by its path, but neither bytecode nor what sealing adds.

        Raises:
            LoopXError: ``state_error/unreadable``.
        """
        ...

    async def seal(self, root: str, seal: Seal, interpreter: str) -> None:
        """Note the interpreter, bring everything to the disk, and only then write the seal.

        Raises:
            LoopXError: ``state_error/unwritable``.
        """
        ...
