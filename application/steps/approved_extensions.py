"""What a project declares and a person approved, with the code that was stored for it."""

from collections.abc import Iterator, Sequence

from loopx.application.ports.installed_extensions import InstalledExtension
from loopx.application.steps.extension_records import ExtensionRecords
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.code import ExtensionCode, manifest_of
from loopx.domain.registry.approvals import Approval
from loopx.domain.registry.status import read_approved


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
            manifest = read_approved(approval) if approval is not None else None
            if approval is not None and manifest is not None:
                yield InstalledExtension(manifest, approval.artifact.sha256), approval
