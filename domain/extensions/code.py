"""The code of an extension, in memory: what was verified is what is loaded."""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from loopx.domain.extensions.manifest import MANIFEST_NAME, Manifest
from loopx.domain.extensions.refusal import quoted, refused

MOST_FILES: Final = 10_000
MOST_BYTES: Final = 64 * 1024 * 1024

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_NOT_PYTHON: Final = (".so", ".pyd", ".dll", ".dylib", ".pyc", ".pyo", ".pth", ".egg")


@dataclass(frozen=True, slots=True)
class ExtensionCode:
    """A manifest and all files of its tree, by path below the top directory with slashes.

    ``digest`` is the SHA-256 of what the person approved, in lower-case hexadecimal. Whoever builds
    this has compared the contents with it: nothing is read from a disk again.

    Raises:
        LoopXError: ``extension_error/tree`` when there is too much of it, or what is no Python source.
    """

    manifest: Manifest
    files: Mapping[str, bytes]
    digest: str

    def __post_init__(self) -> None:
        if not _DIGEST.fullmatch(self.digest):
            raise ValueError("a digest is 64 hexadecimal digits")
        if len(self.files) > MOST_FILES:
            raise refused("tree", f"{len(self.files)} files, {MOST_FILES} are allowed")
        size = sum(map(len, self.files.values()))
        if size > MOST_BYTES:
            raise refused("tree", f"{size} bytes, {MOST_BYTES} are allowed")
        for path in self.files:
            if path.lower().endswith(_NOT_PYTHON):
                raise refused("tree", f"{quoted(path)} is no Python source")

    @property
    def package(self) -> str:
        """The name of the package under which the tree is imported, unlike that of any other tree."""
        return f"loopx_ext_{self.manifest.namespace}_{self.digest[:12]}"

    def check_entry(self, standard_library: Collection[str]) -> None:
        """Refuse an entry point outside the tree, or one that is called as Python's own modules are.

        Raises:
            LoopXError: ``extension_error/entry``.
        """
        entry = self.manifest.entry
        if entry.module.partition(".")[0] in standard_library:
            raise refused("entry", f"{quoted(entry.module)} is called like a module of Python itself")
        if not any(file in self.files for file in entry.files):
            raise refused("entry", f"neither {' nor '.join(entry.files)} is there")


def digest_files(files: Mapping[str, bytes]) -> str:
    """One SHA-256 for names and contents of a tree, whatever the order of the mapping."""
    digest = hashlib.sha256()
    for piece in _pieces(files):
        digest.update(len(piece).to_bytes(8, "big"))
        digest.update(piece)
    return digest.hexdigest()


def manifest_of(files: Mapping[str, bytes]) -> bytes:
    """The bytes of the manifest in a tree.

    Raises:
        LoopXError: ``extension_error/tree``.
    """
    content = files.get(MANIFEST_NAME)
    if content is None:
        raise refused("tree", f"there is no {MANIFEST_NAME} in its top directory")
    return content


def _pieces(files: Mapping[str, bytes]) -> Iterator[bytes]:
    for path in sorted(files):
        yield path.encode("utf-8", "surrogatepass")
        yield files[path]
