"""Read JSON strictly: UTF-8, finite numbers, no key twice, bounded depth (RFC 8259)."""

import json
import re
from math import isfinite
from typing import Final, NoReturn

from loopx.domain.errors import LoopXError

MAXIMUM_DIGITS: Final = 400
"""Longer integers make Python's own conversion slow, and no provider sends one."""

_PAIR_OR_HALF: Final = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_HALF_LENGTH: Final = len(r"\ud800")
_BOM: Final = b"\xef\xbb\xbf"


def read_json(content: bytes) -> object:
    """Decode and parse a JSON document.

    Raises:
        LoopXError: ``provider_response_invalid`` with reason ``charset``, ``json``,
            ``json_depth``, ``json_number`` or ``json_duplicate_key``.
    """
    try:
        return _parse(content.removeprefix(_BOM).decode("utf-8"))
    except _RefusedError as refused:
        reason = refused.reason
    except UnicodeError:
        reason = "charset"
    except RecursionError:
        reason = "json_depth"
    except ValueError:
        reason = "json"
    raise LoopXError("provider_response_invalid", reason)


def _parse(text: str) -> object:
    document: object = json.loads(
        _PAIR_OR_HALF.sub(_mend, text),
        parse_constant=_refuse_constant,
        parse_int=_read_integer,
        parse_float=_read_float,
        object_pairs_hook=_read_object,
    )
    return document


def _mend(match: re.Match[str]) -> str:
    """Half of a surrogate pair is no text (RFC 8259, section 8.2); in one title it must not lose a page."""
    found = match.group()
    is_half = len(found) == _HALF_LENGTH and found[1] == "u"
    return r"\ufffd" if is_half else found


class _RefusedError(Exception):
    """Leaves the parser at once; never seen outside this module."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def _refuse_constant(_name: str) -> NoReturn:
    raise _RefusedError("json_number")


def _read_integer(digits: str) -> int:
    if len(digits) > MAXIMUM_DIGITS:
        raise _RefusedError("json_number")
    return int(digits)


def _read_float(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise _RefusedError("json_number")
    return number


def _read_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _RefusedError("json_duplicate_key")
    return found
