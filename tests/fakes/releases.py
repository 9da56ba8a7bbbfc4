"""Tiny releases, packed as real ones are."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from fakes.updates import STATE, version, version_range
from loopx.domain.archives.limits import DEFAULT_LIMITS
from loopx.domain.archives.member import Entry, Member
from loopx.domain.archives.writing import write_archive
from loopx.domain.processes import Finished
from loopx.domain.updates.release import (
    ENTRY,
    RELEASE_FILE,
    FileDigest,
    Release,
    StateRange,
    write_release,
)

HEALTHY: Final = 'echo "loopx {version}"'
"""What the launcher of a release does, whatever it is asked."""
FAILING: Final = "echo 'ImportError: no h11' >&2\nexit 3"
LYING: Final = 'echo "loopx 9.9.9"'
HANGING: Final = "sleep 600"
FAILING_THROUGH_POINTER: Final = f'case "$0" in */current/*) exit 4;; esac\n{HEALTHY}'


def act(launcher: str, *, through_pointer: bool) -> Finished:
    """What a shell would make of one of these launchers."""
    script = launcher.removeprefix("#!/bin/sh\n").rstrip("\n")
    if script == FAILING:
        return Finished(exit_code=3, talk=b"ImportError: no h11\n")
    if script == HANGING:
        return Finished(exit_code=None)
    if through_pointer and "*/current/*" in script:
        return Finished(exit_code=4)
    said = script.splitlines()[-1].removeprefix('echo "').removesuffix('"')
    return Finished(exit_code=0, output=f"{said}\n".encode())


@dataclass(frozen=True, slots=True)
class Packed:
    """An archive, its digest, and the name of the version that comes out of it."""

    content: bytes
    sha256: str
    name: str


def pack(
    number: str = "0.2.0",
    *,
    script: str = HEALTHY,
    python: str = ">=3.11",
    platform: str = "any",
    state: StateRange = STATE,
    extra: Mapping[str, bytes] | None = None,
    unlisted: Mapping[str, bytes] | None = None,
    manifest: bytes | None = None,
) -> Packed:
    """A release; ``unlisted`` files are in the archive and not in its ``release.json``."""
    launcher = f"#!/bin/sh\n{script.format(version=number)}\n".encode()
    files = {ENTRY: launcher, "lib/loopx/__init__.py": f'__version__ = "{number}"\n'.encode()}
    files |= extra or {}
    described = Release(
        version=version(number),
        python=version_range(python),
        platform=platform,
        state=state,
        entry=ENTRY,
        files={path: digest(content, executable=path == ENTRY) for path, content in files.items()},
    )
    files |= {
        RELEASE_FILE: manifest if manifest is not None else write_release(described),
        **(unlisted or {}),
    }
    content = tarball(f"loopx-{number}", files)
    found = sha256(content).hexdigest()
    return Packed(content, found, f"{number}-{found[:12]}")


def digest(content: bytes, *, executable: bool = False) -> FileDigest:
    return FileDigest(sha256(content).hexdigest(), len(content), executable)


def tarball(top: str, files: Mapping[str, bytes]) -> bytes:
    """A ``.tar.gz`` of some files in one folder."""
    entries = [
        Entry(Member(path=(top, *path.split("/")), size=len(content), is_executable=path == ENTRY), [content])
        for path, content in sorted(files.items())
    ]
    return b"".join(write_archive(entries, DEFAULT_LIMITS))
