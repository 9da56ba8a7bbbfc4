"""Check an extension as installing it would."""

from loopx.application.ports.extension_host import ExtensionHost
from loopx.application.ports.extension_source import ExtensionSource
from loopx.domain.context import CallContext
from loopx.domain.extensions.api_range import check_api
from loopx.domain.extensions.code import ExtensionCode, digest_files, manifest_of
from loopx.domain.extensions.manifest_reader import read_manifest


class CheckExtension:
    """Reads the manifest, then loads the code in a process of its own."""

    def __init__(self, *, source: ExtensionSource, host: ExtensionHost) -> None:
        self._source = source
        self._host = host

    async def __call__(self, folder: str, context: CallContext) -> ExtensionCode:
        """Check a folder; gives what was found to be sound.

        Raises:
            LoopXError: ``extension_error``; ``archive_error``; ``state_error/unreadable``.
        """
        files = await self._source.read(folder)
        manifest = read_manifest(manifest_of(files))
        check_api(manifest.api)
        code = ExtensionCode(manifest, files, digest_files(files))
        await self._host.try_load(code, context)
        return code
