"""What bytes look like, for people who expected an archive and got something else."""

import re
from typing import Final

SNIFFED_BYTES: Final = 1024
"""So much of the start is enough for every format told apart here."""

_TAR_MAGIC: Final = slice(257, 262)
_GZIP: Final = b"\x1f\x8b"
_SIGNATURES: Final = (
    (_GZIP, "gzip data"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"\x04\x22\x4d\x18", "lz4 data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a rar archive"),
    (b"!<arch>\n", "an ar or deb archive"),
    (b"\x7fELF", "a Linux program"),
    (b"MZ", "a Windows program"),
    (b"%PDF-", "a PDF document"),
    (b"version https://git-lfs.", "a Git LFS pointer and not the file itself"),
    (b"-----BEGIN ", "a PEM key, certificate or signature"),
    (b"#!", "a script"),
)
_HTML: Final = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|meta|script)\b", re.IGNORECASE)
_JSON: Final = re.compile(rb"(?:\{\s*(?:\"|\}|$)|\[\s*[\[\]{\"0-9tfn-])")
_CHECKSUM: Final = re.compile(rb"[0-9A-Fa-f]{32,128}(?:\s|$)")
_BOM: Final = b"\xef\xbb\xbf"


def describe_bytes(start: bytes) -> str:
    """What a file looks like by its first ``SNIFFED_BYTES``, as the end of "it looks like …"."""
    if not start:
        return "nothing: it is empty"
    if is_tar(start):
        return "an uncompressed tar archive"
    for signature, description in _SIGNATURES:
        if start.startswith(signature):
            return description
    if not start.strip(b"\0"):
        return "nothing but zero bytes"
    return _describe_text(start[:SNIFFED_BYTES])


def is_gzip(start: bytes) -> bool:
    """Whether these are the first bytes of gzip data (RFC 1952); a single byte may be."""
    return bool(start) and _GZIP.startswith(start[:2])


def is_tar(start: bytes) -> bool:
    """Whether a tar header of POSIX or GNU starts here."""
    return start[_TAR_MAGIC] == b"ustar"


def _describe_text(start: bytes) -> str:
    text = start.removeprefix(_BOM).lstrip()
    if _HTML.match(text) or (text.startswith(b"<!--") and _HTML.search(text)):
        return "an HTML page"
    if text.startswith(b"<?xml"):
        return "an HTML page" if b"<html" in text.lower() else "an XML document"
    if _JSON.match(text):
        return "JSON"
    if _CHECKSUM.match(text):
        return "a checksum file and not the file itself"
    return "text" if _is_text(start) else "unknown binary data"


def _is_text(start: bytes) -> bool:
    if any(byte < 0x20 and byte not in b"\t\n\f\r\x1b" for byte in start):  # noqa: PLR2004 - the C0 controls
        return False
    try:
        start.decode("utf-8")
    except UnicodeDecodeError as error:
        # The cut may fall into a character.
        return len(start) == SNIFFED_BYTES and error.start > SNIFFED_BYTES - 4
    return True
