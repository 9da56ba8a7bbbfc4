"""What an entry of the registry may be called: what the extension calls itself."""

from typing import Final

from loopx.domain.errors import LoopXError
from loopx.domain.extensions.names import RESERVED_IDS, is_id

_SHOWN: Final = 60


def check_name(text: str) -> str:
    """The name, if an extension can have it; nothing built in is ever shadowed.

    Raises:
        LoopXError: ``usage_error/extension_name``.
    """
    if not is_id(text):
        raise LoopXError("usage_error", "extension_name", detail=ascii(text[:_SHOWN]))
    if text in RESERVED_IDS:
        raise LoopXError("usage_error", "extension_name", detail=f"{text} is LoopX's own")
    return text
