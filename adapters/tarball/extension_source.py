"""Folders of authors, seen with the eyes of the packer."""

import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from loopx.adapters.tarball.background import Stop, in_background
from loopx.adapters.tarball.faults import writing
from loopx.adapters.tarball.walking import Omission, Walk
from loopx.domain.archives.refusal import quoted
from loopx.domain.extensions.code import MOST_BYTES, MOST_FILES
from loopx.domain.extensions.refusal import refused
from loopx.domain.registry.installation import EXTENSION_LIMITS

_TOP: Final = "tree"
_NOTHING: Final = Omission(-1, -1, frozenset())


class FolderExtensionSource:
    """Leaves out what is never packed, and refuses what could not be."""

    async def read(self, folder: str) -> Mapping[str, bytes]:
        return await in_background(lambda stop: _read(folder, stop))

    async def create(self, folder: str, files: Mapping[str, bytes]) -> None:
        await in_background(lambda stop: _create(Path(folder), files, stop))


def _read(folder: str, stop: Stop) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    left = MOST_BYTES
    walk = Walk(tree=folder, top=_TOP, limits=EXTENSION_LIMITS, stop=stop, omission=_NOTHING)
    for entry in walk.entries():
        if entry.member.is_directory:
            continue
        left -= entry.member.size
        if left < 0 or len(found) >= MOST_FILES:
            raise refused("tree", f"more than {MOST_FILES} files or {MOST_BYTES} bytes")
        found["/".join(entry.member.path[1:])] = b"".join(entry.content)
    return found


def _create(folder: Path, files: Mapping[str, bytes], stop: Stop) -> None:
    """Beside its place first, so that nobody ever finds half of it."""
    with writing(str(folder)):
        parent = folder.parent.resolve()
        draft = parent / f".{folder.name}.{secrets.token_hex(8)}"
        draft.mkdir()
        try:
            for path, content in files.items():
                stop.check()
                place = draft / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
            _publish(draft, parent / folder.name)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def _publish(draft: Path, folder: Path) -> None:
    """An empty folder gives way to a rename, and anything else is left as it is."""
    try:
        draft.rename(folder)
    except OSError:
        if folder.exists() or folder.is_symlink():
            raise refused("directory", f"{quoted(str(folder))} is there already") from None
        raise
