"""The sink for a form of output."""

from typing import Final

from loopx.entrypoints.presentation.audit import AUDIT_VIEW
from loopx.entrypoints.presentation.extension_views import EXTENSION_VIEW, VERIFICATION_VIEW
from loopx.entrypoints.presentation.frame import Frame, Sink
from loopx.entrypoints.presentation.lists import (
    ListSink,
    Renderer,
    csv_renderer,
    markdown_renderer,
    table_renderer,
)
from loopx.entrypoints.presentation.output import Output
from loopx.entrypoints.presentation.pull_requests import PULL_REQUEST_VIEW
from loopx.entrypoints.presentation.streaming import JsonSink, NdjsonSink
from loopx.entrypoints.presentation.update_views import UPDATE_STEP_VIEW, VERSION_VIEW
from loopx.entrypoints.presentation.view import View, plain_view, selected_view

_VIEWS: Final = {
    "audit_row": AUDIT_VIEW,
    "extension": EXTENSION_VIEW,
    "pull_request": PULL_REQUEST_VIEW,
    "update_step": UPDATE_STEP_VIEW,
    "verification": VERIFICATION_VIEW,
    "version": VERSION_VIEW,
}


def open_sink(output: Output, frame: Frame, page: Renderer | None = None) -> Sink:
    """A sink that writes in that form; ``page`` stands in for the table of a command that has its own."""
    match output:
        case Output.NDJSON:
            return NdjsonSink(frame)
        case Output.JSON:
            return JsonSink(frame)
        case Output.CSV:
            return ListSink(frame, csv_renderer(_paths(frame)))
        case Output.MARKDOWN:
            return ListSink(frame, markdown_renderer(_view(frame)))
        case Output.TABLE:
            own = page if frame.selection is None else None
            return ListSink(frame, own or table_renderer(_view(frame)))


def _view(frame: Frame) -> View:
    view = _VIEWS.get(frame.spec.type) or plain_view(frame.spec)
    return selected_view(view, frame.selection) if frame.selection else view


def _paths(frame: Frame) -> tuple[tuple[str, ...], ...]:
    if frame.selection:
        return frame.selection.paths
    return tuple(tuple(column.split(".")) for column in frame.spec.columns)
