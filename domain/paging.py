"""Walk from page to page, and notice a server that would never let it end."""

from typing import Final

from loopx.domain.errors import LoopXError

PATIENCE: Final = 3
"""Pages in a row that bring nothing new before the walk is given up; one or two can be a coincidence."""


class PageWalk:
    """Knows which page is next; ``cursor`` is ``None`` for the first."""

    def __init__(self, cursor: str | None = None) -> None:
        self.cursor = cursor
        self._seen = set[str]() if cursor is None else {cursor}
        self._idle = 0

    def move_on(self, *, has_next: bool, cursor: str | None, fresh: int) -> bool:
        """Go to the next page; false when this was the last. ``fresh`` counts what the page brought.

        Raises:
            LoopXError: ``provider_pagination_error`` with reason ``missing_cursor``,
                ``cursor_loop`` or ``no_progress``.
        """
        if not has_next:
            return False
        if cursor is None:
            raise LoopXError("provider_pagination_error", "missing_cursor")
        if cursor in self._seen:
            raise LoopXError("provider_pagination_error", "cursor_loop")
        self._idle = 0 if fresh else self._idle + 1
        if self._idle >= PATIENCE:
            raise LoopXError("provider_pagination_error", "no_progress")
        self._seen.add(cursor)
        self.cursor = cursor
        return True
