"""Extensions of the registry, and what a verification of them found, as records."""

from typing import Final

from loopx.application.use_cases.verify_extensions import Verification
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.manifest_reader import read_manifest
from loopx.domain.registry.approvals import Approval
from loopx.domain.registry.document import Source
from loopx.domain.registry.status import ExtensionStatus, State
from loopx.domain.registry.tree import Change
from loopx.domain.schema import INTEGER, Field, JsonSchema, RecordSpec, listing, record, text

_CHECKSUM: Final = "checksum"
_FIRST_DOWNLOAD: Final = "first_download"
_INTACT, _DAMAGED, _UNREADABLE, _NOT_INSTALLED = "intact", "damaged", "unreadable", "not_installed"

_OBJECT: Final[JsonSchema] = {"type": "object"}

EXTENSION: Final = RecordSpec(
    schema="loopx.extension/1",
    type="extension",
    fields=(
        Field("name", text(), "how it is called"),
        Field("state", text(choices=tuple(map(str, State))), "how far it is on this machine"),
        Field("version", text(), "the version in force, or the one that is pinned", nullable=True),
        Field("description", text(), "what it says it does", nullable=True),
        Field("url", text(form="uri"), "where its archive is"),
        Field("sha256", text(), "the digest of the archive that is pinned", nullable=True),
        Field("next", _OBJECT, "the source that is declared to follow, url and sha256", nullable=True),
        Field("trust", text(choices=(_CHECKSUM, _FIRST_DOWNLOAD)), "what its bytes were first trusted for",
              nullable=True),
        Field("approved_at", text(form="date-time"), "when a person agreed to it", nullable=True),
        Field("size", {"type": "integer"}, "bytes of the archive", nullable=True),
        Field("hosts", listing(record(host=text(), methods=listing(text()))), "what it may call"),
        Field("credentials", listing(record(name=text(), host=text())), "whose credentials it may use"),
        Field("provides", listing(record(name=text(), kind=text())), "the units it adds"),
        Field("project", text(), "the folder of the registry"),
    ),
    columns=("name", "version", "state", "sha256", "url"),
)  # fmt: skip

VERIFICATION: Final = RecordSpec(
    schema="loopx.verification/1",
    type="verification",
    fields=(
        Field("name", text(), "how the extension is called"),
        Field("version", text(), "the version that was approved", nullable=True),
        Field("verdict", text(choices=(_INTACT, _DAMAGED, _UNREADABLE, _NOT_INSTALLED)), "what was found"),
        Field("files", INTEGER, "files that were read and compared"),
        Field(
            "differences",
            listing(record(path=text(), change=text(choices=tuple(map(str, Change))))),
            "files that are not as they were approved",
        ),
        Field("sha256", text(), "the digest of the archive they came from", nullable=True),
        Field("error", {"type": "string"}, "why nothing could be compared", nullable=True),
    ),
    columns=("name", "version", "verdict", "files", "differences"),
)


def extension_data(status: ExtensionStatus, project: str) -> dict[str, object]:
    """An extension as JSON-ready data; what is only known once it is approved is null or empty before."""
    entry, approval = status.entry, status.approval
    return {
        "name": entry.name,
        "state": status.state.value,
        "version": approval.version if approval is not None else entry.version,
        "description": None,
        "url": entry.source.url,
        "sha256": approval.artifact.sha256 if approval is not None else entry.source.sha256,
        "next": _source_data(entry.next) if entry.next is not None else None,
        "trust": None,
        "approved_at": None,
        "size": None,
        "hosts": [],
        "credentials": [],
        "provides": [],
        **(_approved_data(approval) if approval is not None else {}),
        "project": project,
    }


def _source_data(source: Source) -> dict[str, object]:
    return {"url": source.url, "sha256": source.sha256}


def _approved_data(approval: Approval) -> dict[str, object]:
    grants = approval.grants
    return {
        "trust": _FIRST_DOWNLOAD if approval.unseen else _CHECKSUM,
        "approved_at": approval.approved_at,
        "size": approval.artifact.size,
        "hosts": [{"host": one.authority, "methods": list(one.methods)} for one in grants.hosts],
        "credentials": [{"name": one.name, "host": one.authority} for one in grants.credentials],
        **_manifest_data(approval.manifest),
    }


def _manifest_data(manifest: str) -> dict[str, object]:
    try:
        found = read_manifest(manifest.encode())
    except LoopXError:
        # Approved under another LoopX, which understood it.
        return {}
    units = [{"name": unit.name, "kind": unit.kind.value} for unit in found.units]
    return {"description": found.description, "provides": units}


def verification_data(found: Verification) -> dict[str, object]:
    """A verification as JSON-ready data."""
    approval = found.status.approval
    return {
        "name": found.status.entry.name,
        "version": approval.version if approval is not None else None,
        "verdict": _verdict(found),
        "files": found.files,
        "differences": [{"path": one.path, "change": one.change.value} for one in found.differences],
        "sha256": approval.artifact.sha256 if approval is not None else None,
        "error": str(found.error) if found.error is not None else None,
    }


def _verdict(found: Verification) -> str:
    if found.status.approval is None:
        return _NOT_INSTALLED
    if found.error is not None:
        return _UNREADABLE
    return _DAMAGED if found.differences else _INTACT
