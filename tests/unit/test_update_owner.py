"""Whose a copy is, told by evidence, and the exact command for each."""

from dataclasses import replace

import pytest

from loopx.domain.errors import LoopXError
from loopx.domain.updates.owner import (
    Evidence,
    OwnerKind,
    find_owner,
    require_foreign,
    require_own,
)

BARE = Evidence(package="/opt/env/lib/python3.11/site-packages/loopx", interpreter="/opt/env/bin/python")
PIP = replace(BARE, installer="pip")
OWN = replace(BARE, managed="0.1.0-aaaaaaaaaaaa")

CASES = [
    (OWN, "loopx", None),
    (replace(OWN, installer="pip", pipx=True), "loopx", None),
    (PIP, "pip", "/opt/env/bin/python -m pip install -U loopx"),
    (replace(PIP, interpreter="/a b/python"), "pip", "'/a b/python' -m pip install -U loopx"),
    (replace(PIP, pipx=True), "pipx", "pipx upgrade loopx"),
    (replace(BARE, installer="uv", uv_tool=True), "uv tool", "uv tool upgrade loopx"),
    (
        replace(BARE, installer="uv"),
        "uv",
        "uv pip install --python /opt/env/bin/python --upgrade loopx",
    ),
    (replace(PIP, editable="/src/loopx"), "editable", "git -C /src/loopx pull"),
    (replace(PIP, conda=True), "conda", "conda update loopx"),
    (
        replace(PIP, package="/opt/homebrew/Cellar/loopx/0.1/libexec/lib/loopx"),
        "homebrew",
        "brew upgrade loopx",
    ),
    (replace(BARE, package="/nix/store/abc-loopx/lib/loopx"), "nix", "nix profile upgrade loopx"),
    (replace(PIP, bundled=True), "bundle", None),
    (replace(PIP, externally_managed=True), "system", None),
    (replace(BARE, installer="debian"), "system", None),
    (replace(BARE, externally_managed=True, checkout="/src/loopx"), "system", None),
    (replace(BARE, checkout="/src/my loopx"), "checkout", "git -C '/src/my loopx' pull"),
    (BARE, "unknown", None),
]


@pytest.mark.parametrize(("evidence", "kind", "command"), CASES)
def test_each_kind_of_copy_has_its_own_command(evidence: Evidence, kind: str, command: str | None) -> None:
    owner = find_owner(evidence)
    assert owner.kind.value == kind
    assert (owner.command if owner.is_command else None) == command


def test_every_kind_is_told_apart_here() -> None:
    assert {kind for _, kind, _ in CASES} == {kind.value for kind in OwnerKind}


@pytest.mark.parametrize("evidence", [evidence for evidence, kind, _ in CASES if kind != "loopx"])
def test_a_copy_of_another_tool_is_not_touched_and_the_command_is_told(evidence: Evidence) -> None:
    owner = find_owner(evidence)
    with pytest.raises(LoopXError) as caught:
        require_own(owner)
    assert (caught.value.code, caught.value.reason) == ("update_error", "owner")
    assert caught.value.row.exit_code == 78
    assert owner.command in caught.value.hint
    assert "--adopt" in caught.value.hint
    require_foreign(owner)


def test_a_copy_of_its_own_is_updated_and_not_adopted_again() -> None:
    owner = find_owner(OWN)
    require_own(owner)
    with pytest.raises(LoopXError) as caught:
        require_foreign(owner)
    assert (caught.value.reason, caught.value.row.exit_code) == ("managed", 78)
