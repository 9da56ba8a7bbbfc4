"""Values of self-update to draw and to build from."""

from collections.abc import Mapping
from typing import Final

from hypothesis import strategies as st

from loopx.domain.updates.found import Found, Installed, Pointers
from loopx.domain.updates.release import ENTRY, FileDigest, Release, StateRange
from loopx.domain.updates.seal import BadMark, Seal
from loopx.domain.versions import Version, VersionRange

STATE: Final = StateRange(1, 1)
ENTRY_DIGEST: Final = FileDigest("e" * 64, 10, executable=True)


def version(text: str) -> Version:
    """A version that must be one."""
    found = Version.parse(text)
    assert found is not None, text
    return found


def version_range(text: str) -> VersionRange:
    """A range that must be one."""
    found = VersionRange.parse(text)
    assert found is not None, text
    return found


def release(
    number: str = "0.2.0",
    *,
    python: str = ">=3.11",
    platform: str = "any",
    state: StateRange = STATE,
    files: Mapping[str, FileDigest] | None = None,
) -> Release:
    """A release with the least that one can hold."""
    return Release(
        version=version(number),
        python=version_range(python),
        platform=platform,
        state=state,
        entry=ENTRY,
        files={ENTRY: ENTRY_DIGEST, **(files or {})},
    )


def seal(number: str, digit: str = "a", *, installed_at: int = 0, state: StateRange = STATE) -> Seal:
    """A seal whose digests are all one digit."""
    return Seal(
        version=version(number),
        sha256=digit * 64,
        manifest="f" * 64,
        state=state,
        size=1000,
        installed_at=installed_at,
    )


NUMBERS: Final = ("0.1.0", "0.2.0", "0.2.1", "0.3.0-rc.1", "0.3.0")
SEALS: Final = tuple(seal(number, digit) for number in NUMBERS for digit in "ab")
NAMES: Final = tuple(each.name for each in SEALS)


@st.composite
def founds(draw: st.DrawFn) -> Found:
    """Any state in which a home can be: pointers to anything, broken versions, marks."""
    installed: list[Installed] = []
    for each in draw(st.lists(st.sampled_from(SEALS), unique=True, max_size=6)):
        whole, in_use, at = draw(st.booleans()), draw(st.booleans()), draw(st.integers(0, 9))
        found = seal(str(each.version), each.sha256[0], installed_at=at) if whole else None
        installed.append(Installed(each.name, found, in_use=in_use))
    pointer = st.none() | st.sampled_from(NAMES)
    bad = draw(st.lists(st.sampled_from(SEALS), unique=True, max_size=2))
    marks = {each.name: BadMark(each.sha256, "it failed") for each in bad}
    return Found(Pointers(draw(pointer), draw(pointer)), tuple(installed), marks)
