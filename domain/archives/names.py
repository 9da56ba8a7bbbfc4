"""Which names an archive may use: only those that mean the same place on every system."""

import re
from functools import lru_cache
from typing import Final
from unicodedata import normalize

from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.refusal import quoted, refused

# Ranges and not Unicode categories: those change with the Python that reads, the archive does not.
_CONTROL: Final = "[\x00-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\ud800-\udfff]"
# Default_Ignorable_Code_Point: bidi controls, zero-width characters and their kind; HFS+ even leaves them out
# when it compares names.
_INVISIBLE: Final = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_DEVICE: Final = r"\A(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|\Z)"
_OBJECTIONS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), words)
    for pattern, words in (
        (r"\A\.?\Z", "is no name of its own"),
        (_CONTROL, "holds a control character"),
        (_INVISIBLE, "holds a character that nobody sees"),
        (r'[<>:"|?*\\/]', 'holds one of < > : " | ? * \\ /'),
        (r"\A\s|[\s.]\Z", "has a blank at an edge, or a dot at its end"),
        (_DEVICE, "is the name of a device on Windows"),
    )
)
_APPLE_DOUBLE: Final = "._"


def read_path(raw: bytes, *, is_directory: bool, limits: ArchiveLimits) -> tuple[str, ...]:
    """The components of a member's name; none for the root, which a directory may name as ``.``.

    Raises:
        LoopXError: ``archive_error`` with reason ``path_escape``, ``name``, ``depth`` or ``layout``.
    """
    parts = _decode(raw).split("/")
    if (parts[0] == "" and len(parts) > 1) or ".." in parts:
        raise refused("path_escape", quoted(raw))
    if is_directory and len(parts) > 1 and parts[-1] == "":
        parts.pop()
    if parts[0] == ".":
        del parts[0]
    if not parts and not is_directory:
        raise refused("name", "a file has the name of the root")
    if len(parts) > limits.depth:
        raise refused("depth", f"{quoted(raw)} has {len(parts)} levels, {limits.depth} are allowed")
    if len(raw) > limits.path_bytes:
        raise refused("name", f"{quoted(raw)} is longer than {limits.path_bytes} bytes")
    for part in parts:
        check_component(part, limits)
    return tuple(parts)


def check_component(name: str, limits: ArchiveLimits) -> None:
    """Refuse the name of a file or directory that some system reads differently or not at all.

    Raises:
        LoopXError: ``archive_error`` with reason ``name``, or ``layout`` for AppleDouble files.
    """
    if (objection := _object(name)) is not None:
        raise refused("name", f"{quoted(name)} {objection}")
    if len(name.encode()) > limits.component_bytes:
        raise refused("name", f"{quoted(name)} is longer than {limits.component_bytes} bytes")
    if name.startswith(_APPLE_DOUBLE):
        hint = "Pack it again with COPYFILE_DISABLE=1 set, or with `loopx extension pack`."
        raise refused("layout", f"{quoted(name)} is macOS metadata", hint=hint)


def fold(path: str) -> str:
    """The key under which two names are the same on some file system (Unicode, definition D145)."""
    if path.isascii():
        return path.lower()
    return normalize("NFD", normalize("NFD", path).casefold())


def _decode(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise refused("name", f"{quoted(raw)} is not UTF-8") from None


@lru_cache(maxsize=1024)  # the same directories are named again and again
def _object(name: str) -> str | None:
    return next((words for pattern, words in _OBJECTIONS if pattern.search(name)), None)
