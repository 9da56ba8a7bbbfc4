"""Secrets to plant: random ones, and invented ones in the shapes that providers issue."""

from typing import Final

from hypothesis import strategies as st

TOKENS: Final = (
    "ghp_" + "A1b2" * 9,
    "github_pat_" + "A1b2C3d4E5f6G7h8I9j0K1_" + "Z" * 40,
    "glpat-" + "a1B2" * 5,
    "sk-proj-" + "a1B2" * 10,
    "sk_live_" + "a1B2" * 6,
    "AKIA" + "Q2W3E4R5T6Y7U2I3",
    "xoxb-" + "1234567890-abcdefgh",
    "xapp-" + "1-A0123-456-abcdef",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "ZXlKaGJHY2lPaUpJVXpJMU5pSjkuZXlK",
    "hf_" + "a1B2" * 9,
    "AIza" + "a1B2c" * 7,
    "npm_" + "a1B2" * 9,
    "pypi-AgEIcHlwaS5vcmc" + "a1B2" * 4,
    "SG." + "a1B2" * 5 + "." + "c3D4" * 8,
    "dop_v1_" + "0a1b" * 16,
    "hvs." + "a1B2" * 6,
    "AGE-SECRET-KEY-1" + "Q2W3" * 8,
    "ops_eyJ" + "a1B2" * 6,
    "pplx-" + "a1B2" * 8,
    "dapi" + "0a1b" * 8,
    "ya29." + "a1B2" * 8,
)

_METACHARACTERS: Final = r".^$*+?{}[]\|()"


def secrets_texts() -> st.SearchStrategy[str]:
    """Text of 8 characters or more, with line breaks, foreign scripts and what regexes read as signs."""
    alphabet = st.characters(exclude_categories=["Cs"]) | st.sampled_from(_METACHARACTERS + "\r\n\t '\"%&=/")
    return st.text(alphabet, min_size=8, max_size=40) | st.sampled_from(TOKENS)
