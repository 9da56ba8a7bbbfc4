"""Which versions of the extension interface an extension can live with."""

from typing import Final

from loopx.domain.extensions.refusal import refused
from loopx.domain.versions import Version, VersionRange

EXTENSION_API: Final = 1
"""The version of the interface that this LoopX offers; it grows when an extension could break."""


def check_api(wanted: VersionRange, offered: int = EXTENSION_API) -> None:
    """Refuse an extension that is made for another interface.

    Raises:
        LoopXError: ``extension_error/api_range``.
    """
    version = Version.parse(str(offered))
    if version is None or version not in wanted:
        raise refused("api_range", f"it wants api {wanted}, this is api {offered}")
