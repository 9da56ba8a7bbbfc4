"""Build a release archive: ``python scripts/release.py [--checkout DIR] [--output DIR]``.

A release holds everything but Python: LoopX, built as its wheel is, and the locked libraries as they lie in
this environment, into which they were installed by their hashes. Each of their files is compared with what
its wheel promised (RECORD), and the same content always gives the same bytes.
"""

import argparse
import asyncio
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from csv import reader
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from loopx.adapters.filesystem.release_tree import FileReleaseTree
from loopx.adapters.process.host import SystemHost
from loopx.adapters.tarball.archive_writer import TarballWriter
from loopx.domain.archives.limits import DEFAULT_LIMITS
from loopx.domain.archives.member import ArchiveSummary
from loopx.domain.updates.host import ANY_PLATFORM
from loopx.domain.updates.release import ENTRY, RELEASE_FILE, Release, write_release
from loopx.domain.updates.succession import STATE
from loopx.domain.versions import Version, VersionRange

ROOT: Final = Path(__file__).resolve().parent.parent
LAUNCH: Final = Path(__file__).resolve().parent / "launch"
LAYERS: Final = ("domain", "application", "adapters", "entrypoints")
BUILD_WHEEL: Final = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
OLDEST_PYTHON: Final = (3, 11)

_PIN: Final = re.compile(r"([A-Za-z0-9_.-]+)(?:\[[^]]*\])?==(\S+)(\s*;)?")
_TAG: Final = re.compile(r"^Tag: (\S+)-(\S+)-(\S+)$", re.MULTILINE)
_CPYTHON: Final = re.compile(r"cp3([0-9]+)")
_RECORDS_OF_AN_INSTALLATION: Final = frozenset({"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"})


class BuildError(Exception):
    """The release cannot be built; the text says why."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What compiled libraries demand of a machine."""

    platform: str = ANY_PLATFORM
    oldest: tuple[int, int] = OLDEST_PYTHON
    only: bool = False
    """That very Python, and no later one."""

    @property
    def python(self) -> VersionRange:
        """The range of Pythons."""
        major, minor = self.oldest
        text = f">={major}.{minor},<{major}.{minor + 1}" if self.only else f">={major}.{minor}"
        found = VersionRange.parse(text)
        assert found is not None  # noqa: S101 - made one line above
        return found


def main() -> int:
    """Build, and say how to install what was built."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkout", type=Path, default=ROOT, help="the sources (this checkout)")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="where the archive goes (dist)")
    options = parser.parse_args()
    try:
        target, summary = build(options.checkout, options.output)
    except BuildError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    print(
        f"{target}: {summary.files} files, {summary.content_bytes:,} bytes, packed {summary.archive_bytes:,}"
    )
    print(f"sha256 {summary.sha256}")
    print("\nPut it where https reaches it, then:")
    print(f"  loopx self-update --url https://HOST/{target.name} --checksum {summary.sha256}")
    return 0


def build(checkout: Path, output: Path) -> tuple[Path, ArchiveSummary]:
    """The archive and what it holds."""
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="loopx-release-") as work:
        tree = Path(work, "tree")
        version = add_loopx(checkout, tree / "lib", Path(work))
        needs = add_libraries(checkout / "requirements" / "runtime.txt", tree / "lib")
        shutil.copytree(LAUNCH, tree / "bin", ignore=shutil.ignore_patterns("__pycache__"))
        (tree / ENTRY).chmod(0o755)
        describe(tree, version, needs)
        target = output.resolve() / f"loopx-{version}.tar.gz"
        packing = TarballWriter().pack(str(tree), str(target), top=f"loopx-{version}", limits=DEFAULT_LIMITS)
        return target, asyncio.run(packing)


def add_loopx(checkout: Path, library: Path, work: Path) -> Version:
    """Build the wheel from a copy, so that nothing stale from an earlier build gets in, and unpack it."""
    copy = work / "checkout"
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for folder in (*LAYERS, "src"):
        shutil.copytree(checkout / folder, copy / folder, symlinks=True, ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "README.md"):
        shutil.copy(checkout / name, copy)
    answer = subprocess.run(
        [sys.executable, "-I", "-c", BUILD_WHEEL, str(work)],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    if answer.returncode:
        raise BuildError(f"the wheel was not built:\n{answer.stderr}")
    (wheel,) = work.glob("loopx-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(library)  # our own wheel, made a moment ago
    (metadata,) = library.glob("loopx-*.dist-info")
    (metadata / "RECORD").unlink()
    version = Version.parse(wheel.name.split("-")[1])
    if version is None:
        raise BuildError(f"{wheel.name} has no version that can be compared")
    return version


def add_libraries(lock: Path, library: Path) -> Needs:
    """Copy what the lock file names, and tell what it needs."""
    needs = Needs()
    for match in filter(None, map(_PIN.match, lock.read_text(encoding="utf-8").splitlines())):
        name, version, conditional = match.groups()
        metadata = find_metadata(name)
        if metadata is None:
            if conditional:
                continue  # its marker says that it is not for this Python or platform
            raise BuildError(f"{name} is not installed here: run scripts/setup.sh runtime")
        if f"-{version}.dist-info" not in metadata.name:
            raise BuildError(
                f"{metadata.name} is installed, {lock} wants {version}: run scripts/setup.sh runtime"
            )
        for path in recorded_files(metadata):
            place = library / path
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(metadata.parent / path, place)
        needs = add_needs(needs, (metadata / "WHEEL").read_text(encoding="utf-8"))
    return needs


def find_metadata(name: str) -> Path | None:
    """The dist-info folder of a library."""
    pattern = re.sub(r"[-_.]+", "[-_.]", name)
    for place in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        for path in Path(place).glob("*.dist-info"):
            if re.fullmatch(f"{pattern}-[^-]+\\.dist-info", path.name, re.IGNORECASE):
                return path
    return None


def recorded_files(metadata: Path) -> Iterator[str]:
    """The files of a library, each as it was in its wheel; bytecode and programs are left out."""
    with (metadata / "RECORD").open(encoding="utf-8", newline="") as record:
        for path, promised, _ in reader(record):
            if path.startswith("..") or path.endswith(".pyc"):
                continue
            if path.startswith(f"{metadata.name}/") and path.split("/")[1] in _RECORDS_OF_AN_INSTALLATION:
                continue
            digest = urlsafe_b64encode(sha256((metadata.parent / path).read_bytes()).digest()).rstrip(b"=")
            if promised != f"sha256={digest.decode()}":
                raise BuildError(f"{metadata.parent / path} was changed since it was installed")
            yield path


def add_needs(needs: Needs, wheel: str) -> Needs:
    """What one more library demands, by the tags of its wheel (PEP 425)."""
    oldest, only, platform = needs.oldest, needs.only, needs.platform
    for python, abi, machine in _TAG.findall(wheel):
        platform = platform if machine == "any" else SystemHost().host().platform
        if abi == "none":
            continue
        found = [(3, int(minor)) for minor in _CPYTHON.findall(python)]
        oldest, only = max([oldest, *found]), only or abi != "abi3"
    return Needs(platform, oldest, only)


def describe(tree: Path, version: Version, needs: Needs) -> None:
    """Write ``release.json``."""
    release = Release(
        version=version,
        python=needs.python,
        platform=needs.platform,
        state=STATE,
        entry=ENTRY,
        files=asyncio.run(FileReleaseTree().measure(str(tree))),
    )
    (tree / RELEASE_FILE).write_bytes(write_release(release))


if __name__ == "__main__":
    sys.exit(main())
