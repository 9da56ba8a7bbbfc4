"""Start an extension of one's own."""

from loopx.application.ports.extension_source import ExtensionSource
from loopx.domain.extensions.scaffold import new_extension


class CreateExtension:
    """Writes the files to begin with."""

    def __init__(self, *, source: ExtensionSource) -> None:
        self._source = source

    async def __call__(self, extension_id: str, folder: str) -> tuple[str, ...]:
        """Make the folder; gives the paths in it.

        Raises:
            LoopXError: ``extension_error/directory``; ``state_error/unwritable``.
        """
        files = new_extension(extension_id)
        await self._source.create(folder, files)
        return tuple(files)
