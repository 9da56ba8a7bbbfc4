"""The bytecode of a version, made once when it is installed."""

from typing import Final

from loopx.domain.processes import Command
from loopx.domain.updates.places import LIBRARIES

_PATIENCE: Final = 300.0


def compile_command(interpreter: str, root: str, final: str) -> Command:
    """Compile a staged tree for its final place.

    The bytecode is never compared with its source again (PEP 552, unchecked): a version's folder is
    not changed after this, and a start looks at half as many files.
    """
    arguments = (interpreter, "-I", "-S", "-B", "-m", "compileall", "-q", "--invalidation-mode")
    places = ("unchecked-hash", "-s", root, "-p", final, f"{root}/{LIBRARIES}")
    return Command(arguments=(*arguments, *places), timeout=_PATIENCE)
