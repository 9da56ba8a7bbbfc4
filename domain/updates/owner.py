"""Who installed this copy, by positive evidence, and which command updates it."""

from dataclasses import dataclass
from enum import StrEnum
from shlex import quote

from loopx.domain.updates.refusal import refused


class OwnerKind(StrEnum):
    """Whose a copy is."""

    OWN = "loopx"
    BUNDLE = "bundle"
    EDITABLE = "editable"
    PIPX = "pipx"
    UV_TOOL = "uv tool"
    HOMEBREW = "homebrew"
    NIX = "nix"
    CONDA = "conda"
    UV = "uv"
    PIP = "pip"
    SYSTEM = "system"
    CHECKOUT = "checkout"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What was found around the running copy; every path is the real one."""

    package: str
    """The folder of the package ``loopx``."""
    interpreter: str
    managed: str | None = None
    """The name of the version whose sealed folder encloses the package."""
    bundled: bool = False
    """It runs from a zip file or a frozen program."""
    editable: str | None = None
    """The checkout that ``direct_url.json`` names."""
    installer: str | None = None
    """The content of ``INSTALLER`` in the dist-info folder."""
    pipx: bool = False
    uv_tool: bool = False
    conda: bool = False
    externally_managed: bool = False
    checkout: str | None = None
    """The git checkout that encloses the package."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose a copy is, and the command or the words that say how it is updated."""

    kind: OwnerKind
    command: str
    is_command: bool = True

    @property
    def advice(self) -> str:
        """What to do, as one sentence."""
        return f"Run: {self.command}" if self.is_command else f"{self.command}."


def find_owner(evidence: Evidence) -> Owner:
    """Decide by the most particular evidence first.

    ``INSTALLER`` comes late: pipx and conda leave pip's name there, uv's tools leave uv's.
    """
    kind = _kind(evidence)
    python = quote(evidence.interpreter)
    commands = {
        OwnerKind.EDITABLE: f"git -C {quote(evidence.editable or '.')} pull",
        OwnerKind.PIPX: "pipx upgrade loopx",
        OwnerKind.UV_TOOL: "uv tool upgrade loopx",
        OwnerKind.HOMEBREW: "brew upgrade loopx",
        OwnerKind.NIX: "nix profile upgrade loopx",
        OwnerKind.CONDA: "conda update loopx",
        OwnerKind.UV: f"uv pip install --python {python} --upgrade loopx",
        OwnerKind.PIP: f"{python} -m pip install -U loopx",
        OwnerKind.CHECKOUT: f"git -C {quote(evidence.checkout or '.')} pull",
    }
    if kind in commands:
        return Owner(kind, commands[kind])
    words = {
        OwnerKind.OWN: "It updates itself",
        OwnerKind.BUNDLE: "Fetch the program again from where it came",
        OwnerKind.SYSTEM: "Use the system's package manager",
        OwnerKind.UNKNOWN: "Nothing says how it was installed",
    }
    return Owner(kind, words[kind], is_command=False)


def require_own(owner: Owner) -> None:
    """Refuse to touch a copy that belongs to another tool, and say what to do instead.

    Raises:
        LoopXError: ``update_error/owner``.
    """
    if owner.kind is not OwnerKind.OWN:
        hint = f"{owner.advice} Or put it under its own updates with --adopt."
        if owner.is_command:
            hint = f"{owner.advice} (or put it under its own updates with --adopt)"
        raise refused("owner", owner.kind.value, hint=hint)


def require_foreign(owner: Owner) -> None:
    """Refuse to adopt what is adopted already.

    Raises:
        LoopXError: ``update_error/managed``.
    """
    if owner.kind is OwnerKind.OWN:
        raise refused("managed")


def _kind(evidence: Evidence) -> OwnerKind:
    parts = evidence.package.split("/")
    found = (
        (evidence.managed is not None, OwnerKind.OWN),
        (evidence.bundled, OwnerKind.BUNDLE),
        (evidence.editable is not None, OwnerKind.EDITABLE),
        (evidence.pipx, OwnerKind.PIPX),
        (evidence.uv_tool, OwnerKind.UV_TOOL),
        ("Cellar" in parts, OwnerKind.HOMEBREW),
        (evidence.package.startswith("/nix/store/"), OwnerKind.NIX),
        (evidence.conda, OwnerKind.CONDA),
        (evidence.installer == "uv", OwnerKind.UV),
        (evidence.installer == "pip" and not evidence.externally_managed, OwnerKind.PIP),
        (evidence.installer is not None or evidence.externally_managed, OwnerKind.SYSTEM),
        (evidence.checkout is not None, OwnerKind.CHECKOUT),
    )
    return next((kind for holds, kind in found if holds), OwnerKind.UNKNOWN)
