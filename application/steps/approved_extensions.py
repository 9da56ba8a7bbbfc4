"""What a project declares and a person approved, with the code that was stored for it."""

from collections.abc import Iterator, Sequence

from loopx.application.ports.installed_extensions import InstalledExtension
from loopx.application.steps.extension_records import ExtensionRecords
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.api_range import check_api
from loopx.domain.extensions.code import ExtensionCode, manifest_of
from loopx.domain.extensions.manifest import Manifest
from loopx.domain.extensions.manifest_reader import read_manifest
from loopx.domain.registry.approvals import Approval


class ApprovedExtensions:
    """The installed extensions; that an entry came with a project makes nothing of it run."""

    def __init__(self, *, records: ExtensionRecords) -> None:
        self._records = records

    def approved(self) -> Sequence[InstalledExtension]:
        """Everything in force, in order of id."""
        return tuple(found for found, _ in self._in_force())

    async def open(self, extension: InstalledExtension) -> ExtensionCode:
        """The code, every byte of it compared with what was approved."""
        for found, approval in self._in_force():
            if found == extension:
                tree = (await self._records.store.examine(approval.artifact)).intact()
                if manifest_of(tree.files) != approval.manifest.encode():
                    raise LoopXError("integrity_error", "stored", detail=f"the manifest of {approval.name}")
                return ExtensionCode(found.manifest, tree.files, found.digest)
        raise LoopXError("registry_error", "not_installed", detail=extension.manifest.id)

    def _in_force(self) -> Iterator[tuple[InstalledExtension, Approval]]:
        for status in self._records.statuses():
            approval = status.approval
            if approval is None:
                continue
            manifest = _read(approval)
            if manifest is not None:
                yield InstalledExtension(manifest, approval.artifact.sha256), approval


def _read(approval: Approval) -> Manifest | None:
    """What was approved, unless this LoopX reads something else out of it, or cannot live with it."""
    try:
        manifest = read_manifest(approval.manifest.encode())
        check_api(manifest.api)
    except LoopXError:
        return None
    is_same = manifest.id == approval.name and not manifest.grants.beyond(approval.grants)
    return manifest if is_same else None
