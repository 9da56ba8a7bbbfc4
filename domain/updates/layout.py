"""What lies where in the data home: the versions, and the one pointer that says which of them is started."""

from dataclasses import dataclass

from loopx.domain.updates.places import BAD, CURRENT, JOURNAL, VERSIONS


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths below a data home; it is absolute."""

    home: str

    @property
    def current(self) -> str:
        """The pointer to the version that is started."""
        return f"{self.home}/{CURRENT}"

    @property
    def bad(self) -> str:
        """The folder of the marks of bad releases."""
        return f"{self.home}/{BAD}"

    @property
    def journal(self) -> str:
        """There while an update is under way or was interrupted."""
        return f"{self.home}/{JOURNAL}"

    def version(self, name: str) -> str:
        """The concrete folder of a version, whatever any pointer says."""
        return f"{self.home}/{VERSIONS}/{name}"
