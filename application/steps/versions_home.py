"""Everything through which versions are kept."""

from dataclasses import dataclass

from loopx.application.ports.update_journal import UpdateJournal
from loopx.application.ports.update_progress import UpdateProgress
from loopx.application.ports.version_pointers import VersionPointers
from loopx.application.ports.version_store import VersionStore
from loopx.domain.updates.layout import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionsHome:
    """One data home, and whoever watches what happens in it."""

    layout: Layout
    store: VersionStore
    pointers: VersionPointers
    journal: UpdateJournal
    progress: UpdateProgress
