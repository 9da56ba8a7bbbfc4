"""The part of the error table about extensions: their manifests, their code and what it may do."""

from typing import Final

_Row = tuple[str, int, int, bool, str, str, str]
"""Reason, exit code, HTTP status, whether to retry, whether anything was sent, what happened, what to do."""

_AUTHOR: Final = "Tell the author of the extension; `loopx extension check DIR` shows the same."

# fmt: off
EXTENSION_ERRORS: Final[dict[str, tuple[_Row, ...]]] = {
    "extension_error": (
        ("manifest", 65, 502, False, "no", "extension.toml is not usable", "Correct the named key: docs/extensions.md lists them all."),
        ("api_range", 78, 502, False, "no", "the extension is made for another LoopX", "Use a release of the extension, or of LoopX, that fits."),
        ("tree", 65, 502, False, "no", "the extension holds files that cannot be loaded", "Ship plain Python source and data, less of it if it is too much."),
        ("entry", 65, 502, False, "no", "the entry point does not give what the manifest promises", _AUTHOR),
        ("load", 65, 502, False, "no", "the extension's code cannot be loaded", _AUTHOR),
        ("raised", 70, 502, False, "maybe", "the extension's own code failed", _AUTHOR),
        ("record", 65, 502, False, "maybe", "the extension gave a record of another shape than it declared", _AUTHOR),
        ("protocol", 76, 502, False, "maybe", "the extension's process said something that makes no sense", _AUTHOR),
        ("crashed", 70, 502, False, "maybe", "the extension's process ended before its work did", _AUTHOR),
        ("timeout", 75, 504, False, "maybe", "the extension did nothing for too long and was stopped", "Try again; if it happens again, tell its author."),
        ("memory", 70, 502, False, "maybe", "the extension wanted more memory than it may have", "Ask it for less, or tell its author."),
        ("output_too_large", 65, 502, False, "maybe", "the extension gives more than allowed", "Ask it for less, or tell its author."),
        ("grant", 77, 403, False, "no", "the extension wants to send what it may not", _AUTHOR),
        ("unit", 78, 500, False, "no", "the extension provides no such thing", "See what there is with `loopx capability list`."),
        ("start", 71, 500, True, "no", "no process can be started for the extension", "Check how many processes and files this user may have, then try again."),
        ("directory", 73, 500, False, "no", "the folder of the extension is not usable", "Name a folder that holds extension.toml, or for a new one a place where nothing is yet."),
    ),
}
# fmt: on
