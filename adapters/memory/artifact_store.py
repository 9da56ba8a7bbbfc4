"""Trees of extensions without a disk."""

import io
from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import BinaryIO

from loopx.adapters.memory.archives import MemoryTree
from loopx.application.ports.staging import StagingArea
from loopx.domain.errors import LoopXError
from loopx.domain.registry.approvals import Artifact
from loopx.domain.registry.tree import Examination, Tree, examine_tree, list_tree


@dataclass(frozen=True, slots=True)
class MemoryStagingArea:
    """A file in memory, and the name of a tree."""

    tree: str
    archive: BinaryIO = field(default_factory=io.BytesIO)


class MemoryArtifactStore:
    """Stages in the trees of ``MemoryArchives``; what is stored lies in ``stored`` by digest, to look at."""

    def __init__(self, trees: MutableMapping[str, MemoryTree]) -> None:
        self._trees = trees
        self._numbers = count(1)
        self._sealed: dict[str, Tree] = {}
        self._listings: dict[str, Mapping[str, str]] = {}
        self.stored: dict[str, Tree] = {}

    @contextmanager
    def stage(self) -> Iterator[StagingArea]:
        area = MemoryStagingArea(f"staging/{next(self._numbers)}")
        self._trees[area.tree] = {}
        try:
            yield area
        finally:
            self._trees.pop(area.tree, None)
            self._sealed.pop(area.tree, None)

    async def seal(self, area: StagingArea, top: str) -> Tree:
        staged = self._trees[area.tree]
        start = f"{top}/"
        tree = Tree(
            {
                path.removeprefix(start): file.content
                for path, file in staged.items()
                if file is not None and path.startswith(start)
            }
        )
        self._sealed[area.tree] = tree
        return tree

    async def commit(self, area: StagingArea, artifact: Artifact) -> None:
        tree = self._sealed.get(area.tree)
        if tree is None:
            raise LoopXError("state_error", "unwritable", detail=f"{area.tree}: it is not sealed")
        if (await self.examine(artifact)).differences:
            self.stored[artifact.sha256] = tree
            self._listings[artifact.sha256] = list_tree(tree)

    async def examine(self, artifact: Artifact) -> Examination:
        found = self.stored.get(artifact.sha256, Tree({}))
        return examine_tree(found, self._listings.get(artifact.sha256), artifact.tree)

    def collect(self, keep: Callable[[], Collection[str]]) -> None:
        if any(name.startswith("staging/") for name in self._trees):
            return
        for digest in self.stored.keys() - set(keep()):
            del self.stored[digest]
