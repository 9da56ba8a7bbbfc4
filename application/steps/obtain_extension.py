"""From an address to an extension that is unpacked, read and listed, and not in force."""

from loopx.application.ports.archive_reader import ArchiveReader
from loopx.application.ports.artifact_store import ArtifactStore
from loopx.application.ports.staging import StagingArea
from loopx.application.steps.fetch_archive import FetchArchive, Promise
from loopx.application.steps.unpack_fetched import unpack_fetched
from loopx.domain.context import CallContext
from loopx.domain.extensions.api_range import check_api
from loopx.domain.extensions.code import ExtensionCode, manifest_of
from loopx.domain.extensions.manifest_reader import read_manifest
from loopx.domain.registry.approvals import Artifact
from loopx.domain.registry.document import Source
from loopx.domain.registry.installation import EXTENSION_LIMITS, Candidate


class ObtainExtension:
    """Each check stands before the next thing is touched: bytes, then archive, then manifest."""

    def __init__(self, *, fetch: FetchArchive, archives: ArchiveReader, store: ArtifactStore) -> None:
        self._fetch = fetch
        self._archives = archives
        self._store = store

    async def __call__(self, source: Source, area: StagingArea, context: CallContext) -> Candidate:
        """Fill a staging area.

        Raises:
            LoopXError: ``egress_blocked`` or as the transport; ``integrity_error`` before anything is
                unpacked; ``archive_error``; ``extension_error``; ``state_error``.
        """
        promise = Promise(sha256=source.sha256, largest=EXTENSION_LIMITS.archive_bytes)
        fetched = await self._fetch(source.url, promise, area.archive, context)
        summary = await unpack_fetched(self._archives, area, fetched, EXTENSION_LIMITS)
        tree = await self._store.seal(area, summary.top)
        content = manifest_of(tree.files)
        manifest = read_manifest(content)
        check_api(manifest.api)
        return Candidate(
            source=source,
            artifact=Artifact(sha256=fetched.sha256, size=fetched.size, tree=tree.digest),
            code=ExtensionCode(manifest, tree.files, fetched.sha256),
            manifest_text=content.decode("utf-8"),
        )
