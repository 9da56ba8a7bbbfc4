"""What is decided while an extension is installed, from what came and what is known."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Self

from loopx.domain.archives.limits import MEBIBYTE, ArchiveLimits
from loopx.domain.consent import Question
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.code import MOST_BYTES, MOST_FILES, ExtensionCode
from loopx.domain.extensions.manifest import Manifest
from loopx.domain.registry.approvals import Approval, Artifact, Pin, origin_of
from loopx.domain.registry.document import Entry, Source
from loopx.domain.schema import FALSE_WORDS, TRUE_WORDS

EXTENSION_LIMITS: Final = ArchiveLimits(
    archive_bytes=32 * MEBIBYTE, content_bytes=MOST_BYTES + 16 * MEBIBYTE, members=2 * MOST_FILES
)
"""Room for the headers of all that an extension may hold."""

KEPT: Final = 2
"""Approvals of one extension in one project: the one in force, and the one to go back to."""

_REQUIRE: Final = "LOOPX_REQUIRE_CHECKSUM"
UNSEEN: Final = "No checksum was named: this first download is trusted unseen, and pinned from then on."


@dataclass(frozen=True, slots=True)
class InstallPolicy:
    """What the user's own configuration asks for."""

    require_checksum: bool = False

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Self:
        """Read ``LOOPX_REQUIRE_CHECKSUM``; what is neither yes nor no must not pass for a no.

        Raises:
            LoopXError: ``config_invalid/value``.
        """
        word = environment.get(_REQUIRE, "").strip().lower()
        if word not in TRUE_WORDS | FALSE_WORDS | {""}:
            raise LoopXError("config_invalid", "value", detail=f"{_REQUIRE} is neither true nor false")
        return cls(word in TRUE_WORDS)

    def check(self, name: str, source: Source) -> None:
        """Refuse to trust a first download where the user does not want that.

        Raises:
            LoopXError: ``registry_error/checksum_required``.
        """
        if self.require_checksum and source.sha256 is None:
            raise LoopXError("registry_error", "checksum_required", detail=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An extension that was fetched and unpacked, and is not in force."""

    source: Source
    artifact: Artifact
    code: ExtensionCode
    manifest_text: str

    @property
    def manifest(self) -> Manifest:
        """What it says about itself."""
        return self.code.manifest

    @property
    def version(self) -> str:
        """Its version as it is written."""
        return str(self.manifest.version)

    def check(self, entry: Entry) -> None:
        """Refuse an archive that holds something else than the entry is about.

        Raises:
            LoopXError: ``registry_error`` with reason ``other_extension`` or ``other_version``.
        """
        if self.manifest.id != entry.name:
            detail = f"it calls itself {self.manifest.id}, wanted is {entry.name}"
            raise LoopXError("registry_error", "other_extension", detail=detail)
        wanted = None if entry.next else entry.version
        if wanted not in {None, self.version}:
            detail = f"it is {entry.name} {self.version}, wanted is {wanted}"
            raise LoopXError("registry_error", "other_version", detail=detail)

    @property
    def fetched(self) -> Source:
        """Where it came from, with the digest of what came."""
        return Source(self.source.url, self.artifact.sha256)

    def pin(self, now: str) -> Pin:
        """Its bytes as what is seen under its version; ``now`` is in ISO 8601."""
        return Pin(
            name=self.manifest.id,
            origin=origin_of(self.source.url),
            version=self.version,
            sha256=self.artifact.sha256,
            first_seen=now,
        )

    def approval(self, project: str, now: str) -> Approval:
        """The approval that a person's agreement makes; ``now`` is in ISO 8601."""
        return Approval(
            name=self.manifest.id,
            version=self.version,
            url=self.source.url,
            artifact=self.artifact,
            manifest=self.manifest_text,
            grants=self.manifest.grants,
            projects=(project,),
            approved_at=now,
            unseen=self.source.sha256 is None,
        )

    def question(self, project: str, old: Approval | None) -> Question:
        """What a person is asked, with what is new compared with an approval that they gave before."""
        name = f"{self.manifest.id} {self.version}"
        deed = f"Install {name}" if old is None else f"Replace {old.name} {old.version} by {self.version}"
        return Question(
            deed,
            (
                self.manifest.description,
                f"from {self.source.url}",
                f"sha256 {self.artifact.sha256}, {self.artifact.size} bytes",
                *((UNSEEN,) if self.source.sha256 is None else ()),
                f"for the project {project}",
                *(f"provides {unit.name} ({unit.kind})" for unit in self.manifest.units),
                *self._grants(old),
            ),
        )

    def _grants(self, old: Approval | None) -> tuple[str, ...]:
        grants = self.manifest.grants
        if not grants.lines:
            return ("asks for nothing outside its own process",)
        new = grants.beyond(old.grants) if old is not None else ()
        return (
            *(f"may call {host}" for host in grants.hosts),
            *(f"may use {slot}" for slot in grants.credentials),
            *(f"new: {line}" for line in new),
        )


def iso_time(now: float) -> str:
    """Unix time in seconds as ISO 8601, in UTC and whole seconds."""
    return datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
