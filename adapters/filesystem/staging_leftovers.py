"""Staging areas whose process was killed."""

from loopx.adapters.filesystem.staging import FileStaging


class SweptStaging:
    """What is abandoned among the areas of a staging folder."""

    def __init__(self, staging: FileStaging) -> None:
        self._staging = staging

    def sweep(self) -> None:
        with self._staging.swept():
            pass  # nothing more is wanted of the moment in which nobody stages
