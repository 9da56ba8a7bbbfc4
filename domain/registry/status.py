"""What is in force: what a project declares and a person approved, both."""

from dataclasses import dataclass
from enum import StrEnum

from loopx.domain.errors import LoopXError
from loopx.domain.extensions.api_range import check_api
from loopx.domain.extensions.manifest import Manifest
from loopx.domain.extensions.manifest_reader import read_manifest
from loopx.domain.registry.approvals import Approval, Approvals
from loopx.domain.registry.document import Entry, Registry


class State(StrEnum):
    """How far an extension is."""

    INSTALLED = "installed"
    UPDATE_WAITING = "update_waiting"
    """Installed, and another source is declared to follow."""
    PIN_CHANGED = "pin_changed"
    """The project pins other bytes than were approved here: nothing of it runs."""
    NOT_INSTALLED = "not_installed"


@dataclass(frozen=True, slots=True)
class ExtensionStatus:
    """An entry, the approval that is in force for it, if any, and what follows."""

    entry: Entry
    approval: Approval | None
    state: State


def choose_approval(entry: Entry, approvals: Approvals, project: str) -> Approval | None:
    """The approval in force for an entry: of exactly the pinned bytes, else the newest of that address."""
    for approval in approvals.of(entry.name, project):
        if entry.source.sha256 is None:
            if approval.url == entry.source.url:
                return approval
        elif approval.artifact.sha256 == entry.source.sha256:
            return approval
    return None


def read_approved(approval: Approval) -> Manifest | None:
    """The manifest that was approved, unless this LoopX reads more out of it, or cannot live with it.

    Approvals may be read by another LoopX than the one that asked for them.
    """
    try:
        manifest = read_manifest(approval.manifest.encode())
        check_api(manifest.api)
    except LoopXError:
        return None
    is_same = manifest.id == approval.name and not manifest.grants.beyond(approval.grants)
    return manifest if is_same else None


def status_of(entry: Entry, approvals: Approvals, project: str) -> ExtensionStatus:
    """How far one extension is in a project; an approval that is not enough any more counts for nothing."""
    approval = choose_approval(entry, approvals, project)
    if approval is not None and read_approved(approval) is None:
        return ExtensionStatus(entry, None, State.NOT_INSTALLED)
    if approval is not None:
        state = State.UPDATE_WAITING if entry.next is not None else State.INSTALLED
    else:
        state = State.PIN_CHANGED if approvals.of(entry.name, project) else State.NOT_INSTALLED
    return ExtensionStatus(entry, approval, state)


def all_statuses(registry: Registry, approvals: Approvals, project: str) -> tuple[ExtensionStatus, ...]:
    """Every extension of a project, in order of name."""
    return tuple(status_of(registry.entries[name], approvals, project) for name in sorted(registry.entries))
