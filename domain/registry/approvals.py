"""What a person allowed on this machine, and which bytes were seen under which version.

One value holds both, so that one replacement of one file puts an extension in force.
"""

from dataclasses import dataclass, field, replace

from loopx.domain.documents import JsonObject
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.grants import Grants
from loopx.domain.http.target import read_target


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """Certain bytes: digest and size of an archive, and the digest of the tree that came out of it."""

    sha256: str
    size: int
    tree: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """That a person agreed to certain code with certain grants, for the named projects.

    ``manifest`` is what the extension says about itself, word for word; ``projects`` are absolute
    paths of project folders; ``approved_at`` is in ISO 8601. ``unseen`` says that nobody had named a
    checksum before the download.
    """

    name: str
    version: str
    url: str
    artifact: Artifact
    manifest: str
    grants: Grants
    projects: tuple[str, ...]
    approved_at: str
    unseen: bool
    unknown: JsonObject = field(default_factory=dict[str, object])

    def covers(self, artifact: Artifact, grants: Grants) -> bool:
        """Whether exactly this was agreed to: other bytes, or more grants, need another approval."""
        return self.artifact == artifact and not grants.beyond(self.grants)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """The bytes that came first from an origin under a version of an extension."""

    name: str
    origin: str
    version: str
    sha256: str
    first_seen: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What can have one set of bytes only."""
        return (self.name, self.origin, self.version)


@dataclass(frozen=True, slots=True)
class Approvals:
    """Every approval, the newest last, and every pin."""

    approvals: tuple[Approval, ...] = ()
    pins: tuple[Pin, ...] = ()
    unknown: JsonObject = field(default_factory=dict[str, object])

    def of(self, name: str, project: str) -> tuple[Approval, ...]:
        """What was approved under a name for a project, the newest first."""
        return tuple(one for one in reversed(self.approvals) if one.name == name and project in one.projects)

    @property
    def digests(self) -> frozenset[str]:
        """The digests of all archives whose trees are still wanted."""
        return frozenset(one.artifact.sha256 for one in self.approvals)

    def check_pin(self, pin: Pin) -> None:
        """Refuse other bytes under a version that was seen before.

        Raises:
            LoopXError: ``integrity_error/republished`` with both digests.
        """
        for known in self.pins:
            if known.key == pin.key and known.sha256 != pin.sha256:
                detail = (
                    f"{pin.name} {pin.version} from {pin.origin} had {known.sha256} "
                    f"on {known.first_seen}, and has {pin.sha256} now"
                )
                raise LoopXError("integrity_error", "republished", detail=detail)

    def approve(self, approval: Approval, pin: Pin) -> "Approvals":
        """Put an approval in force for its projects, and remember its bytes.

        Raises:
            LoopXError: ``integrity_error/republished``.
        """
        self.check_pin(pin)
        same = next((one for one in self.approvals if _identity(one) == _identity(approval)), None)
        if same is not None and same.covers(approval.artifact, approval.grants):
            # What was agreed to, and when, stays as it was.
            projects = (*same.projects, *approval.projects)
            approval = replace(same, url=approval.url, projects=tuple(sorted({*projects})))
        others = tuple(one for one in self.approvals if _identity(one) != _identity(approval))
        pins = self.pins if any(known.key == pin.key for known in self.pins) else (*self.pins, pin)
        return replace(self, approvals=(*others, approval), pins=pins)

    def is_approved(self, approval: Approval) -> bool:
        """Whether all of this was agreed to before, for all of its projects."""
        return any(
            one.covers(approval.artifact, approval.grants) and set(one.projects) >= set(approval.projects)
            for one in self.approvals
            if one.name == approval.name
        )

    def keep_newest(self, name: str, project: str, count: int) -> "Approvals":
        """Withdraw all but the newest approvals of a name for a project."""
        dropped = self.of(name, project)[count:]
        return self._without(dropped, project)

    def revoke(self, name: str, project: str) -> "Approvals":
        """Withdraw what was approved under a name for a project; pins stay."""
        return self._without(self.of(name, project), project)

    def forget(self, name: str) -> "Approvals":
        """Forget which bytes were seen under a name."""
        return replace(self, pins=tuple(pin for pin in self.pins if pin.name != name))

    def _without(self, dropped: tuple[Approval, ...], project: str) -> "Approvals":
        kept = (_leave(one, project) if one in dropped else one for one in self.approvals)
        return replace(self, approvals=tuple(one for one in kept if one.projects))


def _identity(approval: Approval) -> tuple[str, str]:
    return approval.name, approval.artifact.sha256


def _leave(approval: Approval, project: str) -> Approval:
    return replace(approval, projects=tuple(path for path in approval.projects if path != project))


def origin_of(url: str) -> str:
    """Scheme, host and port: who answers for what an address serves."""
    target = read_target(url)
    return f"{target.scheme}://{target.authority}"
