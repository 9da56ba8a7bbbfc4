"""What authors work on: checked folders and packed archives, as records."""

from typing import Final

from loopx.application.use_cases.pack_extension import Packed
from loopx.domain.extensions.code import ExtensionCode
from loopx.domain.schema import INTEGER, Field, RecordSpec, listing, record, text

PACKAGE: Final = RecordSpec(
    schema="loopx.extension_package/1",
    type="extension_package",
    fields=(
        Field("id", text(), "how the extension is called"),
        Field("version", text(), "its version"),
        Field("api", text(), "the extension interfaces that it works with"),
        Field("entry", text(), "where its code begins"),
        Field("provides", listing(record(name=text(), kind=text())), "the units it adds"),
        Field("hosts", listing(record(host=text(), methods=listing(text()))), "what it may call"),
        Field("credentials", listing(record(name=text(), host=text())), "whose credentials it may use"),
        Field("files", INTEGER, "how many files it has"),
        Field("bytes", INTEGER, "how much they hold"),
        Field("path", text(), "where its archive lies", nullable=True),
        Field("size", INTEGER, "bytes of the archive", nullable=True),
        Field("sha256", text(), "the digest of the archive", nullable=True),
    ),
    columns=("id", "version", "files", "bytes", "size", "sha256", "path"),
)
SOURCE_FILE: Final = RecordSpec(
    schema="loopx.source_file/1",
    type="source_file",
    fields=(Field("path", text(), "where it lies in the folder"),),
    columns=("path",),
)


def package_data(code: ExtensionCode, packed: Packed | None = None) -> dict[str, object]:
    """An extension that was found to be sound, and its archive if it has one."""
    manifest = code.manifest
    return {
        "id": manifest.id,
        "version": str(manifest.version),
        "api": str(manifest.api),
        "entry": str(manifest.entry),
        "provides": [{"name": unit.name, "kind": unit.kind.value} for unit in manifest.units],
        "hosts": [{"host": one.authority, "methods": list(one.methods)} for one in manifest.grants.hosts],
        "credentials": [{"name": one.name, "host": one.authority} for one in manifest.grants.credentials],
        "files": len(code.files),
        "bytes": sum(map(len, code.files.values())),
        "path": packed.path if packed else None,
        "size": packed.archive.archive_bytes if packed else None,
        "sha256": packed.archive.sha256 if packed else None,
    }


def add_command(packed: Packed) -> str:
    """The line with which others declare it, as soon as it can be fetched somewhere."""
    name = packed.path.rpartition("/")[2]
    extension_id = packed.code.manifest.id
    url = f"https://YOUR-HOST/{name}"
    return f"loopx registry add --name {extension_id} --url {url} --checksum {packed.archive.sha256}"
