"""Frames on the pipes to an extension's process: a JSON object and raw bytes, both of announced length."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from loopx.domain.errors import LoopXError
from loopx.domain.extensions.limits import HostLimits
from loopx.domain.extensions.refusal import refused
from loopx.domain.http.json_text import read_json

PREFIX: Final = 8
"""Two lengths of four bytes each, the most significant one first: that of the JSON, that of the bytes."""

_HALF: Final = PREFIX // 2

Head = dict[str, object]


@dataclass(frozen=True, slots=True)
class Frame:
    """One message."""

    head: Mapping[str, object]
    body: bytes = b""


def write_frame(frame: Frame) -> bytes:
    """A frame as bytes."""
    head = json.dumps(frame.head, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()
    return b"".join(
        (len(head).to_bytes(_HALF, "big"), len(frame.body).to_bytes(_HALF, "big"), head, frame.body)
    )


def read_prefix(prefix: bytes, limits: HostLimits) -> tuple[int, int]:
    """The two lengths that a frame announces.

    Raises:
        LoopXError: ``extension_error/output_too_large``, before anything of that length is read.
    """
    head, body = int.from_bytes(prefix[:_HALF], "big"), int.from_bytes(prefix[_HALF:PREFIX], "big")
    if head > limits.head:
        raise refused("output_too_large", f"a step of {head} bytes, {limits.head} are allowed")
    if body > limits.body:
        raise refused("output_too_large", f"a request of {body} bytes, {limits.body} are allowed")
    return head, body


def read_head(content: bytes) -> Head:
    """The JSON object of a frame.

    Raises:
        LoopXError: ``extension_error/protocol``.
    """
    try:
        head = read_json(content)
    except LoopXError as error:
        raise refused("protocol", f"{error.reason} in a frame") from None
    if not isinstance(head, dict):
        raise refused("protocol", "a frame without an object")
    return cast("Head", head)
