"""``.complete``: written last, it says that a version's folder is whole and which bytes it came from."""

import re
from dataclasses import dataclass
from typing import Final

from loopx.domain.documents import DocumentKind, Part, read_document, write_document
from loopx.domain.updates.names import VersionName
from loopx.domain.updates.release import StateRange, read_state_range
from loopx.domain.versions import Version

SEAL_FILE: Final = ".complete"
INTERPRETER_FILE: Final = "interpreter"
"""Holds the path of the Python that the version was installed with, for its launcher."""

SEAL: Final = DocumentKind("loopx.complete")
BAD: Final = DocumentKind("loopx.bad")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """What is known of an installed version.

    ``sha256`` is of the archive, ``manifest`` of its ``release.json``; ``size`` in bytes;
    ``installed_at`` is Unix time in seconds.
    """

    version: Version
    sha256: str
    manifest: str
    state: StateRange
    size: int
    installed_at: int

    @property
    def name(self) -> str:
        """The name of the folder."""
        return str(VersionName.of(self.version, self.sha256))


@dataclass(frozen=True, slots=True)
class BadMark:
    """That a release did not work here, and why (code and reason of an error)."""

    sha256: str
    why: str


def read_seal(content: bytes, place: str) -> Seal:
    """Understand a seal; ``place`` is its path.

    Raises:
        LoopXError: ``state_error/corrupt`` or ``state_error/newer_version``.
    """
    part = Part(read_document(content, SEAL, place), place)
    version = Version.parse(part.text("version"))
    if version is None:
        raise part.fault("version", "is no version")
    return Seal(
        version=version,
        sha256=_digest(part, "sha256"),
        manifest=_digest(part, "manifest"),
        state=read_state_range(part),
        size=part.whole("size"),
        installed_at=part.whole("installed_at"),
    )


def write_seal(seal: Seal) -> bytes:
    """The document."""
    return write_document(
        SEAL,
        {
            "version": str(seal.version),
            "sha256": seal.sha256,
            "manifest": seal.manifest,
            "state": {"oldest": seal.state.oldest, "newest": seal.state.newest},
            "size": seal.size,
            "installed_at": seal.installed_at,
        },
    )


def read_bad_mark(content: bytes, place: str) -> BadMark:
    """Understand the mark of a bad release; ``place`` is its path.

    Raises:
        LoopXError: ``state_error/corrupt`` or ``state_error/newer_version``.
    """
    part = Part(read_document(content, BAD, place), place)
    return BadMark(_digest(part, "sha256"), part.text("why"))


def write_bad_mark(mark: BadMark) -> bytes:
    """The document."""
    return write_document(BAD, {"sha256": mark.sha256, "why": mark.why})


def _digest(part: Part, name: str) -> str:
    text = part.text(name)
    if not _DIGEST.fullmatch(text):
        raise part.fault(name, "is no SHA-256")
    return text
