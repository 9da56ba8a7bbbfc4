"""``approvals.json``: the approvals and pins of this machine as a document."""

from collections.abc import Iterator
from typing import Final

from loopx.domain.documents import DocumentKind, JsonObject, Part, corrupt, read_document, write_document
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.grants import CredentialSlot, Grants, HostGrant
from loopx.domain.registry.approvals import Approval, Approvals, Artifact, Pin
from loopx.domain.registry.checksum import read_checksum

APPROVALS: Final = DocumentKind("loopx.approvals")
_KNOWN: Final = frozenset(
    {
        "name",
        "version",
        "url",
        "sha256",
        "size",
        "tree",
        "hosts",
        "credentials",
        "projects",
        "approved_at",
        "unseen",
        "manifest",
    }
)


def read_approvals(content: bytes | None, place: str) -> Approvals:
    """Read the document; where there is none, nothing was approved. ``place`` is its path.

    Raises:
        LoopXError: ``state_error`` with reason ``corrupt`` or ``newer_version``.
    """
    if content is None:
        return Approvals()
    document = Part(read_document(content, APPROVALS, place), place)
    return Approvals(
        tuple(map(_read_approval, document.parts("approvals"))),
        tuple(map(_read_pin, document.parts("pins"))),
        document.rest({"schema", "approvals", "pins"}),
    )


def write_approvals(approvals: Approvals) -> bytes:
    """The document."""
    data = {
        "approvals": [_approval_data(one) for one in approvals.approvals],
        "pins": [_pin_data(pin) for pin in approvals.pins],
        **approvals.unknown,
    }
    return write_document(APPROVALS, data)


def _read_approval(part: Part) -> Approval:
    return Approval(
        name=part.text("name"),
        version=part.text("version"),
        url=part.text("url"),
        artifact=Artifact(
            sha256=_digest(part, "sha256"), size=part.whole("size"), tree=_digest(part, "tree")
        ),
        manifest=part.text("manifest"),
        grants=Grants(
            tuple(HostGrant(one.text("host"), one.texts("methods")) for one in part.parts("hosts")),
            tuple(CredentialSlot(one.text("name"), one.text("host")) for one in part.parts("credentials")),
        ),
        projects=part.texts("projects"),
        approved_at=part.text("approved_at"),
        unseen=part.truth("unseen"),
        unknown=part.rest(_KNOWN),
    )


def _digest(part: Part, name: str) -> str:
    text = part.text(name)
    try:
        return read_checksum(text)
    except LoopXError as error:
        raise corrupt(part.place, f"{part.path}.{name}: {error.what}") from None


def _read_pin(part: Part) -> Pin:
    return Pin(
        name=part.text("name"),
        origin=part.text("origin"),
        version=part.text("version"),
        sha256=_digest(part, "sha256"),
        first_seen=part.text("first_seen"),
    )


def _approval_data(approval: Approval) -> JsonObject:
    return {
        "name": approval.name,
        "version": approval.version,
        "url": approval.url,
        "sha256": approval.artifact.sha256,
        "size": approval.artifact.size,
        "tree": approval.artifact.tree,
        "hosts": [{"host": one.authority, "methods": list(one.methods)} for one in approval.grants.hosts],
        "credentials": list(_slots(approval.grants)),
        "projects": list(approval.projects),
        "approved_at": approval.approved_at,
        "unseen": approval.unseen,
        "manifest": approval.manifest,
        **approval.unknown,
    }


def _slots(grants: Grants) -> Iterator[JsonObject]:
    return ({"name": slot.name, "host": slot.authority} for slot in grants.credentials)


def _pin_data(pin: Pin) -> JsonObject:
    return {
        "name": pin.name,
        "origin": pin.origin,
        "version": pin.version,
        "sha256": pin.sha256,
        "first_seen": pin.first_seen,
    }
