"""Bring a run to a sink, so that the output ends well whatever ends the run."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import replace

from loopx.application.capabilities.capability import Item
from loopx.domain.errors import LoopXError
from loopx.domain.redaction import Redactor
from loopx.domain.results import Problem, Summary
from loopx.entrypoints.presentation.envelope import cut_summary, without_secrets
from loopx.entrypoints.presentation.frame import Sink


async def present(
    items: AsyncIterator[Item], sink: Sink, monotonic: Callable[[], float], redactor: Redactor
) -> Summary:
    """Show a run to its end and give its summary; ``monotonic`` reads a clock in seconds.

    What the redactor knows is masked here, before any sink sees it: whatever a server sends back,
    in a record, a problem or a summary, the user's own secrets are shown by no output.
    A run that is cancelled or breaks on the way first ends its output, as incomplete.

    Raises:
        LoopXError: ``output_error/unwritable``.
        ReaderGoneError: nobody reads any more.
    """
    showing = _Showing(sink, monotonic, redactor)
    try:
        async for item in items:
            if (summary := showing.show(item)) is not None:
                return summary
        return showing.cut(
            "internal_error/defect", LoopXError("internal_error", "defect", detail="no summary")
        )
    except asyncio.CancelledError:
        showing.cut("interrupted")
        raise
    except LoopXError as error:
        if not showing.intact:
            raise
        return showing.cut(f"{error.code}/{error.reason}", error)
    except Exception:
        # What broke is told by the caller; here only the output that is out already is ended.
        showing.cut("internal_error/defect", LoopXError("internal_error", "defect"))
        raise
    finally:
        if isinstance(items, AsyncGenerator):
            await items.aclose()


class _Showing:
    """Counts what was shown, and knows whether the sink still takes anything."""

    def __init__(self, sink: Sink, monotonic: Callable[[], float], redactor: Redactor) -> None:
        self._sink = sink
        self._monotonic = monotonic
        self._redactor = redactor
        self._started = monotonic()
        self._records = 0
        self.intact = True

    def show(self, item: Item) -> Summary | None:
        """Hand on one item; gives it back if it was the summary."""
        self.intact = False
        shown = without_secrets(item, self._redactor)
        if isinstance(shown, Summary):
            self._sink.finish(shown)
            return shown
        self._sink.take(shown)
        self._records += not isinstance(item, Problem)
        self.intact = True
        return None

    def cut(self, reason: str, error: LoopXError | None = None) -> Summary:
        """End the output early."""
        summary = cut_summary(self._records, self._monotonic() - self._started, reason=reason, error=error)
        summary = replace(summary, error=error.masked(self._redactor.exact) if error else None)
        if self.intact:
            self.intact = False
            self._sink.finish(summary)
        return summary
