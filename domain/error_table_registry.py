"""The part of the error table about the registry: what is declared in it and what is not."""

from typing import Final

_Row = tuple[str, int, int, bool, str, str, str]
"""Reason, exit code, HTTP status, whether to retry, whether anything was sent, what happened, what to do."""

# fmt: off
REGISTRY_ERRORS: Final[dict[str, tuple[_Row, ...]]] = {
    "registry_error": (
        ("unknown", 2, 404, False, "no", "the registry has no extension of this name", "See them with `loopx registry list`."),
        ("not_installed", 66, 404, False, "no", "the extension is not installed on this machine", "Install it: `loopx registry install NAME`."),
        ("checksum_required", 78, 403, False, "no", "your policy asks for a checksum, and there is none", "Add it with the one that its publisher names: `loopx registry add --name NAME --url URL --checksum SHA256`."),
        ("other_extension", 65, 502, False, "yes", "the archive holds another extension", "Add it under the name that it gives itself: `loopx registry add --name NAME --url URL`."),
        ("other_version", 65, 502, False, "yes", "the archive holds another version", "Compare registry.json with what its publisher offers."),
        ("changed", 75, 503, True, "no", "somebody else changed the registry meanwhile", "Nothing was installed: look at it with `loopx registry list`, then try again."),
    ),
}
# fmt: on
