"""The extensions that a person has approved."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from loopx.domain.extensions.code import ExtensionCode
from loopx.domain.extensions.manifest import Manifest


@dataclass(frozen=True, slots=True)
class InstalledExtension:
    """What is known without reading code; ``digest`` is the SHA-256 under which it is stored."""

    manifest: Manifest
    digest: str


class InstalledExtensions(Protocol):
    """Knows what may run, and brings its code."""

    def approved(self) -> Sequence[InstalledExtension]:
        """Everything that is installed, approved on this machine and enabled, in order of id.

        Asked for whenever capabilities are listed, so it reads manifests and no code.

        Raises:
            LoopXError: ``state_error``.
        """
        ...

    async def open(self, extension: InstalledExtension) -> ExtensionCode:
        """The code, every byte of it compared with what was approved.

        Raises:
            LoopXError: ``integrity_error/stored`` when something was changed since;
                ``registry_error/not_installed``; ``state_error/unreadable``; ``extension_error/tree``.
        """
        ...
