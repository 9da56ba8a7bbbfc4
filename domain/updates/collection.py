"""Which versions are no longer needed."""

from typing import Final

from loopx.domain.updates.found import Found, Installed

KEPT: Final = 2
"""Old versions to go back to."""


def choose_garbage(found: Found, keep: int = KEPT) -> tuple[str, ...]:
    """The versions to remove: never the current or the previous one, nor one that a process runs from."""
    pointers = found.pointers
    old = [each for each in found.installed if found.usable(each.name) and each.name != pointers.current]
    old.sort(key=lambda each: (each.name == pointers.previous, _age(each), each.name), reverse=True)
    kept = {pointers.current, pointers.previous, *(each.name for each in old[:keep])}
    return tuple(
        each.name for each in found.installed if not each.in_use and not (each.name in kept and each.seal)
    )


def _age(each: Installed) -> int:
    return each.seal.installed_at if each.seal else 0
