"""Versions are ordered as people mean them, and a range holds what lies between its bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopx.domain.versions import Version, VersionRange

NUMBERS = st.lists(st.integers(0, 99), min_size=1, max_size=4)
PRE = st.sampled_from(["", "-alpha", "-alpha.1", "-1", "-rc.10", "a1", "b2", "rc3", ".dev4"])
VERSIONS = st.builds(lambda numbers, pre: ".".join(map(str, numbers)) + pre, NUMBERS, PRE)

# Semantic Versioning 2.0.0, section 11, with the other spellings between.
IN_ORDER = [
    "0.9", "1.0.0.dev1", "1.0.0-1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
    "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2", "1.10", "2.0rc1", "2", "10.0",
]  # fmt: skip
DIFFERENT_SPELLINGS = {"1.0.0.dev1", "1.0.0-1"}


def read(text: str) -> Version:
    version = Version.parse(text)
    assert version is not None, text
    return version


def test_versions_come_in_the_order_of_the_specification() -> None:
    ordered = [text for text in IN_ORDER if text not in DIFFERENT_SPELLINGS]
    assert [str(version) for version in sorted(map(read, reversed(ordered)))] == ordered


@pytest.mark.parametrize(
    ("left", "right"), [("1", "1.0.0"), ("1.0rc1", "1.0.0-rc.1"), ("1.0a2", "1-alpha.2")]
)
def test_two_spellings_of_a_version_are_equal(left: str, right: str) -> None:
    assert read(left) == read(right)
    assert hash(read(left)) == hash(read(right))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "v1",
        "1.",
        "1..2",
        "01.2",
        "1.2.3.4.5",
        "1.0+build",
        "1.0-",
        "1.0-01",
        "1.0 ",
        "\u0661.\u0662",
        "1" * 10,
        "1.0\n",
    ],
)
def test_what_is_no_version_is_not_read(text: str) -> None:
    assert Version.parse(text) is None


@given(VERSIONS, VERSIONS, VERSIONS)
def test_the_order_is_total_and_transitive(first: str, second: str, third: str) -> None:
    a, b, c = read(first), read(second), read(third)
    assert (a < b) + (a == b) + (a > b) == 1
    if a <= b <= c:
        assert a <= c


@given(NUMBERS, PRE)
def test_a_prerelease_comes_before_its_release(numbers: list[int], pre: str) -> None:
    release = ".".join(map(str, numbers))
    assert (read(release + pre) < read(release)) == bool(pre)


@given(st.text(max_size=30) | st.from_regex(r"[0-9.abrcdev-]{0,20}"))
def test_any_text_is_a_version_or_none(text: str) -> None:
    version = Version.parse(text)
    assert version is None or str(version) == text


@given(VERSIONS, VERSIONS, VERSIONS)
def test_a_range_holds_what_lies_between_its_bounds(low: str, high: str, asked: str) -> None:
    allowed = VersionRange.parse(f">={low},<{high}")
    assert allowed is not None
    assert (read(asked) in allowed) == (read(low) <= read(asked) < read(high))


@pytest.mark.parametrize("text", ["", ">=", "1.0", ">=1.0,", ">=1.0 <2", "~=1.0", "!=1.0", ">=x"])
def test_what_is_no_range_is_not_read(text: str) -> None:
    assert VersionRange.parse(text) is None


@pytest.mark.parametrize(
    ("text", "held"),
    [(">=1,<2", "1.9"), ("<=1.0", "1"), (">1.0", "1.0.1"), ("==1", "1.0"), (">= 1 , < 2", "1")],
)
def test_every_sign_is_known(text: str, held: str) -> None:
    allowed = VersionRange.parse(text)
    assert allowed is not None
    assert read(held) in allowed
    assert read("3") not in allowed or text == ">1.0"
