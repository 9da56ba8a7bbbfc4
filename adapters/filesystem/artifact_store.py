"""Trees of extensions in folders that are named by digest and never changed."""

import errno
import re
import shutil
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from loopx.adapters.filesystem.background import in_background
from loopx.adapters.filesystem.faults import reading, writing
from loopx.adapters.filesystem.files import make_folder, sync_folder, write_atomically
from loopx.adapters.filesystem.staging import FileStaging
from loopx.adapters.filesystem.syncing import sync_tree
from loopx.adapters.filesystem.trees import read_tree
from loopx.application.ports.locks import Locks
from loopx.application.ports.staging import StagingArea
from loopx.domain.errors import LoopXError
from loopx.domain.registry.approvals import Artifact
from loopx.domain.registry.tree import (
    LISTING_NAME,
    Examination,
    Listing,
    Tree,
    examine_tree,
    list_tree,
    read_listing,
    write_listing,
)

_TREES: Final = "extensions"
_STAGING: Final = "staging"
_CONTENT: Final = "content"
_REPLACED: Final = "replaced"
_READABLE: Final = 0o644
_TAKEN: Final = frozenset({errno.EEXIST, errno.ENOTEMPTY})
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class FileArtifactStore:
    """Staging lies beside the trees, so that taking one in is a rename and nothing else.

    The listing is written last, after everything else is on the disk: a tree with a listing is whole.
    """

    def __init__(self, folder: Path, *, locks: Locks) -> None:
        self._trees = folder / _TREES
        self._staging = FileStaging(folder / _STAGING, locks=locks)

    def stage(self) -> AbstractContextManager[StagingArea]:
        return self._staging.stage()

    async def seal(self, area: StagingArea, top: str) -> Tree:
        return await in_background(_seal, Path(area.tree), top)

    async def commit(self, area: StagingArea, artifact: Artifact) -> None:
        await in_background(self._commit, Path(area.tree), artifact)

    async def examine(self, artifact: Artifact) -> Examination:
        return await in_background(self._examine, artifact)

    def collect(self, keep: Callable[[], Collection[str]]) -> None:
        if not self._staging.areas() and not self._strays(keep):
            return
        with self._staging.swept() as nobody_stages:
            for path in self._strays(keep) if nobody_stages else ():
                with writing(path):
                    # Without its listing it is no tree any more, however much of it is left.
                    (path / LISTING_NAME).unlink(missing_ok=True)
                    shutil.rmtree(path)

    def _strays(self, keep: Callable[[], Collection[str]]) -> list[Path]:
        with reading(self._trees):
            try:
                found = list(self._trees.iterdir())
            except FileNotFoundError:
                return []
        wanted = keep() if found else ()
        return [path for path in found if _DIGEST.fullmatch(path.name) and path.name not in wanted]

    def _commit(self, tree: Path, artifact: Artifact) -> None:
        target = self._trees / artifact.sha256
        with writing(target):
            make_folder(self._trees)
            if target.exists():
                if not self._examine(artifact).differences:
                    return
                target.rename(tree.with_name(_REPLACED))
            try:
                tree.rename(target)
            except OSError as error:
                # Another process stored the same bytes in the meantime, which is just as good.
                if error.errno not in _TAKEN or self._examine(artifact).differences:
                    raise
            sync_folder(self._trees)

    def _examine(self, artifact: Artifact) -> Examination:
        folder = self._trees / artifact.sha256
        found = Tree(read_tree(folder / _CONTENT))
        return examine_tree(found, _read_listing(folder / LISTING_NAME), artifact.tree)


def _seal(folder: Path, top: str) -> Tree:
    with writing(folder):
        (folder / top).rename(folder / _CONTENT)
    tree = Tree(read_tree(folder / _CONTENT))
    with writing(folder):
        sync_tree(folder)
    write_atomically(folder / LISTING_NAME, write_listing(list_tree(tree)), _READABLE)
    return tree


def _read_listing(path: Path) -> Listing | None:
    """The listing, if it can be read: it serves to name files, and what is whole is told without it."""
    with reading(path):
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
    try:
        return read_listing(content, str(path))
    except LoopXError:
        return None
