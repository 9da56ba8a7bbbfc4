"""What things of an extension may be called, so that nothing built in is ever shadowed."""

import re
from typing import Final

LONGEST_ID: Final = 48
LONGEST_NAME: Final = 64

_ID: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_UNIT: Final = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*")
_WORD: Final = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_MODULE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_OBJECT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

RESERVED_IDS: Final = frozenset(
    {
        "all",
        "audit",
        "auth",
        "capability",
        "capture",
        "config",
        "connector",
        "demo",
        "edgar",
        "extension",
        "github",
        "help",
        "http",
        "loopx",
        "pr",
        "pr-program",
        "pr-review",
        "probe",
        "registry",
        "sec",
        "self-update",
        "serve",
    }
)
"""What LoopX itself is, does or provides, now or later; the units of an extension begin with its id."""

RESERVED_PARAMETERS: Final = frozenset(
    {
        "agent_id",
        "config",
        "debug",
        "fields",
        "help",
        "max_wait",
        "no_color",
        "offline",
        "output",
        "packet",
        "project",
        "quiet",
        "refresh",
        "sort",
        "timeout",
        "turn_id",
        "verbose",
        "version",
        "yes",
    }
)
"""The names of global options: a parameter of the same name could not be given on a command line."""

RESERVED_TYPES: Final = frozenset({"error", "progress", "record", "summary"})
"""What else a line of a stream can be."""


def is_id(text: str) -> bool:
    """Whether a text can be the id of an extension: words in kebab case."""
    return len(text) <= LONGEST_ID and _ID.fullmatch(text) is not None


def namespace(extension_id: str) -> str:
    """The first part of the names of all that an extension provides; no two ids share one."""
    return extension_id.replace("-", "_")


def is_unit_name(text: str, extension_id: str) -> bool:
    """Whether an extension may call a unit so: its namespace, and more behind a dot."""
    first = text.partition(".")[0]
    return (
        len(text) <= LONGEST_NAME and first == namespace(extension_id) and _UNIT.fullmatch(text) is not None
    )


def is_word(text: str) -> bool:
    """Whether a text can name a parameter, a field, a record type or a credential slot."""
    return len(text) <= LONGEST_NAME and _WORD.fullmatch(text) is not None


def is_module(text: str) -> bool:
    """Whether a text is the dotted name of a Python module."""
    return len(text) <= 2 * LONGEST_NAME and _MODULE.fullmatch(text) is not None


def is_object(text: str) -> bool:
    """Whether a text is the name of something in a Python module."""
    return len(text) <= LONGEST_NAME and _OBJECT.fullmatch(text) is not None
