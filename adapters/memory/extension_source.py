"""Folders of authors without a disk."""

from collections.abc import Mapping, MutableMapping

from loopx.domain.archives.writing import LEFT_OUT
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.refusal import quoted, refused


class MemoryExtensionSource:
    """Folders are names of mappings from paths to contents."""

    def __init__(self, folders: MutableMapping[str, Mapping[str, bytes]] | None = None) -> None:
        self.folders: MutableMapping[str, Mapping[str, bytes]] = {} if folders is None else folders

    async def read(self, folder: str) -> Mapping[str, bytes]:
        if folder not in self.folders:
            raise LoopXError("state_error", "unreadable", detail=f"{folder}: there is no such folder")
        files = self.folders[folder]
        return {path: files[path] for path in files if not LEFT_OUT.intersection(path.split("/"))}

    async def create(self, folder: str, files: Mapping[str, bytes]) -> None:
        if self.folders.get(folder):
            raise refused("directory", f"{quoted(folder)} is there already")
        self.folders[folder] = dict(files)
