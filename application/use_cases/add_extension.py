"""Declare an extension."""

from dataclasses import dataclass
from enum import StrEnum

from loopx.application.steps.extension_records import ExtensionRecords
from loopx.domain.registry.checksum import read_checksum
from loopx.domain.registry.document import Entry, Source, check_new_url
from loopx.domain.registry.installation import InstallPolicy
from loopx.domain.registry.names import check_name
from loopx.domain.registry.status import ExtensionStatus


class Addition(StrEnum):
    """What an addition did to the registry."""

    NEW = "new"
    REPLACED = "replaced"
    WAITING = "waiting"
    """What is installed stays in force until the new one is installed."""
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Added:
    """The extension as it is declared now, and what that changed."""

    status: ExtensionStatus
    addition: Addition


class AddExtension:
    """Writes a name, an address and perhaps a checksum into the registry; nothing is fetched."""

    def __init__(self, *, records: ExtensionRecords, policy: InstallPolicy) -> None:
        self._records = records
        self._policy = policy

    def __call__(self, name: str, url: str, checksum: str | None = None) -> Added:
        """Declare an extension, or another source for one that is declared.

        Raises:
            LoopXError: ``usage_error`` with reason ``extension_name`` or ``checksum``;
                ``request_invalid`` or ``egress_blocked/scheme`` for the address;
                ``registry_error/checksum_required``; ``state_error``.
        """
        sha256 = read_checksum(checksum) if checksum is not None else None
        source = Source(check_new_url(url), sha256)
        self._policy.check(check_name(name), source)
        self._records.recover()
        before, after = self._records.declare(name, source)
        return Added(self._records.status(name), _addition(before, after))


def _addition(before: Entry | None, after: Entry) -> Addition:
    if before is None:
        return Addition.NEW
    if after.next is not None:
        return Addition.WAITING
    return Addition.UNCHANGED if after.source == before.source else Addition.REPLACED
