"""The files of an extension with a digest for each, so that what was changed can be named."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from loopx.domain.documents import DocumentKind, Part, read_document, write_document
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.code import digest_files

LISTING: Final = DocumentKind("loopx.files")
LISTING_NAME: Final = "files.json"
EVERYTHING: Final = "."
"""Stands for all files in a difference."""

_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Tree:
    """All files below the top directory of an archive, by path with slashes."""

    files: Mapping[str, bytes]

    @property
    def digest(self) -> str:
        """One SHA-256 of all names and contents, in lower-case hexadecimal."""
        return digest_files(self.files)


Listing = Mapping[str, str]
"""The SHA-256 of each file of a tree, by path."""


class Change(StrEnum):
    """How a file differs from its listing."""

    MISSING = "missing"
    CHANGED = "changed"
    UNEXPECTED = "unexpected"


@dataclass(frozen=True, slots=True)
class Difference:
    """One file that is not as it was approved."""

    path: str
    change: Change

    def __str__(self) -> str:
        return f"{self.path} ({self.change})"


@dataclass(frozen=True, slots=True)
class Examination:
    """What is stored, and in what it differs from what was approved; intact without any difference."""

    tree: Tree
    differences: tuple[Difference, ...] = ()

    def intact(self) -> Tree:
        """The tree, if it is what was approved.

        Raises:
            LoopXError: ``integrity_error/stored`` that names what differs.
        """
        if not self.differences:
            return self.tree
        named = ", ".join(map(str, self.differences[:_NAMED]))
        more = len(self.differences) - _NAMED
        detail = f"{named} and {more} more" if more > 0 else named
        raise LoopXError("integrity_error", "stored", detail=detail)


def list_tree(tree: Tree) -> Listing:
    """The digests of a tree."""
    return {path: hashlib.sha256(data).hexdigest() for path, data in tree.files.items()}


def examine_tree(found: Tree, listing: Listing | None, wanted: str) -> Examination:
    """Compare stored files with the digest that was approved; the listing only names what differs."""
    if found.digest == wanted:
        return Examination(found)
    named = compare(listing, found) if listing is not None else ()
    if not found.files:
        named = (Difference(EVERYTHING, Change.MISSING),)
    # A listing that was changed along with its files accuses none of them.
    return Examination(found, named or (Difference(LISTING_NAME, Change.CHANGED),))


def compare(listing: Listing, tree: Tree) -> tuple[Difference, ...]:
    """Every difference, in order of path."""
    return tuple(sorted(_differences(listing, list_tree(tree)), key=lambda one: one.path))


def _differences(wanted: Listing, found: Listing) -> Iterator[Difference]:
    for path in wanted.keys() - found.keys():
        yield Difference(path, Change.MISSING)
    for path in found.keys() - wanted.keys():
        yield Difference(path, Change.UNEXPECTED)
    for path in wanted.keys() & found.keys():
        if wanted[path] != found[path]:
            yield Difference(path, Change.CHANGED)


def read_listing(content: bytes, place: str) -> Listing:
    """Read the document.

    Raises:
        LoopXError: ``state_error`` with reason ``corrupt`` or ``newer_version``.
    """
    document = Part(read_document(content, LISTING, place), place)
    files = Part.of(document.data.get("files"), place, "files")
    return {path: files.text(path) for path in files.data}


def write_listing(listing: Listing) -> bytes:
    """The document, in order of paths."""
    return write_document(LISTING, {"files": dict(sorted(listing.items()))})
