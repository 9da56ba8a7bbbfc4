"""SHA-256 checksums as people write them down."""

import re
from base64 import b64decode
from typing import Final

from loopx.domain.errors import LoopXError

DIGITS: Final = 64
_BYTES: Final = DIGITS // 2
_HEXADECIMAL: Final = re.compile(r"[0-9a-fA-F]+")
_LABEL: Final = re.compile(r"([a-z0-9-]+)[:=]\s*([^=\s].*)", re.IGNORECASE | re.DOTALL)
_SUBRESOURCE: Final = re.compile(r"sha(?:256|384|512)-", re.IGNORECASE)
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{43}=?")
_OTHERS: Final = {32: "MD5", 40: "SHA-1", 56: "SHA-224", 96: "SHA-384", 128: "SHA-512"}


def read_checksum(text: str) -> str:
    """Bring a checksum into its one form, 64 lower-case hexadecimal digits; ``sha256:`` may stand before it.

    Raises:
        LoopXError: ``usage_error/checksum`` that says what the text is instead.
    """
    digits = _without_label(text.strip())
    if not digits:
        raise _refused("it is empty")
    if " " in digits or "\t" in digits:
        raise _refused("something stands behind it: give the digits alone, without the name of the file")
    if not _HEXADECIMAL.fullmatch(digits):
        if _BASE64.fullmatch(digits):
            raise _base64(digits)
        raise _refused("it holds something that is no hexadecimal digit")
    if len(digits) != DIGITS:
        other = _OTHERS.get(len(digits))
        looks = f", as {other} has" if other else ""
        raise _refused(f"it has {len(digits)} digits{looks}, and not {DIGITS}")
    return digits.lower()


def _without_label(text: str) -> str:
    if subresource := _SUBRESOURCE.match(text):
        return text[subresource.end() :]
    labelled = _LABEL.fullmatch(text)
    if labelled is None:
        return text
    if labelled[1].lower() not in {"sha256", "sha-256"}:
        raise _refused("only SHA-256 is checked")
    return labelled[2]


def _base64(text: str) -> LoopXError:
    """43 signs of base64 say the same 32 bytes: show them as they are wanted."""
    padded = text.rstrip("=").replace("-", "+").replace("_", "/") + "="
    digest = b64decode(padded)
    return _refused("it is written in base64", hint=f"In hexadecimal digits it is {digest.hex()}.")


def _refused(problem: str, *, hint: str = "") -> LoopXError:
    return LoopXError("usage_error", "checksum", detail=problem, hint=hint)
