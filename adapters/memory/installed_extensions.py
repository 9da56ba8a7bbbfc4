"""Extensions that somebody installed in thought."""

from collections.abc import Iterable, Sequence

from loopx.application.ports.installed_extensions import InstalledExtension
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.code import ExtensionCode


class MemoryInstalledExtensions:
    """Has exactly the given code approved."""

    def __init__(self, codes: Iterable[ExtensionCode] = ()) -> None:
        self._codes = {code.manifest.id: code for code in codes}

    def remove(self, extension_id: str) -> None:
        """Forget one, if it is there."""
        self._codes.pop(extension_id, None)

    def approved(self) -> Sequence[InstalledExtension]:
        codes = (self._codes[name] for name in sorted(self._codes))
        return [InstalledExtension(code.manifest, code.digest) for code in codes]

    async def open(self, extension: InstalledExtension) -> ExtensionCode:
        code = self._codes.get(extension.manifest.id)
        if code is None or code.digest != extension.digest:
            raise LoopXError("registry_error", "not_installed", detail=extension.manifest.id)
        return code
