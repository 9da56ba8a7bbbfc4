"""Pack an extension for others."""

from dataclasses import dataclass

from loopx.application.ports.archive_writer import ArchiveWriter
from loopx.application.use_cases.check_extension import CheckExtension
from loopx.domain.archives.member import ArchiveSummary
from loopx.domain.context import CallContext
from loopx.domain.extensions.code import ExtensionCode
from loopx.domain.registry.installation import EXTENSION_LIMITS


@dataclass(frozen=True, slots=True)
class Packed:
    """What was packed, and the archive it is in."""

    code: ExtensionCode
    path: str
    archive: ArchiveSummary


class PackExtension:
    """Nothing is packed that could not be installed."""

    def __init__(self, *, check: CheckExtension, writer: ArchiveWriter) -> None:
        self._check = check
        self._writer = writer

    async def __call__(self, folder: str, target: str | None, beside: str, context: CallContext) -> Packed:
        """Check a folder and pack it into ``target``, by default ID-VERSION.tar.gz in the folder ``beside``.

        Raises:
            LoopXError: as the check; ``archive_error``; ``state_error/unwritable``.
        """
        code = await self._check(folder, context)
        top = f"{code.manifest.id}-{code.manifest.version}"
        path = target or f"{beside}/{top}.tar.gz"
        return Packed(code, path, await self._writer.pack(folder, path, top=top, limits=EXTENSION_LIMITS))
