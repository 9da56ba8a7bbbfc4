"""What an extension says about itself: ``extension.toml`` as a value."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from loopx.domain.extensions.grants import NO_GRANTS, Grants
from loopx.domain.extensions.names import namespace
from loopx.domain.extensions.refusal import quoted, refused
from loopx.domain.schema import CapabilitySpec
from loopx.domain.versions import Version, VersionRange

MANIFEST_NAME: Final = "extension.toml"
"""Where the manifest lies: directly in the top directory of the archive."""


class UnitKind(StrEnum):
    """What a unit is to its callers."""

    CAPABILITY = "capability"
    CONNECTOR = "connector"


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that an extension provides."""

    kind: UnitKind
    spec: CapabilitySpec

    @property
    def name(self) -> str:
        """How it is called."""
        return self.spec.name


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """Where the code begins: a dict of unit names to generator functions, in a module of the tree."""

    module: str
    object: str

    @property
    def files(self) -> tuple[str, str]:
        """The two places where the module can lie in the tree."""
        path = self.module.replace(".", "/")
        return f"{path}.py", f"{path}/__init__.py"

    def __str__(self) -> str:
        return f"{self.module}:{self.object}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Everything that can be known of an extension without running its code."""

    id: str
    version: Version
    api: VersionRange
    entry: EntryPoint
    description: str
    units: tuple[Unit, ...]
    grants: Grants = NO_GRANTS

    @property
    def namespace(self) -> str:
        """The first part of the names of its units."""
        return namespace(self.id)

    def unit(self, name: str) -> Unit:
        """The unit of that name.

        Raises:
            LoopXError: ``extension_error/unit``.
        """
        for unit in self.units:
            if unit.name == name:
                return unit
        raise refused("unit", f"{self.id} has no {quoted(name)}")
