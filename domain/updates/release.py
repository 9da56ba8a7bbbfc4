"""``release.json``: what a release says of itself, and whether the tree around it is what it says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from loopx.domain.documents import DocumentKind, Part, read_document, write_document
from loopx.domain.errors import LoopXError
from loopx.domain.updates.host import ANY_PLATFORM, Host
from loopx.domain.updates.refusal import refused
from loopx.domain.versions import Version, VersionRange

RELEASE_FILE: Final = "release.json"
ENTRY: Final = "bin/loopx"
"""What ``PATH`` leads to: the same in every release."""
LARGEST_MANIFEST: Final = 4 * 1024 * 1024
"""Bytes."""

RELEASE: Final = DocumentKind("loopx.release")
_FIELDS: Final = frozenset({"schema", "version", "python", "platform", "state", "entry", "files"})
_FILE_FIELDS: Final = frozenset({"sha256", "size", "executable"})
_SHOWN: Final = 80


@dataclass(frozen=True, slots=True)
class FileDigest:
    """A file's SHA-256 in lower-case hexadecimal digits, its size in bytes, and whether it may be run."""

    sha256: str
    size: int
    executable: bool = False


@dataclass(frozen=True, slots=True)
class StateRange:
    """The schemas of state that a version reads; it writes the newest."""

    oldest: int
    newest: int

    def reads(self, written: int) -> bool:
        """Whether state of that schema can be read."""
        return self.oldest <= written <= self.newest


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A release; ``files`` are all of it but ``release.json`` itself, by their paths with slashes."""

    version: Version
    python: VersionRange
    platform: str
    state: StateRange
    entry: str
    files: Mapping[str, FileDigest]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files.values())


def read_release(content: bytes) -> Release:
    """Understand ``release.json``; an unknown field is refused, because it may be a condition.

    Raises:
        LoopXError: ``update_error/release``.
    """
    try:
        part = Part(read_document(content, RELEASE, RELEASE_FILE), RELEASE_FILE)
        _require(part, _FIELDS)
        return _read(part)
    except LoopXError as error:
        if error.code == "update_error":
            raise
        raise refused("release", error.detail) from None


def write_release(release: Release) -> bytes:
    """The document; the same bytes for the same release."""
    return write_document(
        RELEASE,
        {
            "version": str(release.version),
            "python": str(release.python),
            "platform": release.platform,
            "state": {"oldest": release.state.oldest, "newest": release.state.newest},
            "entry": release.entry,
            "files": {
                path: {"sha256": file.sha256, "size": file.size, "executable": file.executable}
                for path, file in sorted(release.files.items())
            },
        },
    )


def check_tree(release: Release, found: Mapping[str, FileDigest]) -> None:
    """Make sure that a tree is exactly the one that its release describes.

    Raises:
        LoopXError: ``update_error/release`` naming the first file that differs.
    """
    for path in sorted(release.files.keys() | found.keys()):
        if path not in release.files:
            raise refused("release", f"{_quoted(path)} is not listed in {RELEASE_FILE}")
        if path not in found:
            raise refused("release", f"{_quoted(path)} is missing")
        if found[path] != release.files[path]:
            raise refused("release", f"{_quoted(path)} is not what {RELEASE_FILE} says")


def check_fit(release: Release, host: Host) -> None:
    """Make sure that a release can run here.

    Raises:
        LoopXError: ``update_error`` with reason ``platform`` or ``python``.
    """
    if release.platform not in {ANY_PLATFORM, host.platform}:
        raise refused("platform", f"it is for {_quoted(release.platform)}, this is {host.platform}")
    if host.python not in release.python:
        raise refused("python", f"it wants {release.python}, this is {host.python}")


def read_state_range(part: Part) -> StateRange:
    """The range of state schemas within a document.

    Raises:
        LoopXError: ``state_error/corrupt``.
    """
    inner = Part.of(part.data.get("state"), part.place, "state")
    found = StateRange(inner.whole("oldest"), inner.whole("newest"))
    if not 1 <= found.oldest <= found.newest:
        raise inner.fault("newest", "is not at or above the oldest, from 1 on")
    return found


def _read(part: Part) -> Release:
    version, python = Version.parse(part.text("version")), VersionRange.parse(part.text("python"))
    if version is None:
        raise part.fault("version", "is no version")
    if python is None:
        raise part.fault("python", "is no range like >=3.11,<4")
    release = Release(
        version=version,
        python=python,
        platform=part.text("platform"),
        state=read_state_range(part),
        entry=part.text("entry"),
        files={path: _read_file(file) for path, file in part.named_parts("files")},
    )
    if release.entry != ENTRY or not release.files.get(ENTRY, FileDigest("", 0)).executable:
        raise part.fault("entry", f"is not {ENTRY}, a file that can be run")
    return release


def _read_file(part: Part) -> FileDigest:
    _require(part, _FILE_FIELDS)
    return FileDigest(part.text("sha256"), part.whole("size"), part.truth("executable"))


def _require(part: Part, fields: frozenset[str]) -> None:
    for name in sorted(fields - part.data.keys()):
        raise part.fault(name, "is missing")
    for name in sorted(part.data.keys() - fields):
        raise part.fault(name, "is not known")


def _quoted(text: str) -> str:
    return ascii(text[:_SHOWN])
