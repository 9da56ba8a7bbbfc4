"""How the folder of an installed version is called."""

import re
from dataclasses import dataclass
from typing import Final, Self

from loopx.domain.versions import Version

_DIGITS: Final = 12
_NAME: Final = re.compile(rf"(?P<version>.+)-(?P<digest>[0-9a-f]{{{_DIGITS}}})", re.ASCII)


@dataclass(frozen=True, slots=True)
class VersionName:
    """A version and the first digits of its archive's SHA-256: other bytes have another name."""

    version: Version
    digest: str

    @classmethod
    def of(cls, version: Version, sha256: str) -> Self:
        """The name for an archive."""
        return cls(version, sha256[:_DIGITS])

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read the name of a folder; ``None`` when it is none of ours."""
        match = _NAME.fullmatch(text)
        version = Version.parse(match["version"]) if match else None
        return cls(version, match["digest"]) if match and version else None

    def is_of(self, sha256: str) -> bool:
        """Whether it can be the name of these bytes."""
        return self.digest == sha256[:_DIGITS]

    def __str__(self) -> str:
        return f"{self.version}-{self.digest}"
