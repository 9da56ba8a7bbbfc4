"""How much an archive may hold."""

from dataclasses import dataclass, fields
from typing import Final

KIBIBYTE: Final = 1 << 10
MEBIBYTE: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveLimits:
    """Every bound of an archive; sizes in bytes.

    ``content_bytes`` bounds the unpacked tar, headers included. ``ratio`` is unpacked bytes to
    packed ones at any moment after ``ratio_from_bytes``: text rarely passes 20, a bomb has 1,000.
    ``members`` counts directories too, those that are only named as parents among them.
    ``metadata_bytes`` bounds one extended header, ``all_metadata_bytes`` all of them together.
    """

    archive_bytes: int = 64 * MEBIBYTE
    content_bytes: int = 512 * MEBIBYTE
    ratio: int = 200
    ratio_from_bytes: int = 8 * MEBIBYTE
    members: int = 20_000
    depth: int = 32
    path_bytes: int = 1024
    component_bytes: int = 255
    metadata_bytes: int = 256 * KIBIBYTE
    all_metadata_bytes: int = 8 * MEBIBYTE

    def __post_init__(self) -> None:
        for field in fields(self):
            if getattr(self, field.name) < 1:
                raise ValueError(f"{field.name} must be at least 1")


DEFAULT_LIMITS: Final = ArchiveLimits()
